/**
 * Client configuration: it restricts its sender, or is refused with the name of the field that asks
 * for more, and then nothing runs.
 */

import { DEFAULT_CONFIG, restrictConfig } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { resolveAccess } from '#worker/access/access.ts'
import { ownerCeiling, withPolicy } from '#worker/access/ceiling.ts'
import { withClientConfig } from '#worker/access/client-config.ts'
import { MAX_CHOSEN_BYTES } from '#worker/access/limits.ts'
import { NO_METADATA } from '#worker/access/metadata.ts'
import { MAX_FIND_LIMIT } from '#worker/limits.ts'
import { callerWithoutSession, withConfiguration } from '#worker/access/caller.ts'
import { describe, expect, it } from 'vitest'
import { given } from '../../support/core/policy-laws.ts'
import { modern, legacyEra, type Send } from '../../support/worker/access-client.ts'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const OWNED = {
  roots: [{ path: '/docs', deny: ['private/**'] }, { path: '/notes' }],
  find_limit: 100,
  search_max_bytes: 1_000,
  search_summary_top: 10,
  read_max_bytes: 2_000,
  read_max_line_bytes: 500,
  approval: 'notify',
  history_versions: 20,
  preview_cache_size: 50,
  preview_ttl_seconds: 600,
  draft_ttl_seconds: 600,
  max_file_bytes: 1_000_000,
  max_workspace_bytes: 10_000_000,
}

async function createOwned(config: object = OWNED): Promise<Workspace> {
  const workspace = freshWorkspace()
  await workspace.put('/docs/a', 'one')
  const answer = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
  return workspace
}

const WRITE = { name: 'write_file', arguments: { path: '/docs/new', content: 'x' } }

/** Sends a configuration in both eras; returns the message of each refusal, or null. */
async function refusals(from: Workspace | Send, configuration: object): Promise<(string | null)[]> {
  const { body } = await modern(from, configuration).ask('tools/call', WRITE)
  const modernRefusal = codeOfReply(body) === -32602 ? wholeOf(body) : null
  const legacy = await legacyEra(from, configuration).then(
    () => null,
    (error: unknown) => String(error),
  )
  if (legacy !== null) expect(legacy).toContain('-32602')
  return [modernRefusal, legacy]
}

const LIMITS = [
  'find_limit',
  'search_max_bytes',
  'search_summary_top',
  'read_max_bytes',
  'read_max_line_bytes',
] as const
const OWNERS = [
  'history_versions',
  'preview_cache_size',
  'preview_ttl_seconds',
  'draft_ttl_seconds',
  'max_file_bytes',
  'max_workspace_bytes',
] as const

const NARROWER: object[] = [
  ...LIMITS.flatMap((field) => [{ [field]: OWNED[field] - 1 }, { [field]: OWNED[field] }]),
  ...OWNERS.map((field) => ({ [field]: OWNED[field] })),
  ...['notify', 'review', 'confirm'].map((approval) => ({ approval })),
  { allow_escape: false },
  { read_only: true },
  { roots: [{ path: '/docs' }] },
  {
    roots: [
      { path: '/docs/sub', deny: ['x'], allow: ['**'], immutable: ['y'] },
      { path: '/notes' },
    ],
  },
  {},
]

const WIDER: [string, object][] = [
  ...LIMITS.flatMap((field) =>
    [OWNED[field] + 1, 0, null].map((more): [string, object] => [field, { [field]: more }]),
  ),
  ...OWNERS.flatMap((field) =>
    [OWNED[field] + 1, 1, 0, null].map((other): [string, object] => [field, { [field]: other }]),
  ),
  ['approval', { approval: 'none' }],
  ['allow_escape', { allow_escape: true }],
  ['roots', { roots: [{ path: '/' }] }],
  ['roots', { roots: [{ path: '/docs' }, { path: '/other' }] }],
  ['roots', { roots: [{ path: '/docs/private' }] }],
  ['roots', { roots: [{ path: '/docs/private/deep' }] }],
  ['roots', { roots: [] }],
  ['root.blocked', { roots: [{ path: '/docs', blocked: true }] }],
  ['unheard_of', { unheard_of: 1 }],
]

describe('a client configuration under the owner’s rules', () => {
  it.each(NARROWER)('is accepted if it only restricts: %j', async (configuration) => {
    expect(await refusals(await createOwned(), configuration)).toEqual([null, null])
  })

  it.each(WIDER)('is refused if %s asks for more: %j', async (field, configuration) => {
    const workspace = await createOwned()
    for (const refused of await refusals(workspace, configuration)) expect(refused).toContain(field)
    const read = await workspace.fetch('/files/docs/new')
    expect([read.status, await read.text()]).toEqual([404, expect.anything()])
  })
})

describe('a client configuration under a session’s ceiling', () => {
  const policy = {
    roots: [
      { path: '/docs/sub', deny: ['x/**'] },
      { path: '/notes', blocked: true },
    ],
  }
  const scopes = ['read:file:/docs/sub', 'write:file:/docs/sub']
  const ENTERED: [string, (workspace: Workspace) => Promise<Workspace | Send>][] = [
    ['a link with policy', async (workspace) => (await linkOf(workspace, { policy })).client],
    ['a link with scopes', async (workspace) => (await linkOf(workspace, { scopes })).client],
    [
      'a delegated link',
      async (workspace) => (await linkOf((await linkOf(workspace, { policy })).client)).client,
    ],
    ['a token', async (workspace) => (await tokenOf(workspace, scopes)).send],
    [
      'a token with fewer scopes',
      async (workspace) => (await tokenOf(workspace, ['read', 'write'], scopes)).send,
    ],
  ]

  it.each(ENTERED)('cannot name a root outside of it: %s', async (_, enter) => {
    const from = await enter(await createOwned())
    for (const path of ['/docs', '/notes', '/', '/docs/other'])
      for (const refused of await refusals(from, { roots: [{ path }] }))
        expect(refused, path).toContain('roots')
    expect(await refusals(from, { roots: [{ path: '/docs/sub/deep' }] })).toEqual([null, null])
  })

  it.each(ENTERED)('cannot lift a limit: %s', async (_, enter) => {
    const from = await enter(await createOwned())
    for (const refused of await refusals(from, { read_max_bytes: 0 }))
      expect(refused).toContain('read_max_bytes')
    for (const refused of await refusals(from, { history_versions: 1 }))
      expect(refused).toContain('history_versions')
  })

  it('cannot lift a limit of the policy of its session', async () => {
    const workspace = await createOwned()
    const body = JSON.stringify({ label: 'x', policy: { read_max_bytes: 100 } })
    const made = await workspace.fetch('/sessions', { method: 'POST', body })
    const { url } = await made.json<{ url: string }>()
    const from = freshWorkspace(url)
    for (const refused of await refusals(from, { read_max_bytes: 101 }))
      expect(refused).toContain('read_max_bytes')
    expect(await refusals(from, { read_max_bytes: 100 })).toEqual([null, null])
  })
})

it('a root inside another one does not escape a policy whose limit is above that of the owner', () => {
  const roots = [{ path: '/notes' }, { path: '/notes/sub' }]
  const owners = callerWithoutSession('p', DEFAULT_CONFIG)
  const { working } = given(withConfiguration(owners, { roots, read_max_bytes: 51_200 }))
  for (const read_max_bytes of [30_000, 50_000]) {
    const policy = { roots: [{ path: '/notes/a' }], read_max_bytes }
    const access = given(resolveAccess(working, { ...NO_METADATA, policy }))
    expect(access.judge('read', parsePath('/notes/a/x'))).toBe('permitted')
    expect(access.judge('read', parsePath('/notes/sub/x'))).toBe('blocked')
  }
})

describe('a limit that no one has set', () => {
  const CHOOSABLE = {
    find_limit: MAX_FIND_LIMIT,
    search_max_bytes: MAX_CHOSEN_BYTES,
    search_summary_top: MAX_FIND_LIMIT,
    read_max_bytes: MAX_CHOSEN_BYTES,
    read_max_line_bytes: MAX_CHOSEN_BYTES,
  }

  it.each(LIMITS)('is no ceiling for a client: %s', async (limit) => {
    const most = CHOOSABLE[limit]
    const workspace = await createOwned({})
    for (const value of [51_200, most, 0].filter((one) => one <= most))
      expect(await refusals(workspace, { [limit]: value })).toEqual([null, null])
    for (const value of [most + 1, null])
      for (const refused of await refusals(workspace, { [limit]: value }))
        expect(refused).toContain(limit)
    // A policy only restricts.
    const meta = { policy: { [limit]: DEFAULT_CONFIG[limit] + 1 } }
    const { error } = await workspace.send('tools/call', WRITE, { meta })
    expect(error?.message).toContain(limit)
  })

  it.each(LIMITS)(
    'is one once the owner, a policy or a flag sets its default: %s',
    async (limit) => {
      const set = { [limit]: DEFAULT_CONFIG[limit] }
      const wider = { [limit]: DEFAULT_CONFIG[limit] + 1 }
      for (const refused of await refusals(await createOwned(set), wider))
        expect(refused).toContain(limit)
      const { client } = await linkOf(await createOwned({}), { policy: { read_only: true } })
      expect(await refusals(client, wider)).toEqual([null, null])
      const ceiling = ownerCeiling(DEFAULT_CONFIG)
      const policed = given(withPolicy(ceiling, set, 'human'))
      expect(withClientConfig(policed, wider)).toMatchObject({ ok: false })
      expect(withClientConfig(given(withClientConfig(ceiling, set)), wider)).toMatchObject({
        ok: false,
      })
      const flagged = restrictConfig(DEFAULT_CONFIG, set)
      expect(withClientConfig(ownerCeiling(flagged), wider)).toMatchObject({ ok: false })
    },
  )

  it('gives a client of mcp4h what its configuration asks for', async () => {
    const workspace = await createOwned({})
    const text = 'a line of text\n'.repeat(3_000)
    await workspace.put('/docs/long', text)
    const ask = (configuration: object) =>
      modern(workspace, configuration).ask('tools/call', {
        name: 'read_file',
        arguments: { path: '/docs/long', limit: 0 },
      })
    const short = wholeOf((await ask({})).body).length
    for (const read_max_bytes of [51_200, 0]) {
      const whole = wholeOf((await ask({ read_max_bytes })).body)
      expect(whole.length).toBeGreaterThan(2 * short)
    }
  })
})

describe('a client configuration does not affect other clients', () => {
  it('in their history and their previews', async () => {
    const workspace = await createOwned({})
    for (const text of ['two', 'three']) await workspace.put('/docs/a', text)
    const shown = await workspace.call(
      'write_file',
      { path: '/docs/a', content: '' },
      { preview: true },
    )
    const id = /ui:\/\/write_file\/([0-9a-f-]{36})/.exec(wholeOf(shown))?.[1]
    for (const configuration of [{ history_versions: 1 }, { preview_cache_size: 1 }]) {
      const agent = modern(workspace, configuration)
      for (const meta of [{}, { preview: true }]) {
        const { body } = await agent.ask('tools/call', WRITE, meta)
        expect(codeOfReply(body)).toBe(-32602)
      }
    }
    const { result } = await workspace.call('file_history', { path: '/docs/a' })
    expect(result?.structuredContent['versions']).toHaveLength(3)
    const read = await workspace.send('resources/read', { uri: `ui://write_file/${id}` })
    expect(read.error).toBeUndefined()
  })
})

describe('the owner', () => {
  it('gets an error that names the field that belongs in a policy', async () => {
    const workspace = await createOwned()
    const before = await (await workspace.fetch('/config')).text()
    const body = JSON.stringify({ roots: [{ path: '/docs', blocked: true }] })
    const answer = await workspace.fetch('/config', { method: 'PUT', body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('blocked'),
    })
    expect(await (await workspace.fetch('/config')).text()).toBe(before)
  })
})

/** The source of a copy or a move, and callers that may not read it: no route tells it them, in either era. */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { legacyEra, modern, type AccessClient } from '../../support/worker/access-client.ts'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { configure } from '../../support/worker/held-draft.ts'

const NARROW = {
  'scopes of a folder': { scopes: ['read:file:/docs', 'write:file:/docs'] },
  'a source that it may only write': {
    scopes: ['read:file:/docs', 'write:file:/docs', 'write:file:/vault'],
  },
  'a policy': { policy: { roots: [{ path: '/docs' }] } },
  'a denied pattern': { policy: { roots: [{ path: '/', deny: ['vault', 'vault/**'] }] } },
}

const ERAS: Readonly<Record<string, (client: Workspace) => Promise<AccessClient>>> = {
  modern: (client) => Promise.resolve(modern(client)),
  legacy: (client) => legacyEra(client),
}

const CALLS = [
  ['copy_file', { from: '/vault/canary.md', to: '/docs/one.md' }],
  ['copy_file', { from: '/vault', to: '/docs/all' }],
  ['move_file', { from: '/vault/canary.md', to: '/docs/one.md' }],
  ['move_file', { from: '/vault', to: '/docs/all' }],
] as const

async function withFiles() {
  const workspace = freshWorkspace()
  await workspace.put('/vault/canary.md', 'one')
  await workspace.put('/docs/a.md', 'two')
  return workspace
}

/** What names the source in everything that a caller can ask of a change. */
async function namings(client: AccessClient, tool: string, id: string, version: unknown) {
  const call = (name: string, args: object, meta?: object) =>
    client.ask('tools/call', { name, arguments: args }, meta)
  const forms = ['', '.diff', '.json'].map((form) => `ui://${tool}/${id}${form}`)
  const answers = [
    ...forms.map((uri) => client.ask('resources/read', { uri })),
    call('list_changes', {}),
    call('list_changes', { path: '/docs' }),
    call('file_history', { path: '/docs/one.md' }),
    call('draft_status', {}),
    client.ask('resources/read', { uri: 'edgewise://draft' }),
    client.ask('resources/list', {}),
    call('undo_change', { id }, { preview: true }),
    call('undo_change', { version: Number(version) }, { preview: true }),
    call('list_checkpoints', {}),
    call(tool, { from: '/docs/one.md', to: '/docs/a.md' }, { 'dev.edgewise/preview': id }),
  ]
  const all = await Promise.all(answers)
  const text = all.map(({ body }) => JSON.stringify(body)).join('\n')
  return text.match(/.{0,80}vault.{0,40}/g) ?? []
}

const changeOf = (result: unknown) =>
  recordOf(recordOf(recordOf(result)['_meta'])['dev.edgewise/change'])

describe.each(Object.keys(ERAS))('%s', (era) => {
  describe.each(Object.entries(NARROW))('a delegate with %s', (_, wish) => {
    it.each(CALLS)('learns nothing of the source of %s %o', async (tool, args) => {
      const workspace = await withFiles()
      const parent = await linkOf(workspace)
      const { client } = await linkOf(parent.client, wish)
      const delegate = (await ERAS[era]?.(client)) ?? modern(client)

      const shown = await parent.client.call(tool, args, { preview: true })
      const preview = String(changeOf(shown.result)['id'])
      expect(await namings(delegate, tool, preview, 1)).toEqual([])

      const done = await parent.client.call(tool, args)
      const { id, version } = changeOf(done.result)
      expect(await namings(delegate, tool, String(id), version)).toEqual([])
    })
  })
})

describe('a narrower call of the same session', () => {
  it.each(CALLS)(
    'learns nothing of the source of %s %o, which waits and conflicts',
    async (...one) => {
      const [tool, args] = one
      const workspace = await withFiles()
      const { client } = await linkOf(workspace)
      await configure(workspace, { approval: 'review' })
      const { result } = await client.call(tool, args)
      const { id, version } = changeOf(result)
      await workspace.put('/docs/one.md', 'late')
      await workspace.put('/docs/all', 'late')
      for (const denied_scopes of [
        ['read:file:/vault', 'write:file:/vault'],
        ['read:file:/vault'],
      ]) {
        const restricted: AccessClient = {
          ...modern(client),
          ask: (method, params, meta = {}) =>
            modern(client).ask(method, params, { ...meta, denied_scopes }),
        }
        expect(await namings(restricted, tool, String(id), version)).toEqual([])
      }
    },
  )
})

it('a narrower call is not shown a request for a path that it may not read', async () => {
  const workspace = await withFiles()
  const { client } = await linkOf(workspace, { scopes: ['write:file:/vault', 'read:file:/docs'] })
  await client.call('read_file', { path: '/vault/canary.md' })
  expect(await client.text('draft_status')).toContain('read:file:/vault')
  const meta = { denied_scopes: 'read:file:/vault' }
  const { result } = await client.call('draft_status', {}, meta)
  expect(JSON.stringify(result)).not.toContain('vault')
})

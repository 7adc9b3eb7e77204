/**
 * Every approval level for every tool that changes files, an upload through a transfer link, and every kind of caller
 * in both eras: nothing is applied that a person has not approved, and no other caller sees anything of it but the note
 * that a change waits at a path.
 */

import { recordOf } from '#core/json.ts'
import { DRAFT_META } from '#core/wire.ts'
import { TOOLS } from '#worker/tools/index.ts'
import type { ChangedFolder } from '#worker/tools/lib/checked-facts.ts'
import { describe, expect, it } from 'vitest'
import {
  legacyEra,
  modern,
  succeeded,
  type AccessClient,
  type Answer,
} from '../../support/worker/access-client.ts'
import { digestUpTo } from '../../support/e2e/owner-decisions.ts'
import { IS_THOROUGH } from '../../support/worker/access-run.ts'
import { tokenOf } from '../../support/worker/access-callers.ts'
import type { Workspace } from '../../support/worker/access-tree.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { draftFaultsOf, faultsOf } from '../../support/worker/invariants.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { TOOL_FACTS } from '../../support/worker/tool-facts.ts'
import { runInDurableObject, SELF } from 'cloudflare:test'

const LEVELS = ['none', 'notify', 'review', 'confirm'] as const

const CALLERS: Readonly<Record<string, (workspace: Workspace) => Promise<AccessClient>>> = {
  local: async (workspace) => modern(workspace),
  'local, legacy era': (workspace) => legacyEra(workspace),
  link: async (workspace) => modern((await linkOf(workspace)).client),
  'link, legacy era': async (workspace) => legacyEra((await linkOf(workspace)).client),
  'delegate of a link': async (workspace) =>
    modern((await linkOf((await linkOf(workspace)).client)).client),
  token: async (workspace) => modern((await tokenOf(workspace, ['read', 'write'])).send),
  'token, legacy era': async (workspace) =>
    legacyEra((await tokenOf(workspace, ['read', 'write'])).send),
}

interface Case {
  readonly name: string
  readonly tool: string
  readonly args: (at: ChangedFolder) => Readonly<Record<string, unknown>>
}

const CASES: readonly Case[] = [...TOOL_FACTS].flatMap(([tool, { changes = {} }]) =>
  Object.entries(changes).map(([what, args]) => ({ name: `${tool} ${what}`, tool, args })),
)

/** The folder of a case. */
const folderOf = (name: string) => `/t${CASES.findIndex((each) => each.name === name)}`

/** The case whose file the owner changes meanwhile. */
const DISTURBED = 'write_file bytes'

it('there is a case for every tool that changes files', () => {
  const tools = [...TOOLS.values()].filter(({ kind }) => kind === 'change')
  expect([...new Set(CASES.map(({ tool }) => tool))].toSorted()).toEqual(
    tools.map(({ name }) => name).toSorted(),
  )
})

const json = async (answer: Response) => recordOf(await answer.json())

/** Fills a workspace: a folder for each case, in which a file has two versions. */
async function prepare(workspace: Workspace, client: AccessClient): Promise<ChangedFolder[]> {
  const put = async (path: string, body: string) => recordOf(await workspace.put(path, body))
  const folders = [...CASES.keys()].map((index) => `/t${index}`)
  const firsts: number[] = []
  for (const folder of folders)
    firsts.push(Number((await put(`${folder}/file`, 'first\n'))['version']))
  const made = await client.ask('tools/call', {
    name: 'create_checkpoint',
    arguments: { name: 'start' },
  })
  expect(succeeded(made), JSON.stringify(made)).toBe(true)
  const versions: number[] = []
  for (const folder of folders) {
    versions.push(Number((await put(`${folder}/file`, 'second\n'))['version']))
    await put(`${folder}/sub/deep/inner`, 'inner\n')
  }
  const { result } = await workspace.call('list_changes', { limit: 100 })
  const listed = recordOf(result?.structuredContent)['changes']
  const ids = new Map(
    (Array.isArray(listed) ? listed : []).map((each: unknown) => {
      const { id, version } = recordOf(each)
      return [Number(version), String(id)]
    }),
  )
  return folders.map((folder, index) => {
    const version = versions[index] ?? 0
    return {
      folder,
      file: `${folder}/file`,
      first: firsts[index] ?? 0,
      version,
      change: ids.get(version) ?? '',
    }
  })
}

const configure = async ({ fetch }: Workspace, approval: string) => {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify({ approval }) })
  expect(answer.status, await answer.text()).toBe(200)
}

/** An answer without the note of what others do at its paths, which `test/worker/leases/results.test.ts` has. */
function withoutNote(body: unknown): unknown {
  const { result } = recordOf(body)
  const { content, structuredContent } = recordOf(result)
  const { in_use: uses, ...structured } = recordOf(structuredContent)
  if (uses === undefined || !Array.isArray(content)) return body
  const kept = { content: content.slice(0, -1), structuredContent: structured }
  return { ...recordOf(body), result: { ...recordOf(result), ...kept } }
}

/** Everything that another caller can ask for. */
async function seenBy(client: AccessClient, ids: readonly string[]): Promise<string[]> {
  const tool = (name: string, args: Readonly<Record<string, unknown>>) =>
    client.ask('tools/call', { name, arguments: args })
  const paths = CASES.flatMap((_, index) => [`/t${index}/file`, `/t${index}/canary`])
  const template = { type: 'ref/resource', uri: 'file:///{+path}' }
  const answers: Promise<Answer>[] = [
    tool('list_roots', {}),
    tool('find_files', {}),
    tool('find_files', { pattern: '**/canary*' }),
    tool('search_files', { pattern: 'canary' }),
    tool('search_files', { pattern: 'second' }),
    tool('read_multiple_files', { paths: paths.slice(0, 20) }),
    tool('list_changes', { limit: 100 }),
    tool('draft_status', {}),
    ...[...CASES.keys()].map((index) => tool('list_folder', { path: `/t${index}` })),
    ...paths.flatMap((path) => [
      tool('read_file', { path }),
      tool('file_history', { path }),
      client.ask('resources/read', { uri: `file://${path}` }),
    ]),
    ...['', 't1/', 't1/c'].map((value) =>
      client.ask('completion/complete', { ref: template, argument: { name: 'path', value } }),
    ),
    client.ask('resources/list', {}),
    client.ask('resources/templates/list', {}),
    client.ask('tools/list', {}),
    client.ask('resources/read', { uri: 'edgewise://draft' }),
    ...ids.flatMap((id) =>
      ['', '.diff', '.json'].map((form) =>
        client.ask('resources/read', { uri: `ui://write_file/${id}${form}` }),
      ),
    ),
  ]
  const seen = (await Promise.all(answers)).map(({ status, body }) => [status, withoutNote(body)])
  return seen.map((each) => {
    let text = JSON.stringify(each).replaceAll(/"id":\d+/g, '"id":0')
    for (const id of ids) text = text.replaceAll(id, 'ID')
    return text
  })
}

/** The owner's view of all files. */
async function ownersView({ fetch, raw }: Workspace): Promise<string> {
  const archive = new Uint8Array(await (await fetch('/export')).arrayBuffer())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', archive))
  const { files, bytes, folders } = await json(await fetch('/status'))
  const pages = await Promise.all(
    [...CASES.keys()].map(async (index) => [
      await (await fetch(`/files/t${index}`)).text(),
      new TextDecoder().decode(await raw(`/t${index}/file`)),
    ]),
  )
  return JSON.stringify([[...digest], files, bytes, folders, pages])
}

const resultOf = ({ body }: Answer) => recordOf(body['result'])

async function decide({ fetch }: Workspace, draft: string, body: object, what = 'approve') {
  const origin = 'http://localhost'
  const headers = { 'sec-fetch-site': 'same-origin', origin, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  return fetch(`/drafts/${draft}/${what}`, init)
}

interface Shown {
  readonly revision: string
  readonly changes: readonly { readonly id: string; readonly conflict: unknown }[]
}

async function show({ fetch }: Workspace): Promise<{ id: string; shown: Shown }> {
  const { drafts } = await (await fetch('/drafts')).json<{ drafts: { id: string }[] }>()
  expect(drafts).toHaveLength(1)
  const id = drafts[0]?.id ?? ''
  return { id, shown: await (await fetch(`/drafts/${id}`)).json<Shown>() }
}

/** The choice of a change, as its page shows it. */
const partUpTo = async (workspace: Workspace, draft: string, change: string) => ({
  changes: [change],
  digest: await digestUpTo(workspace, draft, change),
})

async function approveAll(workspace: Workspace, level: string): Promise<void> {
  for (;;) {
    const { id, shown } = await show(workspace)
    expect(shown.changes.filter(({ conflict }) => conflict !== null)).toEqual([])
    const [first] = shown.changes
    const part = level === 'confirm' ? await partUpTo(workspace, id, first?.id ?? '') : {}
    const done = await decide(workspace, id, { revision: shown.revision, ...part })
    const { left } = await done.json<{ left: number }>()
    expect(done.status).toBe(200)
    if (left === 0) return
  }
}

/** Other callers, whose answers must not change. */
const observersOf = async (workspace: Workspace, kind: string): Promise<AccessClient[]> => [
  modern((await linkOf(workspace)).client),
  await legacyEra(workspace),
  modern((await tokenOf(workspace, ['read', 'write'])).send),
  ...(kind === 'local' ? [] : [modern(workspace)]),
]

/** The fast run has one caller of each kind. */
const KINDS = IS_THOROUGH ? Object.keys(CALLERS) : ['local', 'link, legacy era', 'token']

describe.each(KINDS)('%s', (kind) => {
  it.each(LEVELS)('%s', async (level) => {
    const enter = CALLERS[kind]
    if (!enter) throw new Error(kind)
    const workspace = freshWorkspace()
    const client = await enter(workspace)
    const places = await prepare(workspace, client)
    await configure(workspace, level)
    const observers = level === 'review' ? await observersOf(workspace, kind) : []
    const listener = modern((await linkOf(workspace)).client)
    const stream = readEvents(await listener.listen(places.map((at) => `file://${at.file}`)))
    await stream.next()
    const before = await ownersView(workspace)
    const seen = await Promise.all(observers.map((each) => seenBy(each, [])))

    const ids: string[] = []
    for (const [index, { tool, args, name }] of CASES.entries()) {
      const place = places[index]
      if (!place) throw new Error(name)
      const answer = await client.ask('tools/call', { name: tool, arguments: args(place) })
      expect([name, succeeded(answer)], JSON.stringify(answer)).toEqual([name, true])
      const meta = recordOf(resultOf(answer)['_meta'])
      const isWaiting = level === 'review' || level === 'confirm'
      expect([name, DRAFT_META in meta]).toEqual([name, isWaiting])
      ids.push(String(recordOf(meta['dev.edgewise/change'])['id']))
    }
    const applied = await ownersView(workspace)
    if (level === 'none' || level === 'notify') {
      expect(applied).not.toBe(before)
      await stream.cancel()
      return
    }
    expect(applied).toBe(before)
    for (const [index, each] of observers.entries()) {
      expect(await seenBy(each, [])).toEqual(seen[index])
      const changes = (await seenBy(each, ids)).slice(-ids.length * 3)
      expect(changes.filter((text) => !text.includes('"error"'))).toEqual([])
    }
    // The first event is that of the owner's own change.
    await workspace.put('/own', 'x')
    await workspace.put(`${folderOf(DISTURBED)}/file`, 'second\n')
    const event = JSON.stringify(await stream.next())
    expect(event).not.toContain(folderOf('write_file overwrite'))
    await stream.cancel()
    await approveSome(workspace, level)
    await runInDurableObject(stubOf(workspace), async (_, state) => {
      expect(await faultsOf(state)).toEqual({})
      expect(draftFaultsOf(state)).toEqual({})
    })
    expect(await json(await workspace.fetch('/audit/check'))).toMatchObject({ broken: null })
  })
})

/** Turns down what the owner's own change disturbed, and approves the rest. */
async function approveSome(workspace: Workspace, level: string): Promise<void> {
  const { id, shown } = await show(workspace)
  expect(shown.changes).toHaveLength(CASES.length)
  const disturbed = shown.changes[CASES.findIndex(({ name }) => name === DISTURBED)]?.id
  const down = { revision: shown.revision, changes: [disturbed] }
  expect((await decide(workspace, id, down, 'turn-down')).status).toBe(200)
  await approveAll(workspace, level)
  const text = async (path: string) => new TextDecoder().decode(await workspace.raw(path))
  expect(await text(`${folderOf('write_file overwrite')}/file`)).toBe('canary')
  expect(await text(`${folderOf('write_file new')}/new/x`)).toBe('canary')
  expect(await text(`${folderOf('write_file bytes')}/file`)).toBe('second\n')
  expect(await text(`${folderOf('edit_file edit')}/file`)).toBe('canary\n')
  expect(await text(`${folderOf('move_file folder')}/canary/deep/inner`)).toBe('inner\n')
  expect((await workspace.fetch(`/files${folderOf('delete_file file')}/file`)).status).toBe(404)
  expect(await text(`${folderOf('restore_file file')}/file`)).toBe('first\n')
  expect(await text(`${folderOf('undo_change change')}/file`)).toBe('first\n')
  expect(await text(`${folderOf('restore_checkpoint folder')}/file`)).toBe('first\n')
}

describe('a transfer link', () => {
  it.each([
    ['before the draft', false],
    ['after it', true],
  ])('made %s uploads into the draft of its session, and shows it', async (_, isAfter) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'old')
    await configure(workspace, 'review')
    const { client: agent } = await linkOf(workspace)
    const linkTo = async (path: string, direction: string) => {
      const { result } = await agent.call('transfer_link', { path, direction })
      return String(result?.structuredContent['url'])
    }
    if (isAfter) await agent.text('write_file', { path: '/other', content: 'x' })
    const upload = await linkTo('/a', 'upload')
    const download = await linkTo('/a', 'download')
    if (!isAfter) await agent.text('write_file', { path: '/other', content: 'x' })
    const headers = { 'content-length': '6' }
    const sent = await SELF.fetch(upload, { method: 'PUT', body: 'canary', headers })
    expect(sent.ok, await sent.text()).toBe(true)
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('old')
    expect(await (await SELF.fetch(download)).text()).toBe('canary')
    expect(await agent.text('read_file', { path: '/a' })).toBe('1: canary')
    expect(await workspace.text('read_file', { path: '/a' })).toBe('1: old')
    const child = (await linkOf(agent)).client
    expect(await child.text('read_file', { path: '/a' })).toBe('1: old')
    const { id, shown } = await show(workspace)
    expect(shown.changes).toHaveLength(2)
    await decide(workspace, id, { revision: shown.revision })
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('canary')
  })
})

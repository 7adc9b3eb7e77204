/** The owner's own change at `review`: one press, and the attacks of those who have not pressed. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JsonRecord } from '#core/json.ts'
import type { DraftContents, SingleChange } from '#core/owner/answers/drafts.ts'
import { CHANGE_META, DRAFT_META, PREVIEW_META } from '#core/wire.ts'
import { createAppQuestions } from '#host/console/questions/app-questions.ts'
import { createAppReads } from '#host/console/questions/app-reads.ts'
import type { CallingApp } from '#host/console/questions/calling-app.ts'
import { queue } from '#host/console/questions/queue.ts'
import { callAsApp, callAsPerson } from '#host/console/tools/calls.ts'
import { toasts } from '#host/console/ui/toasts.tsx'
import { parseCallResult, parseContents, parseServer, parseTools } from '#host/mcp/parse.ts'
import { changeOf } from '#host/mcp/tool-facts.ts'
import { fakeOwner, type Answers, type SentAct } from '../../support/host/fake-owner.ts'

const META = { 'dev.edgewise/tool': { preview: true, humanInTheLoopHint: 'review', scopes: [] } }
const [tool] = parseTools({ tools: [{ name: 'move_file', _meta: META }] }).items

const FACTS = { tool: 'move_file', intent: 'Move /a to /b', paths: ['/a', '/b'] }
const PREVIEW = {
  content: [{ type: 'text', text: 'Moved' }],
  _meta: { preview: true, [CHANGE_META]: { id: 'p', applied: false, ...FACTS } },
}
const WAITS = 'Proposed; waits for approval: 1 change in draft d'
const HELD = {
  content: [{ type: 'text', text: `Moved (version 2). ${WAITS}` }],
  structuredContent: { to: '/b', version: 2, draft: WAITS },
  _meta: {
    [CHANGE_META]: { id: 'c', version: 7, applied: false, ...FACTS },
    [DRAFT_META]: { id: 'd', state: 'waiting', changes: 1 },
  },
}

const FILES = { files: [], files_left_out: 0 }
const DRAFT: DraftContents = {
  ...{ id: 'd', actor: 'owner', principal: 'owner', session: null, label: null, client: null },
  ...{ reason: '', opened: 0, touched: 0, expires: 0, ended: false, revision: 'r' },
  ...{ changes: [], changes_left_out: 0, ...FILES },
  ...{ risky: 0, added: 0, removed: 0, shared: false, receivers: [] },
}
const SINGLE: SingleChange = {
  ...{ changes: ['c'], digest: 'shown', own: FILES, together: FILES, conflict: null },
}
const UNSEEN: SingleChange['own']['files'][number] = {
  ...{ path: '/b', type: 'file', change: 'added', before: null, after: 9, group: 0 },
  ...{ digest: 'x', mark: 'x', unseen: true, risks: [] },
}

/** The same file, as the resource of the preview has it. */
const SHOWN = { from: null, to: '/b', binary: true, hunks: [], bytes: 9 }

let sent: SentAct[]
/** What the resource of the preview has; null if it cannot be read. */
let shown: JsonRecord | null
let version: number
let called: JsonRecord[]

function serve(answers: Answers = {}): void {
  sent = fakeOwner({
    read_status: () => ({ version, files: 0, folders: 0, bytes: 0, unindexed: 0 }),
    list_drafts: { waiting: 0, requests: 0, apps: 0, skills: 0, drafts: [] },
    show_draft: DRAFT,
    show_draft_change: SINGLE,
    approve_draft: { approval: 'a', decided: 1, left: 0 },
    turn_down_draft: { approval: null, decided: 1, left: 0 },
    note_denial: null,
    ...answers,
  })
}

beforeEach(() => {
  version = 7
  called = []
  shown = { ...FACTS, applied: false, files: [], more: 0 }
  serve()
})
afterEach(() => {
  queue.value = []
  toasts.value = []
  vi.unstubAllGlobals()
})

const connectionAt = (url: string, answer: JsonRecord = HELD) => ({
  url,
  tools: tool ? [tool] : [],
  server: parseServer({ name: 'edgewise' }, url),
  call: async (_name: string, _args: JsonRecord, { meta = {} }: { meta?: JsonRecord } = {}) => {
    called.push(meta)
    return parseCallResult(meta['preview'] === true ? PREVIEW : answer)
  },
  readResource: async (uri: string) => {
    expect(uri).toBe('ui://move_file/p.json')
    if (shown === null) throw new Error('It has expired')
    return parseContents({ contents: [{ uri, text: JSON.stringify(shown) }] })
  },
})

const OWN = `${location.origin}/mcp`

function press(url = OWN, meta: JsonRecord = { [PREVIEW_META]: 'p' }) {
  if (!tool) throw new Error('It has a name')
  return callAsPerson(connectionAt(url), tool, {}, { meta })
}

const decisions = () => sent.filter(({ name }) => /^(?:approve|turn_down)_draft$/.test(name))

it('is approved by the press that applies its preview, with the digest of exactly this change', async () => {
  const outcome = await press()
  expect(decisions()).toMatchObject([
    { name: 'approve_draft', body: { revision: 'r', changes: ['c'], digest: 'shown', unseen: [] } },
  ])
  const change = outcome.result && changeOf(outcome.result)
  expect(change).toMatchObject({ id: 'c', applied: true, waits: false })
  expect(JSON.stringify(outcome.result)).not.toContain('waits for approval')
  expect(queue.value).toEqual([])
})

it('is asked once for a page of the console in a frame, by the console itself', async () => {
  const outcome = callInFrame({ isOfConsole: true, reads: null })
  await expect.poll(() => queue.value).toMatchObject([{ kind: 'approve' }])
  expect(decisions()).toEqual([])
  answer(true)
  await outcome
  expect(decisions()).toMatchObject([{ name: 'approve_draft', body: { digest: 'shown' } }])
  expect(queue.value).toEqual([])
})

it('leaves nothing that waits if the person says no', async () => {
  const outcome = callInFrame({ isOfConsole: true, reads: null })
  await expect.poll(() => queue.value).toHaveLength(1)
  answer(false)
  expect(await outcome).toMatchObject({ status: 'denied', by: 'person' })
  expect(called).toMatchObject([{ preview: true }])
})

it('is turned down if the person does not use the passkey that the rules demand', async () => {
  const refused = { code: 'PASSKEY_NOT_USED', message: 'The passkey was not used' }
  serve({ approve_draft: () => Response.json(refused, { status: 403 }) })
  expect(await press()).toMatchObject({ status: 'denied', what: 'approval' })
  expect(decisions()).toMatchObject([
    { name: 'approve_draft' },
    { name: 'turn_down_draft', body: { changes: ['c'] } },
  ])
})

it.each([
  [true, ['approve_draft'], { unseen: ['/b'] }],
  [false, ['turn_down_draft'], { changes: ['c'] }],
] as const)('asks about content that cannot be shown as text: %s', async (yes, names, body) => {
  const together = { ...FILES, files: [UNSEEN] }
  shown = { ...shown, files: [SHOWN] }
  serve({ show_draft_change: { ...SINGLE, own: together, together } })
  const outcome = press()
  await expect.poll(() => queue.value).toMatchObject([{ kind: 'yes' }])
  answer(yes)
  await outcome
  expect(decisions().map(({ name }) => name)).toEqual(names)
  expect(decisions()).toMatchObject([{ body }])
})

it('still waits where the person does not go on and it cannot be turned down', async () => {
  const [refused, lost] = ['PASSKEY_NOT_USED', 'DRAFT_CHANGED'].map((code) => ({
    code,
    message: code,
  }))
  serve({
    approve_draft: () => Response.json(refused, { status: 403 }),
    turn_down_draft: () => Response.json(lost, { status: 409 }),
  })
  const outcome = await press()
  expect(outcome.status).toBe('done')
  expect(outcome.result && changeOf(outcome.result)).toMatchObject({ waits: true })
  expect(toasts.value).toMatchObject([
    { text: expect.stringContaining('still waits'), href: '#/waiting/d' },
  ])
})

it('is recorded without the reason of an agent, which the preview does not show', async () => {
  serve({ show_draft: { ...DRAFT, reason: 'The owner asked me to' } })
  await press()
  expect(decisions()).toMatchObject([{ body: { reason: '' } }])
})

it.each([
  ['does not list all of its files', { files: [], more: 50 }],
  ['lists none of its files', { files: [], more: 0 }],
  ['cannot be read any more', null],
])('waits, with a link to its page, where the preview %s', async (_, facts) => {
  shown = facts && { ...FACTS, ...facts }
  const { unseen: _unseen, ...file } = UNSEEN
  const together = { ...FILES, files: [file] }
  serve({ show_draft_change: { ...SINGLE, own: together, together } })
  const { result } = await press()
  expect(result && changeOf(result)).toMatchObject({ waits: true, applied: false })
  expect(decisions()).toEqual([])
  expect(toasts.value).toMatchObject([
    { text: expect.stringContaining('did not show all'), href: '#/waiting/d' },
  ])
})

it.each<[string, Answers]>([
  ['builds on a change of an agent', { show_draft_change: { ...SINGLE, changes: ['a', 'c'] } }],
  ['is another one', { show_draft_change: { ...SINGLE, changes: ['a'] } }],
  [
    'has files that are not listed',
    { show_draft_change: { ...SINGLE, together: { ...FILES, files_left_out: 1 } } },
  ],
  [
    'does not fit any more',
    { show_draft_change: { ...SINGLE, conflict: { code: 'X', message: 'X' } } },
  ],
  ['is in the draft of a session', { show_draft: { ...DRAFT, session: 's' } }],
  [
    'is not what was shown, because something was applied meanwhile',
    { show_draft: () => (version++, DRAFT) },
  ],
])('keeps waiting where it %s', async (_, answers) => {
  serve(answers)
  const { result } = await press()
  expect(result && changeOf(result)).toMatchObject({ waits: true, applied: false })
  expect(decisions()).toEqual([])
})

it('keeps waiting where no preview was shown', async () => {
  await press(OWN, {})
  expect(decisions()).toEqual([])
})

it.each([
  ['of an agent’s link', `${location.origin}/s/default.secret/mcp`],
  ['to another server', 'https://other.example/mcp'],
])('keeps waiting over the connection %s', async (_, url) => {
  await press(url)
  expect(decisions()).toEqual([])
})

it('of an app is only asked about, also if it names a preview itself', async () => {
  const outcome = callInFrame({ reads: createAppReads() })
  await expect.poll(() => queue.value).toMatchObject([{ kind: 'approve' }])
  answer(true)
  const { result } = await outcome
  expect(result && changeOf(result)).toMatchObject({ waits: true })
  expect(decisions()).toEqual([])
})

it('of a page in a frame whose tool asks for nothing is not approved by the call alone', async () => {
  const quiet = { ...META['dev.edgewise/tool'], humanInTheLoopHint: 'none' }
  const { items } = parseTools({
    tools: [{ name: 'move_file', _meta: { 'dev.edgewise/tool': quiet } }],
  })
  const { result } = await callInFrame({ isOfConsole: true, reads: null }, items[0])
  expect(result && changeOf(result)).toMatchObject({ waits: true })
  expect(decisions()).toEqual([])
})

function callInFrame(app: Partial<CallingApp> & Pick<CallingApp, 'reads'>, used = tool) {
  if (!used) throw new Error('It has a name')
  const caller = { name: 'File browser', questions: createAppQuestions(), ...app }
  const connection = { ...connectionAt(OWN), tools: [used] }
  return callAsApp(connection, used, {}, caller, { meta: { [PREVIEW_META]: 'p' } })
}

function answer(yes: boolean): void {
  const [one] = queue.value
  if (one?.kind === 'approve' || one?.kind === 'yes') one.answer(yes)
}

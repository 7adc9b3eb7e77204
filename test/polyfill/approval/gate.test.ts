/** What an approval holds for, and which calls have none that holds. */

import { clear, createStore } from 'idb-keyval'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderIntent } from '#core/intent/render.ts'
import { SITE, storeApproval, storeSensitiveLevel } from '#polyfill/approval/approval-store.ts'
import type { ApprovalRequest, Choice } from '#polyfill/approval/approver.ts'
import { setDialogLoader } from '#polyfill/approval/dialog-loader.ts'
import { createGuard } from '#polyfill/approval/gate.ts'
import { withServer } from '#polyfill/approval/server-of.ts'
import type { ToolRecord } from '#polyfill/approval/tool.ts'

const ask = vi.fn<(request: ApprovalRequest) => Promise<Choice | 'deny'>>()
const notify = vi.fn<(request: ApprovalRequest) => void>()
setDialogLoader(() => Promise.resolve({ createDialog: () => ({ ask, notify, renderIntent }) }))

beforeEach(async () => {
  await clear(createStore('edgewise-webmcp', 'approvals'))
  vi.clearAllMocks()
})

let count = 0

/** A tool that no other test has approved. */
const newTool = (members: object = {}, annotations: object = {}): ToolRecord => ({
  name: `tool${count++}`,
  title: 'A tool',
  description: 'It does something',
  schema: { type: 'object' },
  intent: null,
  preview: null,
  ...members,
  annotations: { humanInTheLoopHint: 'review', ...annotations },
})

const guard = createGuard({})

/** Calls a tool, and answers the question, if there is one, with a choice. */
async function callWith(
  tool: ToolRecord,
  choice: Choice | 'deny',
  { guarded = guard, server = '' } = {},
): Promise<'asked' | 'not asked'> {
  ask.mockClear()
  ask.mockResolvedValue(choice)
  const execute = () => 'done'
  await Promise.resolve(guarded(server ? withServer(execute, server) : execute, tool)({})).catch(
    () => {},
  )
  return ask.mock.calls.length > 0 ? 'asked' : 'not asked'
}

describe.each(['session', 'days'] as const)('an approval for longer: %s', (choice) => {
  it('holds for the tool with any arguments, and each call shows the notice', async () => {
    const tool = newTool()
    expect(await callWith(tool, choice)).toBe('asked')
    expect(notify).not.toHaveBeenCalled()
    expect(await callWith({ ...tool }, 'deny')).toBe('not asked')
    expect(notify).toHaveBeenCalledTimes(1)
    const execute = vi.fn()
    await guard(execute, tool)({ x: 1 })
    expect(execute).toHaveBeenCalledTimes(1)
    expect(notify).toHaveBeenLastCalledWith(expect.objectContaining({ input: '{"x":1}' }))
  })

  it.each<[string, object]>([
    ['name', { name: 'another' }],
    ['title', { title: 'Another tool' }],
    ['description', { description: 'It does something else' }],
    ['inputSchema', { schema: { type: 'object', required: ['x'] } }],
    ['outputSchema', { outputSchema: { type: 'object' } }],
    ['exposedTo', { exposedTo: ['https://other.example'] }],
    ['annotations', { annotations: { humanInTheLoopHint: 'review', readOnlyHint: true } }],
  ])('does not hold when the definition has another %s', async (_, members) => {
    const tool = newTool()
    await callWith(tool, choice)
    expect(await callWith({ ...tool, ...members }, 'deny')).toBe('asked')
  })

  it.each<[string, object]>([
    ['consequentialHint', { consequentialHint: false }],
    ['debugging', { debugging: true }],
    ['intentTemplate', { intentTemplate: 'Set {x}' }],
    ['readOnlyHint', { readOnlyHint: true }],
    ['untrustedContentHint', { untrustedContentHint: true }],
  ])('does not hold when the annotations have another %s', async (_, annotations) => {
    const tool = newTool()
    await callWith(tool, choice)
    const changed = { ...tool, annotations: { ...tool.annotations, ...annotations } }
    expect(await callWith(changed, 'deny')).toBe('asked')
  })

  it('does not hold when another server runs the tool', async () => {
    const tool = newTool()
    await callWith(tool, choice, { server: 'https://one.example/mcp' })
    expect(await callWith(tool, 'deny', { server: 'https://one.example/mcp' })).toBe('not asked')
    expect(await callWith(tool, 'deny', { server: 'https://two.example/mcp' })).toBe('asked')
    expect(await callWith(tool, 'deny')).toBe('asked')
  })

  it('does not hold when site or user ask for more since', async () => {
    const tool = newTool()
    await callWith(tool, choice)
    for (const level of [{ policy: 'confirm' }, { userPolicy: 'confirm' }])
      expect(await callWith(tool, 'deny', { guarded: createGuard(level) })).toBe('asked')
  })
})

/** As the gate hashes it. */
async function hashOf({ name, title, description, schema, annotations }: ToolRecord) {
  const text = JSON.stringify([name, title, description, schema, null, annotations, null, null])
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}

describe('confirm is never remembered', () => {
  it.each<[string, object, Parameters<typeof createGuard>[0]]>([
    ['the hint', { humanInTheLoopHint: 'confirm' }, {}],
    ['no hint', { humanInTheLoopHint: undefined }, {}],
    ['consequentialHint', { consequentialHint: true }, {}],
    ['the site', {}, { policy: 'confirm' }],
    ['the user', {}, { userPolicy: 'confirm' }],
    ['an unknown level', {}, { policy: 'reveiw' }],
  ])('when declared by %s', async (_, annotations, options) => {
    const guarded = createGuard(options)
    const tool = newTool({}, annotations)
    await storeApproval(tool.name, await hashOf(tool), 30)
    for (const choice of ['once', 'days', 'session', 'once'] as const) {
      expect(await callWith(tool, choice, { guarded })).toBe('asked')
      expect(ask.mock.lastCall?.[0].choices).toEqual(['once'])
    }
  })

  it('and review is, by the same stored approval', async () => {
    const tool = newTool()
    await storeApproval(tool.name, await hashOf(tool), 30)
    expect(await callWith(tool, 'deny')).toBe('not asked')
    expect(notify).toHaveBeenCalledTimes(1)
  })

  it.each([
    [30, ['once', 'session', 'days']],
    [0, ['once', 'session']],
  ])('review offers what it may for %i days', async (rememberDays, choices) => {
    await callWith(newTool(), 'deny', { guarded: createGuard({ rememberDays }) })
    expect(ask.mock.lastCall?.[0].choices).toEqual(choices)
  })
})

describe('a sensitive tool', () => {
  const none = { humanInTheLoopHint: 'none' }

  it('whose page asks for nothing shows the notice, and runs', async () => {
    expect(await callWith(newTool({ name: 'send_mail' }, none), 'deny')).toBe('not asked')
    expect(notify).toHaveBeenCalledTimes(1)
    expect(notify.mock.lastCall?.[0].policy).toBe('notify')
    await callWith(newTool({}, none), 'deny')
    expect(notify).toHaveBeenCalledTimes(1)
  })

  it.each(['review', 'confirm', 'cofnirm'])(
    'is asked about when the site says %s',
    async (word) => {
      const sensitive = word as 'review'
      const guarded = createGuard({ sensitive })
      expect(await callWith(newTool({ name: 'pay' }, none), 'deny', { guarded })).toBe('asked')
      expect(await callWith(newTool({}, none), 'deny', { guarded })).toBe('not asked')
    },
  )

  it.each(['review', 'confirm'] as const)('is asked about when the user says %s', async (level) => {
    await storeSensitiveLevel(level)
    expect(await callWith(newTool({ name: 'pay' }, none), 'deny')).toBe('asked')
    expect(ask.mock.lastCall?.[0].policy).toBe(level)
    expect(await callWith(newTool({}, none), 'deny')).toBe('not asked')
  })

  it('is asked about by the stricter of both', async () => {
    await storeSensitiveLevel('notify')
    const guarded = createGuard({ sensitive: 'confirm' })
    expect(await callWith(newTool({ name: 'pay' }, none), 'deny', { guarded })).toBe('asked')
    expect(ask.mock.lastCall?.[0].choices).toEqual(['once'])
  })
})

describe('an approval of the site', () => {
  beforeEach(() => storeApproval(SITE, SITE, 1))

  it('holds for its tools at review, each with the notice, also for changed ones', async () => {
    const tool = newTool()
    for (const description of ['one', 'two'])
      expect(await callWith({ ...tool, description }, 'deny')).toBe('not asked')
    expect(notify).toHaveBeenCalledTimes(2)
  })

  it.each<[string, object, object, Parameters<typeof createGuard>[0]]>([
    ['asks for confirmation', {}, { humanInTheLoopHint: 'confirm' }, {}],
    ['has no hint', {}, { humanInTheLoopHint: undefined }, {}],
    ['has consequences', {}, { consequentialHint: true }, {}],
    ['is sensitive', { name: 'pay' }, {}, {}],
    ['is confirmed by the site', {}, {}, { policy: 'confirm' }],
    ['is confirmed by the user', {}, {}, { userPolicy: 'confirm' }],
    ['is of a site that remembers nothing', {}, {}, { rememberDays: 0 }],
  ])('does not hold for a tool that %s', async (_, members, annotations, options) => {
    const tool = newTool(members, annotations)
    expect(await callWith(tool, 'deny', { guarded: createGuard(options) })).toBe('asked')
  })

  it('ends', async () => {
    await storeApproval(SITE, SITE, -1)
    expect(await callWith(newTool(), 'deny')).toBe('asked')
  })
})

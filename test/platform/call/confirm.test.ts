/** A change at the level `confirm`, from clients that can ask a person to open a page: the call waits. */

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { CHANGE_META, DRAFT_META } from '#core/wire.ts'
import { MAX_REQUEST_STATE_SECONDS } from '#worker/drafts/limits.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'

const ASKS = {
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
}

const WRITE = { path: 'a', content: 'one' }

async function confirmedWorkspace() {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await owner.demand('confirm')
  const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
  /** Calls `write_file`, by default for the first time, with the path that the SDK serves or our own. */
  const write = (more: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) => {
    const params = { name: 'write_file', arguments: WRITE, ...more }
    return workspace.send('tools/call', params, { meta: { ...ASKS, ...meta } })
  }
  const evict = () => evictDurableObject(env.WORKSPACE.get(env.WORKSPACE.idFromName(name)))
  const stored = async () => (await workspace.fetch('/files/a')).text()
  return { workspace, owner, name, write, evict, stored }
}

const Asked = z.strictObject({
  resultType: z.literal('input_required'),
  inputRequests: z.strictObject({
    decision: z.strictObject({
      method: z.literal('elicitation/create'),
      params: z.looseObject({ mode: z.literal('url'), url: z.url(), message: z.string() }),
    }),
  }),
  requestState: z.string(),
  _meta: z.looseObject({}),
})

const ACCEPTED = { inputResponses: { decision: { action: 'accept' } } }

afterEach(() => vi.useRealTimers())

describe.each([
  ['our own path', {}],
  ["the SDK's path", { progressToken: 1 }],
])('a client of the modern era, on %s', (_, meta) => {
  it('is shown the page of the one change, and gets the applied result when it calls again', async () => {
    const { owner, name, write, evict, stored } = await confirmedWorkspace()
    const asked = Asked.parse((await write({}, meta)).result)
    const [draft = ''] = await owner.drafts()
    const { changes } = await owner.show(draft)
    const { params } = asked.inputRequests.decision
    expect(params.url).toBe(
      `http://localhost/?at=/w/${name}/mcp#/waiting/${draft}/${changes[0]?.id}`,
    )
    expect(params.message).toContain('Write to /a')
    await evict()
    await owner.decide('approve', { note: 'Well done.' })
    const again = await write({ requestState: asked.requestState, ...ACCEPTED }, meta)
    expect(again.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { path: 'a', version: 2 },
      _meta: { [CHANGE_META]: { id: changes[0]?.id, applied: true, version: 2 } },
    })
    expect(again.result?._meta[DRAFT_META]).toBeUndefined()
    expect(JSON.stringify(again.result?.content)).toContain('Well done.')
    expect(await stored()).toBe('one')
    expect(await owner.drafts()).toEqual([])
  })

  it('gets the result of one decision with the other calls that concern the same file', async () => {
    const { owner, write, stored } = await confirmedWorkspace()
    const second = { arguments: { ...WRITE, content: 'two' } }
    const first = Asked.parse((await write({}, meta)).result)
    const later = Asked.parse((await write(second, meta)).result)
    await owner.decide('approve')
    expect(await stored()).toBe('two')
    for (const [more, { requestState }] of [
      [{}, first],
      [second, later],
    ] as const) {
      const again = await write({ ...more, requestState, ...ACCEPTED }, meta)
      expect(again.result).toMatchObject({
        resultType: 'complete',
        _meta: { [CHANGE_META]: { applied: true, version: 4 } },
      })
    }
  })

  it('gets an error with the note when the change is turned down', async () => {
    const { workspace, owner, write } = await confirmedWorkspace()
    const { requestState } = Asked.parse((await write({}, meta)).result)
    await owner.decide('turn-down', { note: 'Keep the title.' })
    const again = await write({ requestState, ...ACCEPTED }, meta)
    const outcome = { code: 'TURNED_DOWN', outcome: 'turned_down', note: 'Keep the title.' }
    expect(errorOf(again.result)).toEqual(outcome)
    expect(again.result?.content).toHaveLength(1)
    const next = await workspace.call('list_roots')
    expect(JSON.stringify(next.result?.content)).not.toContain('Keep the title.')
  })

  it.each([
    [{ name: 'write_file', arguments: WRITE }, '/a', { text: expect.stringMatching(/^Wrote a /) }],
    [
      { name: 'delete_file', arguments: { path: 'd' } },
      '/d/two',
      { text: expect.stringMatching(/^Deleted .* 2 files/) },
    ],
  ])(
    'gets the result of the new plan if the change was planned again: %j',
    async (one, path, block) => {
      const { workspace, owner, write } = await confirmedWorkspace()
      await workspace.put('/d/one', '1')
      const { requestState } = Asked.parse((await write(one, meta)).result)
      await workspace.put(path, 'of the owner')
      await owner.decide('approve')
      const again = await write({ ...one, requestState, ...ACCEPTED }, meta)
      expect(again.result?.content[0]).toMatchObject(block)
    },
  )

  it('gets a preview while it waits', async () => {
    const { owner, write } = await confirmedWorkspace()
    const { requestState } = Asked.parse((await write({}, meta)).result)
    const shown = await write({ requestState }, { ...meta, preview: true })
    expect(shown.result).toMatchObject({ _meta: { preview: true } })
    await owner.decide('approve')
    const again = await write({ requestState, ...ACCEPTED }, meta)
    expect(again.result).toMatchObject({ structuredContent: { version: 2 } })
  })

  it('waits for the decision while it calls again, and proposes nothing twice', async () => {
    const { owner, write } = await confirmedWorkspace()
    const { requestState } = Asked.parse((await write({}, meta)).result)
    const again = write({ requestState, ...ACCEPTED }, meta)
    await expect.poll(owner.drafts).toHaveLength(1)
    const [draft = ''] = await owner.drafts()
    expect((await owner.show(draft)).changes).toHaveLength(1)
    await owner.decide('approve')
    expect((await again).result).toMatchObject({ structuredContent: { version: 2 } })
  })

  it('gets the draft if the person does not open the page', async () => {
    const { owner, write } = await confirmedWorkspace()
    const { requestState } = Asked.parse((await write({}, meta)).result)
    const responses = { decision: { action: 'decline' } }
    const again = await write({ requestState, inputResponses: responses }, meta)
    expect(again.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { draft: expect.stringContaining('waits for approval') },
      _meta: { [DRAFT_META]: { changes: 1 }, [CHANGE_META]: { applied: false } },
    })
    expect(await owner.drafts()).toHaveLength(1)
  })

  it.each([
    ['a forged signature', (state: string) => `${state.slice(0, -2)}AA`],
    ['another change', (state: string) => state.replace(/^[^.]+/, crypto.randomUUID())],
    ['more rounds', (state: string) => state.replace(/\.0\./, '.1.')],
    ['no state of ours', () => 'abc'],
  ])('is refused with %s', async (_name, forge) => {
    const { owner, write } = await confirmedWorkspace()
    const { requestState } = Asked.parse((await write({}, meta)).result)
    await owner.decide('approve')
    const { error } = await write({ requestState: forge(requestState) }, meta)
    expect(error?.code).toBe(-32602)
  })

  it('is refused with other arguments, and for another caller', async () => {
    const { workspace, owner, write } = await confirmedWorkspace()
    const { requestState } = Asked.parse((await write({}, meta)).result)
    await owner.decide('approve')
    const other = await write({ requestState, arguments: { ...WRITE, content: 'two' } }, meta)
    expect(other.error?.code).toBe(-32602)
    const { client: link } = await linkOf(workspace)
    const params = { name: 'write_file', arguments: WRITE, requestState }
    const stolen = await link.send('tools/call', params, { meta: { ...ASKS, ...meta } })
    expect(stolen.error?.code).toBe(-32602)
  })

  it('is refused after an hour', async () => {
    const { write } = await confirmedWorkspace()
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const { requestState } = Asked.parse((await write({}, meta)).result)
    const declined = { requestState, inputResponses: { decision: { action: 'decline' } } }
    vi.setSystemTime(now + MAX_REQUEST_STATE_SECONDS * 1000 - 5_000)
    expect((await write(declined, meta)).result).toMatchObject({ resultType: 'complete' })
    vi.setSystemTime(now + MAX_REQUEST_STATE_SECONDS * 1000 + 5_000)
    expect((await write(declined, meta)).error?.code).toBe(-32602)
  })
})

it('a client that cannot ask gets the draft at once', async () => {
  const { write } = await confirmedWorkspace()
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  const { result } = await write({}, capabilities)
  expect(result).toMatchObject({ resultType: 'complete', _meta: { [DRAFT_META]: { changes: 1 } } })
})

it('a change at the level review does not wait in the call', async () => {
  const { owner, write } = await confirmedWorkspace()
  await owner.demand('review')
  expect((await write()).result).toMatchObject({ _meta: { [DRAFT_META]: { changes: 1 } } })
})

describe('a session of the legacy era', () => {
  async function session() {
    const made = await confirmedWorkspace()
    const client = legacyClient(made.workspace, { elicitation: { url: {} } })
    await client.begin()
    const write = () => client.call('write_file', WRITE)
    return { ...made, ...client, write }
  }

  const Failure = z.looseObject({
    error: z.looseObject({
      code: z.literal(-32042),
      data: z.looseObject({
        elicitations: z.tuple([
          z.strictObject({
            mode: z.literal('url'),
            elicitationId: z.string(),
            url: z.string(),
            message: z.string(),
          }),
        ]),
      }),
    }),
  })

  it('gets an error with the page, a notification, and the result when it repeats the call', async () => {
    const { owner, write, stream, evict } = await session()
    const events = await stream()
    const [{ elicitationId, url }] = Failure.parse(await write()).error.data.elicitations
    const [draft = ''] = await owner.drafts()
    expect(url).toContain(`#/waiting/${draft}/${elicitationId}`)
    await evict()
    await owner.decide('approve')
    const method = 'notifications/elicitation/complete'
    const seen = [await events.next(), await events.next(), await events.next()]
    expect(seen).toContainEqual(expect.objectContaining({ method, params: { elicitationId } }))
    expect(await write()).toMatchObject({ result: { structuredContent: { version: 2 } } })
    // The same call once more is a new one.
    const [next] = Failure.parse(await write()).error.data.elicitations
    expect(next.elicitationId).not.toBe(elicitationId)
    await events.cancel()
  })

  it('gets the notification of a decision that it missed when it resumes its stream', async () => {
    const { owner, write, stream } = await session()
    const [{ elicitationId }] = Failure.parse(await write()).error.data.elicitations
    await owner.decide('approve')
    const events = await stream({ 'last-event-id': 'before' })
    const seen = [await events.next(), await events.next(), await events.next()]
    const method = 'notifications/elicitation/complete'
    expect(seen).toContainEqual(expect.objectContaining({ method, params: { elicitationId } }))
    await events.cancel()
  })

  it('waits while it repeats the call, and gets the note of the person', async () => {
    const { owner, write } = await session()
    Failure.parse(await write())
    const again = write()
    const [draft = ''] = await owner.drafts()
    expect((await owner.show(draft)).changes).toHaveLength(1)
    await owner.decide('turn-down', { note: 'Not this file.' })
    expect(await again).toMatchObject({
      result: {
        isError: true,
        _meta: { 'dev.edgewise/error': { code: 'TURNED_DOWN', note: 'Not this file.' } },
      },
    })
  })

  it('gets a preview while the same call waits', async () => {
    const { write, request } = await session()
    Failure.parse(await write())
    const params = { name: 'write_file', arguments: WRITE, _meta: { preview: true } }
    expect(await request('tools/call', params)).toMatchObject({
      result: { _meta: { preview: true } },
    })
  })

  it.each(['approve', 'turn-down'] as const)(
    'makes a new call after it learned of the decision elsewhere: %s',
    async (what) => {
      const { owner, write, call } = await session()
      const [first] = Failure.parse(await write()).error.data.elicitations
      await owner.decide(what, { note: 'My note.' })
      expect(JSON.stringify(await call('list_roots', {}))).toContain('My note.')
      const [next] = Failure.parse(await write()).error.data.elicitations
      expect(next.elicitationId).not.toBe(first.elicitationId)
    },
  )

  it('makes a new call an hour after the decision', async () => {
    const { owner, write } = await session()
    const [first] = Failure.parse(await write()).error.data.elicitations
    await owner.decide('approve')
    const later = Date.now() + MAX_REQUEST_STATE_SECONDS * 1000 + 1_000
    vi.useFakeTimers({ toFake: ['Date'], now: later })
    const [next] = Failure.parse(await write()).error.data.elicitations
    expect(next.elicitationId).not.toBe(first.elicitationId)
  })
})

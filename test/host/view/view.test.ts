/**
 * The modules of `<mcp-view>` that need no page. `test/pages/host/view.slow.test.ts` tests the element in a real
 * page, with a real sandbox.
 */

import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '#core/json.ts'
import { changedMembers } from '#host/view/context.ts'
import { fileName } from '#host/view/downloads.ts'
import { REFUSED, refused } from '#host/view/errors.ts'
import { MAX_BURST, MAX_RATE, MAX_REQUESTS } from '#host/view/limits.ts'
import { createResource, readResource, resourceUriOf } from '#host/view/resource.ts'
import { createOutbox, PARTIAL, RESULT } from '#host/view/notifications.ts'
import { createPeer, createRateLimiter, withTimeout } from '#host/view/rpc.ts'
import { McpView } from '#host/mcp-view.ts'
import { handleRequest } from '#host/view/requests.ts'
import type { ViewServer } from '#host/view/types.ts'
import { expectWithin } from '../../support/core/expect-within.ts'

const never = () => new Promise<never>(() => {})

/** A peer whose messages are kept, with the given handler. */
function peerWith(
  answer: (method: string, params: JsonRecord, signal: AbortSignal) => Promise<unknown>,
) {
  const sent: JsonRecord[] = []
  const notifications: string[] = []
  const peer = createPeer(
    (message) => sent.push(message),
    answer,
    (method) => notifications.push(method),
  )
  return { peer, sent, notifications, settled: () => new Promise((resolve) => setTimeout(resolve)) }
}

const request = (id: unknown, method = 'm', more = {}) => ({ jsonrpc: '2.0', id, method, ...more })

describe('JSON-RPC', () => {
  it.each([
    null,
    42,
    'text',
    [],
    [request(1)],
    {},
    { method: 'm' },
    { jsonrpc: '1.0', method: 'm' },
    { jsonrpc: 2, id: 1, method: 'm' },
    request(null),
    request(NaN),
    request({}),
    request([1]),
    request(true),
    request(1, 'm', { params: [] }),
    request(1, 'm', { params: 'text' }),
    request(1, 'm', { params: null }),
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', result: {} },
    { jsonrpc: '2.0', id: 1, method: 5, result: {} },
    { jsonrpc: '2.0', id: 1, error: 'text' },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
  ])('refuses %j', async (message) => {
    const { peer, sent, notifications, settled } = peerWith(() => Promise.resolve({}))
    expect(peer.receive(message)).toBe(false)
    await settled()
    expect(notifications).toEqual([])
    for (const answer of sent) expect(answer).toMatchObject({ error: { code: -32600 } })
  })

  it('answers a request under its id, a string or a number', async () => {
    const { peer, sent, settled } = peerWith(async (method, params) => ({ method, params }))
    for (const id of [0, 'a', ''])
      expect(peer.receive(request(id, 'm', { params: { id } }))).toBe(true)
    await settled()
    expect(sent).toEqual(
      [0, 'a', ''].map((id) => ({ jsonrpc: '2.0', id, result: { method: 'm', params: { id } } })),
    )
  })

  it('sends code, message and data of an error, without a stack and without other codes', async () => {
    const faults = [
      refused('No'),
      Object.assign(new Error('Not found'), { code: -32002, data: { uri: 'ui://a' } }),
      new DOMException('Stopped', 'AbortError'),
      'text',
      undefined,
    ]
    const { peer, sent, settled } = peerWith(async (_, { at }) => {
      throw faults[Number(at)]
    })
    for (const at of faults.keys()) peer.receive(request(at, 'm', { params: { at } }))
    await settled()
    expect(sent.map(({ error }) => error)).toEqual([
      { code: REFUSED, message: 'No' },
      { code: -32002, message: 'Not found', data: { uri: 'ui://a' } },
      { code: REFUSED, message: 'Stopped' },
      { code: REFUSED, message: expect.any(String) },
      { code: REFUSED, message: expect.any(String) },
    ])
  })

  it('does not answer a cancelled request, and aborts its handler', async () => {
    const signals: AbortSignal[] = []
    const { peer, sent, settled } = peerWith((_, __, signal) => {
      signals.push(signal)
      return new Promise((_resolve, reject) => (signal.onabort = () => reject(signal.reason)))
    })
    peer.receive(request(1))
    peer.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    peer.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } })
    await settled()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(sent).toEqual([])
  })

  it('limits the requests at a time, and handles none twice', async () => {
    let working = 0
    const { peer, sent } = peerWith(() => {
      working++
      return never()
    })
    for (let id = 0; id < MAX_REQUESTS; id++) peer.receive(request(id))
    peer.receive(request(0))
    peer.receive(request('one more'))
    expect(working).toBe(MAX_REQUESTS)
    expect(sent).toMatchObject([
      { id: 0, error: { code: -32600 } },
      { id: 'one more', error: { code: -32600 } },
    ])
  })

  it('ends its own requests by a response, a timeout, or the end of the view', async () => {
    const { peer, sent } = peerWith(never)
    const answered = peer.request('a', {}, 1000)
    const failed = peer.request('b', {}, 1000)
    const late = peer.request('c', {}, 20)
    peer.receive({ jsonrpc: '2.0', id: 1, result: { n: 1 } })
    peer.receive({ jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'No' } })
    peer.receive({ jsonrpc: '2.0', id: 99, result: {} })
    expect(await answered).toEqual({ n: 1 })
    await expect(failed).rejects.toMatchObject({ code: -32601, message: 'No' })
    await expect(late).rejects.toThrow('timed out')
    const left = peer.request('d', {}, 1000)
    peer.close()
    await expect(left).rejects.toMatchObject({ code: REFUSED })
    expect(sent.map(({ id, method }) => [id, method])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ])
  })

  it('stops at the time limit, also for work that ignores the signal', async () => {
    const { signal } = new AbortController()
    await expect(withTimeout(10, signal, never)).rejects.toThrow()
    expect(await withTimeout(1000, signal, async () => 'done')).toBe('done')
    await expect(withTimeout(1000, AbortSignal.abort(refused('Over')), never)).rejects.toThrow(
      'Over',
    )
  })
})

describe('the rate limiter', () => {
  it('allows a burst, then a number per second', () => {
    const isWithinRate = createRateLimiter()
    const passed = (count: number, now: number) =>
      Array.from({ length: count }, () => isWithinRate(now)).filter(Boolean).length
    expect(passed(MAX_BURST + 10, 1_000_000)).toBe(MAX_BURST)
    expect(passed(MAX_BURST, 1_001_000)).toBeLessThanOrEqual(MAX_RATE)
    expect(passed(MAX_BURST + 10, 2_000_000)).toBe(MAX_BURST)
  })

  it('never stops an app within its rate', () => {
    const isWithinRate = createRateLimiter()
    for (let now = 1e6; now < 1e6 + 60_000; now += 1000 / MAX_RATE)
      expect(isWithinRate(now)).toBe(true)
  })
})

describe('the outbox', () => {
  function outboxWith(toolInput: JsonRecord | null) {
    const sent: string[] = []
    return { outbox: createOutbox({ toolInput }, (method) => sent.push(method)), sent }
  }
  const INPUT = 'ui/notifications/tool-input'

  it('queues until it is open, and sends the input first', () => {
    const { outbox, sent } = outboxWith({ a: 1 })
    outbox.notify('one', {})
    outbox.sendInput()
    expect(sent).toEqual([])
    outbox.open()
    outbox.notify('two', {})
    expect(sent).toEqual([INPUT, 'one', 'two'])
  })

  it('sends no partial input after the input, and the input before a result', () => {
    const { outbox, sent } = outboxWith(null)
    outbox.open()
    outbox.notify(PARTIAL, {})
    outbox.notify(RESULT, {})
    outbox.notify(PARTIAL, {})
    outbox.sendInput()
    expect(sent).toEqual([PARTIAL, INPUT, RESULT])
  })
})

describe('a resource', () => {
  const tool = (_meta: JsonRecord) => ({ name: 'a', _meta })

  it.each([
    [{ ui: { resourceUri: 'ui://a' } }, 'ui://a'],
    [{ 'ui/resourceUri': 'ui://b' }, 'ui://b'],
    [{ ui: { resourceUri: 'ui://a' }, 'ui/resourceUri': 'ui://b' }, 'ui://a'],
    [{ ui: { visibility: ['app'] }, 'ui/resourceUri': 'ui://b' }, 'ui://b'],
    [{ ui: 'ui://a' }, ''],
    [{}, ''],
  ])('is named by %j', (meta, uri) => expect(resourceUriOf(tool(meta))).toBe(uri))

  it('is not named by a tool without one, or by no tool', () => {
    expect(resourceUriOf({ name: 'a' })).toBe('')
    expect(resourceUriOf(null)).toBe('')
    expect(resourceUriOf(tool({ ui: { resourceUri: 5 } }))).toBe('5')
  })

  it.each([
    undefined,
    null,
    'text',
    { csp: 'https://a.example', permissions: ['camera'], domain: 5, prefersBorder: 'yes' },
    { permissions: { camera: true, bluetooth: {}, __proto__: { microphone: {} } } },
  ])('declares nothing by %j', (meta) => {
    expect(createResource('', meta).declared).toMatchObject({
      csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
      permissions: {},
      domain: undefined,
      prefersBorder: undefined,
    })
  })

  it('declares the valid members', () => {
    const csp = { connectDomains: ['https://a.example', '*'] }
    const permissions = { camera: {}, clipboardWrite: {} }
    const meta = { csp, permissions, domain: 'a.example', prefersBorder: false }
    expect(createResource('', meta).declared).toEqual({
      csp: {
        connectDomains: ['https://a.example'],
        resourceDomains: [],
        frameDomains: [],
        baseUriDomains: [],
      },
      dropped: ['"*"'],
      completed: [],
      permissions,
      domain: 'a.example',
      prefersBorder: false,
    })
  })

  const MIME = 'text/html;profile=mcp-app'
  const serverOf = (...contents: unknown[]): ViewServer => ({
    readResource: async () => ({ contents }),
    callTool: never,
  })
  const read = (...contents: unknown[]) =>
    readResource(serverOf(...contents), 'ui://a', new AbortController().signal)

  it('is the content of that address, or the only one', async () => {
    const right = { uri: 'ui://a', mimeType: MIME, text: 'right' }
    const wrong = { uri: 'ui://b', mimeType: MIME, text: 'wrong' }
    expect(await read(wrong, right)).toMatchObject({ html: 'right' })
    expect(await read({ mimeType: MIME, text: 'only' })).toMatchObject({ html: 'only' })
    await expect(read(wrong, wrong)).rejects.toMatchObject({ code: 'INVALID_RESOURCE' })
    await expect(read()).rejects.toMatchObject({ code: 'INVALID_RESOURCE' })
    await expect(read(null)).rejects.toMatchObject({ code: 'INVALID_RESOURCE' })
  })

  it.each([
    [{ mimeType: 'text/html' }, ['text/html is read as text/html;profile=mcp-app']],
    [
      { mimeType: 'text/html+mcp', _meta: { ui: { mediaType: 'text/html' } } },
      ['text/html+mcp is read as text/html;profile=mcp-app'],
    ],
    [{ _meta: { ui: { mediaType: MIME } } }, ['undefined is read as text/html;profile=mcp-app']],
    [{ mimeType: 'Text/HTML; profile="mcp-app"' }, []],
    [
      { mimeType: MIME, _meta: { ui: { csp: { resourceDomains: ['cdn.example'] } } } },
      ['"cdn.example" is read as an https origin'],
    ],
  ])('of %j is a page', async (content, warnings) => {
    expect(await read({ ...content, text: '<p>' })).toMatchObject({ html: '<p>', warnings })
  })

  it.each(['text/plain', 'application/json', 'text/htmlx', 'x text/html'])(
    'of the type %s is no page',
    async (mimeType) => {
      await expect(read({ mimeType, text: '<p>' })).rejects.toMatchObject({
        code: 'INVALID_RESOURCE',
      })
    },
  )

  it.each(['https://example.com', 'file:///etc/passwd', 'ui://', 'UI://a', '', '5'])(
    'is not read from %j',
    async (uri) => {
      const { signal } = new AbortController()
      await expect(readResource(serverOf(), uri, signal)).rejects.toMatchObject({
        code: 'INVALID_RESOURCE',
      })
    },
  )
})

describe('a file', () => {
  it.each([
    ['file:///a/report.csv', 'report.csv'],
    ['file:///a/b%20c.txt', 'b c.txt'],
    ['https://example.com/a/report.csv?x=/y#z', 'report.csv'],
    ['file:///folder/', 'folder'],
    ['file:///a/..%2F..%2Fpasswd', '__.._passwd'],
    ['file:///.bashrc', '_bashrc'],
    ['file:///a/invoice%E2%80%AEfdp.exe', 'invoice_fdp.exe'],
    ['file:///a/x%00%0a.txt', 'x__.txt'],
    ['file:///a/%', '%'],
    ['file:///a/a:b|c*d?e', 'a_b_c_d'],
    ['', 'download'],
    ['///', 'download'],
  ])('%j is called %j', (uri, name) => expect(fileName(uri)).toBe(name))

  it('keeps the end of a long name, and takes linear time', async () => {
    expect(fileName(`file:///${'a'.repeat(1000)}.txt`)).toMatch(/^a{116}\.txt$/)
    await expectWithin(200, () => {
      fileName(`file:${'/'.repeat(1e6)}x`)
      fileName('.'.repeat(1e6))
    })
  })
})

it('returns only the changed members of a context', () => {
  const before = { a: 1, b: { c: [1, 2] }, d: 'x' }
  expect(changedMembers(before, { a: 1, b: { c: [1, 2] }, d: 'x' })).toEqual({})
  expect(changedMembers(before, { a: 1, b: { c: [2] }, d: 'x', e: null })).toEqual({
    b: { c: [2] },
    e: null,
  })
})

describe('a request of an app', () => {
  const OF_PAGE = {
    granted_scopes: ['write'],
    allowed_scopes: 'write',
    progressToken: 1,
    'dev.edgewise/requester': 'human',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'Other' },
  }

  /** Sends a request as an app does; returns the params that reach the server. */
  async function paramsAtServer(method: string, params: JsonRecord): Promise<unknown> {
    const received: unknown[] = []
    const view = new McpView()
    view.hostCapabilities = { sampling: {} }
    view.server = {
      readResource: async () => ({ contents: [] }),
      callTool: async (call) => (received.push(call), { content: [] }),
      request: async (_, given) => (received.push(given), {}),
    }
    await handleRequest(view, method, params, new AbortController().signal)
    return received[0]
  }

  it.each([
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
    'sampling/createMessage',
  ])('%s keeps its own metadata only', async (method) => {
    const _meta = { ...OF_PAGE, preview: true, note: 'kept' }
    expect(await paramsAtServer(method, { name: 'free', _meta })).toMatchObject({
      name: 'free',
      _meta: { preview: true, note: 'kept' },
    })
    expect(JSON.stringify(await paramsAtServer(method, { name: 'free', _meta }))).not.toMatch(
      /scopes|progressToken|modelcontextprotocol/,
    )
  })

  it.each(['text', [1], null, 7])('loses a _meta that is no object: %j', async (_meta) => {
    expect(await paramsAtServer('prompts/list', { cursor: 'a', _meta })).toEqual({ cursor: 'a' })
  })
})

/**
 * The envelope of requests, as programs in other languages write it: null for what is not set, wildcards in `Accept`,
 * a slash after the URL. What is malformed is answered with its id and names the member. In both eras.
 */

import { SELF } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { LEGACY_PROTOCOLS } from '#core/wire.ts'
import { malformedMember, parseMessage } from '#worker/mcp/envelope.ts'
import { ENVELOPE, freshWorkspace, MODERN } from '../../support/worker/client.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'
const BOTH = 'application/json, text/event-stream'

interface Answer {
  readonly status: number
  readonly session: string | null
  readonly body: {
    id?: unknown
    error?: { code: number; message: string }
    result?: Record<string, unknown>
  }
}

let workspace: ReturnType<typeof freshWorkspace>

beforeAll(async () => {
  workspace = freshWorkspace()
  await workspace.put('/a.txt', 'one')
})

async function post(
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
  path = '/mcp',
): Promise<Answer> {
  const known = { 'content-type': 'application/json', accept: BOTH, ...headers }
  const body = JSON.stringify(message)
  const response = await workspace.fetch(path, { method: 'POST', headers: known, body })
  const text = await response.text()
  const data = /^data: (\{.*\})$/m.exec(text)?.[1] ?? text
  const { status } = response
  const session = response.headers.get('mcp-session-id')
  return { status, session, body: data === '' ? {} : JSON.parse(data) }
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
}

const request = (method: string, more: object = {}) => ({ jsonrpc: '2.0', id: 7, method, ...more })
const initialize = (params: object) =>
  request('initialize', { params: { ...INITIALIZE, ...params } })

async function openSession(): Promise<Record<string, string>> {
  const { session } = await post(initialize({}))
  return { 'mcp-session-id': session ?? '', 'mcp-protocol-version': '2025-06-18' }
}

/** A request of the newer revision, with the headers that it needs. */
function modern(
  method: string,
  params: object,
  meta: object = {},
): [unknown, Record<string, string>] {
  const name = Object(params)['name']
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
  return [request(method, { params: { ...params, _meta: { ...ENVELOPE, ...meta } } }), headers]
}

const LISTED = { tools: expect.any(Array) }
const ROOTS = { structuredContent: { roots: expect.any(Array) } }

describe('null is absent in a request', () => {
  const requests: [string, object, unknown][] = [
    ['a Java client: params', request('ping', { params: null }), {}],
    ['params of a list', request('tools/list', { params: null }), LISTED],
    [
      'a Go client: cursor and _meta',
      request('tools/list', { params: { cursor: null, _meta: null } }),
      LISTED,
    ],
    [
      'cursor of resources',
      request('resources/list', { params: { cursor: null } }),
      { resources: expect.any(Array) },
    ],
    [
      'arguments',
      request('tools/call', { params: { name: 'list_roots', arguments: null } }),
      ROOTS,
    ],
    ['_meta', request('tools/call', { params: { name: 'list_roots', _meta: null } }), ROOTS],
    ['a C# client: result and error', request('ping', { result: null, error: null }), {}],
  ]
  it.each(requests)('%s', async (_, message, result) => {
    for (const headers of [{}, await openSession()])
      expect(await post(message, headers)).toMatchObject({ status: 200, body: { id: 7, result } })
  })

  it.each(requests.filter(([, message]) => 'params' in message))(
    'of revision 2025-03-26, in a batch: %s',
    async (_, message, result) => {
      const headers = { 'mcp-protocol-version': LEGACY_PROTOCOLS.at(-1) ?? '' }
      const { status, body } = await post(message, headers)
      expect([status, body]).toMatchObject([200, { id: 7, result }])
    },
  )

  const MODERN_REQUESTS: [string, ReturnType<typeof modern>][] = [
    ['arguments', modern('tools/call', { name: 'list_roots', arguments: null })],
    ['cursor of tools', modern('tools/list', { cursor: null })],
    ['cursor of resources', modern('resources/list', { cursor: null })],
    ['all capabilities', modern('tools/call', { name: 'list_roots' }, { [CAPABILITIES]: null })],
    [
      'capabilities that are not set',
      modern(
        'tools/call',
        { name: 'list_roots' },
        { [CAPABILITIES]: { roots: null, sampling: null, experimental: null } },
      ),
    ],
    [
      'members of capabilities',
      modern('tools/list', {}, { [CAPABILITIES]: { roots: { listChanged: null } } }),
    ],
    [
      'title of the client',
      modern('tools/list', {}, { [CLIENT_INFO]: { name: 'x', version: '1', title: null } }),
    ],
  ]
  it.each(MODERN_REQUESTS)('in the newer era: %s', async (_, [message, headers]) => {
    const { status, body } = await post(message, headers)
    expect([status, body.error]).toEqual([200, undefined])
    expect(body).toMatchObject({ id: 7, result: { resultType: 'complete' } })
  })

  it('in a filter of notifications', () => {
    const notifications = { toolsListChanged: true, resourceSubscriptions: null }
    const [message] = modern('subscriptions/listen', { notifications })
    expect(parseMessage(JSON.stringify(message))).toMatchObject({
      value: { params: { notifications: { toolsListChanged: true } } },
    })
    expect(parseMessage(JSON.stringify(message))).not.toHaveProperty(
      'value.params.notifications.resourceSubscriptions',
    )
  })

  it('for the id of a notification, and not of a request', async () => {
    const session = await openSession()
    const note = { jsonrpc: '2.0', id: null, method: 'notifications/initialized', params: null }
    expect((await post(note, session)).status).toBe(202)
    expect(await post({ ...request('ping'), id: null }, session)).toMatchObject({
      status: 400,
      body: { id: null, error: { code: -32600, message: expect.stringContaining('id must be') } },
    })
  })
})

describe('members that JSON-RPC does not have', () => {
  const added = { sessionId: 'a', timestamp: null, auth: { user: 'x' } }

  it('are left out, in every era', async () => {
    const sent: [unknown, Record<string, string>][] = [
      [request('tools/list', added), {}],
      [request('tools/list', added), await openSession()],
      [request('resources/list', added), await openSession()],
    ]
    const [message, headers] = modern('tools/list', {})
    for (const [body, known] of [...sent, [{ ...Object(message), ...added }, headers] as const])
      expect(await post(body, known)).toMatchObject({ status: 200, body: { id: 7, result: {} } })
  })

  it('are not _meta, whose policy would have no effect', async () => {
    const call = { params: { name: 'list_roots' }, _meta: { policy: { deny: ['**'] } } }
    const [message, headers] = modern('tools/call', { name: 'list_roots' })
    const sent: [unknown, Record<string, string>][] = [
      [request('tools/call', call), {}],
      [request('tools/call', call), await openSession()],
      [{ ...Object(message), _meta: call._meta }, headers],
    ]
    for (const [body, known] of sent)
      expect(await post(body, known)).toMatchObject({
        status: 400,
        body: { id: 7, error: { message: expect.stringContaining('_meta must be in params') } },
      })
  })

  it.each<[string, object]>([
    ['the error of a result', { id: 3, result: {}, error: null }],
    ['the result of an error', { id: 3, result: null, error: { code: -1, message: 'x' } }],
    ['the method of a response', { id: 3, method: null, params: null, result: {}, error: null }],
    ['other members of a response', { id: 3, result: {}, timestamp: 1 }],
  ])('or that are null: %s', async (_, message) => {
    const answer = await post({ jsonrpc: '2.0', ...message }, await openSession())
    expect([answer.status, answer.body]).toEqual([202, {}])
  })
})

describe('initialize', () => {
  it.each<[string, object]>([
    ['capabilities null', { capabilities: null }],
    [
      'a Go client',
      {
        capabilities: {
          experimental: null,
          roots: null,
          sampling: null,
          elicitation: null,
          extensions: null,
        },
      },
    ],
    [
      'a Java client',
      {
        capabilities: { roots: { listChanged: null } },
        clientInfo: { name: 'x', title: null, version: '1' },
        _meta: null,
      },
    ],
    [
      'a Python client',
      { clientInfo: { name: 'x', version: '1', icons: null, websiteUrl: null, description: null } },
    ],
    [
      'an extension that is not set',
      { capabilities: { extensions: { 'io.modelcontextprotocol/ui': null } } },
    ],
  ])('with %s', async (_, params) => {
    const { status, session, body } = await post(initialize(params))
    expect([status, body.error, typeof session]).toEqual([200, undefined, 'string'])
    const headers = { 'mcp-session-id': session ?? '' }
    // The session is restored from the request, also by another object.
    expect(await post(request('resources/list'), headers)).toMatchObject({ status: 200 })
  })

  it.each<[string, object]>([
    ['protocolVersion', { protocolVersion: undefined }],
    ['protocolVersion', { protocolVersion: 5 }],
    ['protocolVersion', { protocolVersion: null }],
    ['capabilities', { capabilities: undefined }],
    ['capabilities', { capabilities: [] }],
    ['capabilities', { capabilities: '{}' }],
    ['capabilities.roots', { capabilities: { roots: true } }],
    ['clientInfo', { clientInfo: undefined }],
    ['clientInfo', { clientInfo: null }],
    ['clientInfo.name', { clientInfo: { name: 5, version: '1' } }],
    ['clientInfo.name', { clientInfo: { name: null, version: '1' } }],
    ['clientInfo.version', { clientInfo: { name: 'x' } }],
  ])('without a valid %s names it: %j', async (field, params) => {
    const { status, session, body } = await post(initialize(params))
    expect([status, session]).toEqual([400, null])
    expect(body).toMatchObject({ id: 7, error: { code: -32602 } })
    expect(body.error?.message).toContain(`: ${field}: `)
  })

  it.each([null, 'x', [], {}])('without params names what is missing: %j', async (params) => {
    const { body } = await post(request('initialize', { params }))
    expect(body).toMatchObject({
      id: 7,
      error: { message: expect.stringMatching(/params|protocolVersion/) },
    })
  })
})

describe('a malformed request', () => {
  it('names the type of a member, and what is wrong with a number where that is its size', () => {
    const message = { jsonrpc: '2.0', id: 7, method: 5 }
    expect(malformedMember(message)).toBe('method must be text, and is a number')
    expect(malformedMember({ ...message, id: 1.5, method: 'ping' })).toBe(
      'id must be text or a whole number, and is a number',
    )
    expect(malformedMember({ ...message, id: 2 ** 53, method: 'ping' })).toContain('beyond 2^53')
  })

  const malformed: [string, object][] = [
    ['method', { jsonrpc: '2.0', id: 7 }],
    ['method', { jsonrpc: '2.0', id: 7, method: 5 }],
    ['method', { jsonrpc: '2.0', id: 7, method: null }],
    ['method', { jsonrpc: '2.0', id: 7, method: 'm'.repeat(5_000) }],
    ['jsonrpc', { id: 7, method: 'ping' }],
    ['jsonrpc', { jsonrpc: '1.0', id: 7, method: 'ping' }],
    ['beyond 2^53', { ...request('ping'), id: 2 ** 53 }],
    ['beyond 2^53', { ...request('ping'), id: -1e21 }],
    ['beyond 2^53', request('ping', { params: { _meta: { progressToken: 2 ** 60 } } })],
    ['params', request('ping', { params: [1] })],
    ['params', request('ping', { params: '{}' })],
    ['_meta', request('ping', { params: { _meta: '{}' } })],
    ['_meta', request('ping', { params: { _meta: [] } })],
    ['progressToken', request('ping', { params: { _meta: { progressToken: null } } })],
    ['progressToken', request('ping', { params: { _meta: { progressToken: {} } } })],
  ]
  it.each(malformed)('is answered with its id, and %s: %#', async (member, message) => {
    const before = [
      {},
      await openSession(),
      { 'mcp-protocol-version': MODERN, 'mcp-method': 'ping' },
    ]
    for (const headers of before) {
      const { status, body } = await post(message, headers)
      // A number that was rounded would be the id of another request.
      const id = Math.abs(Number(Object(message)['id'])) > 7 ? null : 7
      expect([status, body]).toMatchObject([400, { id, error: { code: -32600 } }])
      expect(body.error?.message).toContain(member)
    }
  })

  it.each<[string, object, string]>([
    ['tools/call', { name: 'list_roots', arguments: '{}' }, 'arguments'],
    ['tools/call', { name: 'list_roots', arguments: [] }, 'arguments'],
    ['tools/call', {}, 'name'],
    ['tools/call', { name: null }, 'name'],
    ['tools/list', { cursor: 5 }, 'cursor'],
    ['resources/read', {}, 'uri'],
    ['resources/read', { uri: null }, 'uri'],
  ])('of %s names the param: %j', async (method, params, field) => {
    const sent: [unknown, Record<string, string>][] = [
      [request(method, { params }), {}],
      [request(method, { params }), await openSession()],
      modern(method, params),
    ]
    for (const [message, headers] of sent) {
      const { body } = await post(message, headers)
      expect(body).toMatchObject({ id: 7, error: { code: -32602 } })
      expect(body.error?.message).toContain(field)
      expect(body.error?.message).not.toContain('\n')
    }
  })
})

describe('a body', () => {
  const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  const write = request('tools/call', {
    params: { name: 'write_file', arguments: { path: '/latin.txt', content: 'caf\u00e9' } },
  })

  async function send(body: BodyInit, headers: Record<string, string> = {}) {
    const known = { 'content-type': 'application/json', accept: BOTH, ...headers }
    const response = await workspace.fetch('/mcp', { method: 'POST', headers: known, body })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('in Latin-1 is refused, because its letters would be stored as replacement characters', async () => {
    const bytes = latin1(JSON.stringify(write))
    const stream = new Blob([bytes]).stream()
    const modernHeaders = modern('tools/list', {})[1]
    for (const answer of [
      await send(bytes),
      await send(stream),
      await send(bytes, modernHeaders),
    ]) {
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        400,
        { id: null, error: { code: -32700, message: expect.stringContaining('not UTF-8') } },
      ])
    }
    expect((await workspace.fetch('/files/latin.txt')).status).toBe(404)
  })

  it.each(['\ufeff', ''])('in UTF-8 is read, with the mark %j before it', async (mark) => {
    const { text } = await send(mark + JSON.stringify(write))
    expect(text).not.toContain('isError')
    expect(await (await workspace.fetch('/files/latin.txt')).text()).toBe('caf\u00e9')
  })

  it('with a Content-Encoding is refused by its name', async () => {
    for (const headers of [{}, modern('tools/list', {})[1]]) {
      const {
        status,
        headers: answered,
        text,
      } = await send('x', {
        'content-encoding': 'gzip',
        ...headers,
      })
      expect([status, answered.get('accept-encoding')]).toEqual([415, 'identity'])
      expect(JSON.parse(text)).toMatchObject({
        error: { code: -32000, message: expect.stringContaining('Content-Encoding: gzip') },
      })
    }
    expect((await send(JSON.stringify(write), { 'content-encoding': 'Identity' })).status).toBe(200)
  })
})

describe('Accept', () => {
  it.each([
    '*/*',
    'application/json, */*',
    'application/*, text/*',
    'text/html, */*;q=0.8',
    'APPLICATION/*,TEXT/*',
    'Application/JSON, Text/Event-Stream',
    'application/json, TEXT/*',
  ])('%s takes both types', async (accept) => {
    const { status, session } = await post(initialize({}), { accept })
    expect([status, typeof session]).toEqual([200, 'string'])
    const known = { 'mcp-session-id': session ?? '', accept }
    for (const method of ['ping', 'tools/list', 'resources/list'])
      expect((await post(request(method), known)).body).toMatchObject({ id: 7, result: {} })
    expect((await post(request('resources/list'), { accept })).status).toBe(200)
  })

  it.each(['application/json', 'text/event-stream', 'application/*', 'text/html', '*/*;q=0', ''])(
    '%s does not, and the answer says so',
    async (accept) => {
      for (const headers of [{}, await openSession()]) {
        const { status, body } = await post(request('ping'), { ...headers, accept })
        expect([status, body]).toMatchObject([406, { id: 7, error: { code: -32000 } }])
        expect(body.error?.message).toContain('application/json and text/event-stream')
      }
    },
  )
})

describe('a slash after the URL', () => {
  it('is the same endpoint for every method', async () => {
    const opened = await post(initialize({}), {}, '/mcp/')
    expect(opened.status).toBe(200)
    const session = { 'mcp-session-id': opened.session ?? '' }
    for (const path of ['/mcp/', '/mcp', '/mcp/?from=gateway'])
      expect((await post(request('tools/list'), session, path)).body.result).toEqual(LISTED)
    const [message, headers] = modern('tools/call', { name: 'list_roots' })
    expect((await post(message, headers, '/mcp/')).body.result).toMatchObject(ROOTS)
    for (const [method, status] of [
      ['GET', 406],
      ['PUT', 405],
      ['DELETE', 200],
    ] as const) {
      const init = { method, headers: { ...session, accept: 'application/json' } }
      const answers = ['/mcp', '/mcp/'].map(
        async (path) => (await workspace.fetch(path, init)).status,
      )
      if (method !== 'DELETE') expect(await Promise.all(answers)).toEqual([status, status])
      else expect((await Promise.all(answers)).toSorted((a, b) => a - b)).toEqual([status, 404])
    }
  })

  it.each(['/', '/sse', '//mcp', '/MCP', '/mcp/message'])(
    'is not another path, and the answer to %s names the endpoint',
    async (path) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: BOTH },
        body: JSON.stringify(initialize({})),
      }
      const answer = await SELF.fetch(`http://localhost${path}`, init)
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { message: `Not found: ${path}. The MCP endpoint is /mcp` },
      ])
    },
  )

  it('is the same endpoint without a workspace, and through a link', async () => {
    const { result } = await workspace.call('delegate', { label: 'x' })
    const url = String(result?.structuredContent['url'])
    const body = JSON.stringify(request('tools/list'))
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: '*/*' },
      body,
    }
    for (const address of ['http://localhost/mcp/', `${url}/`, url]) {
      const answer = await SELF.fetch(address, init)
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining('"tools"'),
      ])
    }
    expect((await SELF.fetch(`${url}//`, init)).status).toBe(401)
  })
})

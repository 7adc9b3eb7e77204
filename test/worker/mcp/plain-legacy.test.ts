/**
 * Direct answers of the legacy era are those of the SDK: every request is sent to two equal workspaces, once as it is
 * and once with a parameter that makes it unusual, which the SDK ignores.
 */

import { isRecord, recordOf } from '#core/json.ts'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { approveApp, writeApp } from '../../support/worker/apps.ts'
import { CHANGE_IDS, freshWorkspace, SHOWS_APPS } from '../../support/worker/client.ts'
import {
  PLAIN,
  UNUSUAL,
  WITH_PROTO,
  type LegacyRequest,
} from '../../support/worker/legacy-requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** A workspace, and the session of its client. */
interface Side {
  readonly workspace: Workspace
  readonly session: string | null
}

const sdk = vi.spyOn(WebStandardStreamableHTTPServerTransport.prototype, 'handleRequest')

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const post = ({ workspace, session }: Side, { body, headers = {} }: LegacyRequest) =>
  workspace.fetch('/mcp', {
    method: 'POST',
    headers: { ...HEADERS, ...(session !== null && { 'mcp-session-id': session }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The same request with a parameter that nothing knows; null if it can have none. */
function unusual({ body, headers = {} }: LegacyRequest): LegacyRequest | null {
  const { params } = recordOf(body)
  if (!isRecord(body) || (params !== undefined && !isRecord(params))) return null
  return { body: { ...body, params: { ...params, 'test/unknown': 1 } }, headers }
}

/** What a client sees of a response, without what is random or depends on the time. */
async function seen(response: Response) {
  const { status, headers } = response
  const text = await response.text()
  const lines = masked(text).split('\n')
  // The order of members is not part of an answer.
  const read = lines.map((line): unknown => {
    const [, json] = /^(?:data: )?([[{].*)$/.exec(line) ?? []
    return json === undefined ? line : JSON.parse(json)
  })
  const kept = [...headers]
    .filter(([name]) => name !== 'content-length' && name !== 'transfer-encoding')
    .map(([name, value]) => [name, masked(value)])
  return { status, headers: kept, read }
}

const masked = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(CHANGE_IDS, 'change')
    .replaceAll(/\/(s|w)\/[\w.-]+/g, '/$1/name')
    .replaceAll(/ui:\/\/t\d+-\w+/g, 'ui://name')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')

async function begin(workspace: Workspace, version: string, capabilities: object): Promise<string> {
  const params = {
    protocolVersion: version,
    capabilities,
    clientInfo: { name: 'test', version: '1' },
  }
  const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
  const response = await post({ workspace, session: null }, { body })
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

async function newSide(version: string | null, capabilities: object): Promise<Side> {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'one\ntwo\n')
  await workspace.put('/b/c', 'three')
  await workspace.put(
    '/pixel.png',
    Uint8Array.from(atob(PIXEL), (one) => one.charCodeAt(0)),
  )
  await writeApp(workspace, 'board', { 'index.html': 'page' })
  await approveApp(workspace, 'board')
  const session = version === null ? null : await begin(workspace, version, capabilities)
  return { workspace, session }
}

const CLIENTS: readonly [name: string, version: string | null, capabilities: object][] = [
  ['in a session of 2024-11-05', '2024-11-05', {}],
  ['in a session of 2025-03-26', '2025-03-26', {}],
  ['in a session of 2025-06-18', '2025-06-18', {}],
  ['in a session of 2025-11-25', '2025-11-25', {}],
  ['in a session of a revision that is unknown', '1999-01-01', {}],
  ['in a session that shows apps', '2025-11-25', { ...SHOWS_APPS, roots: {}, sampling: {} }],
  ['without a session', null, {}],
]

afterEach(() => void sdk.mockClear())

describe.each(CLIENTS)('%s', (_, version, capabilities) => {
  let own: Side
  let other: Side

  beforeAll(async () => {
    own = await newSide(version, capabilities)
    other = await newSide(version, capabilities)
  })

  it.each(PLAIN)('is answered directly, as by the SDK: %s', async (_name, request) => {
    const direct = await seen(await post(own, request))
    expect(sdk).not.toHaveBeenCalled()
    const bySdk = await seen(await post(other, unusual(request) ?? request))
    expect(sdk).toHaveBeenCalled()
    expect(direct).toEqual(bySdk)
  })

  it('is answered as without a member __proto__ of the message', async () => {
    const [proto, plain] = WITH_PROTO
    expect(await seen(await post(own, proto))).toEqual(await seen(await post(other, plain)))
  })

  it.each(UNUSUAL)('is not answered directly: %s', async (_name, request) => {
    const answer = await seen(await post(own, request))
    // A body that is not read, and a batch of another revision, are refused before either.
    if (answer.status < 300) expect(sdk).toHaveBeenCalled()
    expect(await seen(await post(other, request))).toEqual(answer)
  })
})

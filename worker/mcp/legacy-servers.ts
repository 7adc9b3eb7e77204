/**
 * Servers of legacy sessions: one SDK server and transport for each session that needs them, kept in memory.
 *
 * The state of a session is its `initialize` request. After an eviction it is replayed to a new server, and the
 * client notices nothing. `test/platform/mcp/legacy.test.ts` has the cases.
 *
 * @module
 */

import type {
  JSONRPCMessage,
  McpServer,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { recordOf } from '#core/json.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import type { Caller } from '../access/caller.ts'
import type { Session } from '../access/session.ts'
import { dropOldest } from '../drop-oldest.ts'
import { identityAt, originOf } from './identity.ts'
import { loadSdk, type BuildServer, type CallerSource } from './load-sdk.ts'
import type { Streams } from './streams.ts'

/** Maximum number of session servers in memory; the others are restored on demand. */
const MAX_LIVE = 64

/** The server of a session, with its transport. */
export interface Live {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: McpServer | Server
}

/** What servers are built with, and those that are in memory, the one that was used last at the end. */
export interface LegacyServers {
  readonly streams: Pick<Streams, 'subscribe' | 'unsubscribe' | 'send'>
  readonly build: BuildServer
  readonly callerOf: CallerSource
  readonly live: Map<string, Live>
}

/** Builds the server of an existing session again. */
export async function restore(
  context: LegacyServers,
  session: Session,
  caller: Connected['caller'],
): Promise<Live> {
  // The client has had its instructions.
  const held = await connect(context, { id: session.id, caller, instructions: '' })
  await replay(held.transport, session)
  return held
}

/** A session that a server is for. */
interface Connected {
  readonly id: string
  readonly caller: Pick<Caller, 'base' | 'budget'>
  readonly instructions: string
}

/** Connects a new server for a session. */
export async function connect(
  context: LegacyServers,
  { id, caller, instructions }: Connected,
): Promise<Live> {
  const sdk = await loadSdk()
  const origin = originOf(caller.base)
  const subscriptions = {
    add: (uri: string) => context.streams.subscribe(id, uri, caller.budget),
    remove: (uri: string) => context.streams.unsubscribe(id, uri),
  }
  const { callerOf } = context
  const server = context.build(sdk, { callerOf, origin, instructions, subscriptions })
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
  })
  const send = transport.send.bind(transport)
  // A message that answers no request goes to the stream that the Worker holds for this session.
  transport.send = async (message, options) => {
    const answers = 'result' in message || 'error' in message
    if (answers) return send(inOlderEra(message, origin), options)
    if (options?.relatedRequestId !== undefined) return send(message, options)
    context.streams.send(id, message)
  }
  await server.connect(transport)
  const held = { transport, server }
  context.live.set(id, held)
  dropOldest(context.live, MAX_LIVE)
  return held
}

/** Replays the `initialize` of a session to a new server. */
async function replay(
  transport: WebStandardStreamableHTTPServerTransport,
  { id, initialize }: Session,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': id,
  }
  const post = (parsedBody: unknown) =>
    transport.handleRequest(new Request('https://workspace/mcp', { method: 'POST', headers }), {
      parsedBody,
    })
  await (await post(initialize)).text()
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
}

/** Converts a response to the form of the older revisions. */
function inOlderEra(message: JSONRPCMessage, origin: string | null): JSONRPCMessage {
  return 'error' in message ? withOlderCode(message) : introduce(message, origin)
}

/** A missing resource was -32002 before revision 2026-07-28; the SDK has only the newer code. */
function withOlderCode<T extends { readonly error: { code: number; data?: unknown } }>(
  message: T,
): T {
  const { code, data } = message.error
  const isMissing = code === INVALID_PARAMS && typeof recordOf(data)['uri'] === 'string'
  return isMissing ? { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } } : message
}

const RESOURCE_NOT_FOUND = -32002

/**
 * Adds the whole identity to the result of `initialize`, and the schema: the mcp4h proposals have it at the top, where the
 * SDK has no field.
 */
function introduce(message: JSONRPCMessage, origin: string | null): JSONRPCMessage {
  if (!('result' in message) || !('protocolVersion' in message.result)) return message
  const serverInfo = identityAt(origin)
  return { ...message, result: { ...message.result, serverInfo, configSchema: CONFIG_SCHEMA } }
}

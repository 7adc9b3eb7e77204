/**
 * Notification streams, in the front Worker: an event stream to the client, fed by a WebSocket to the object.
 *
 * The Worker holds the connection and sends the keep-alives, so the object may sleep. The stream of a session begins
 * with an event that has an id and no data, from which its client resumes it (SEP-1699); `resume.ts` has what it gets
 * then. `test/platform/mcp/resume.test.ts` has the cases.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { CAPABILITIES_META, LEGACY_PROTOCOL } from '#core/wire.ts'
import { readClaimedName } from '../access/draft-owner.ts'
import { accessMetaOf } from '../access/metadata.ts'
import { MAX_STREAM_WAITING_BYTES } from '../limits.ts'
import { configurationIn } from './plain-request.ts'

const KEEP_ALIVE_MS = 15_000

/** Delay (ms) before a client opens a stream again that has ended. */
const RETRY_MS = 3_000

/** Parses a `subscriptions/listen` request into the first message of a stream; null when it is malformed. */
export function readListen(message: unknown): string | null {
  if (!isRecord(message) || !isRecord(message['params'])) return null
  const { id } = message
  const wanted = message['params']['notifications']
  if ((typeof id !== 'string' && typeof id !== 'number') || !isRecord(wanted)) return null
  const {
    resourcesListChanged: list,
    toolsListChanged: tools,
    resourceSubscriptions: uris = [],
  } = wanted
  if (list !== undefined && typeof list !== 'boolean') return null
  if (tools !== undefined && typeof tools !== 'boolean') return null
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return null
  // With nothing to listen to the stream ends at once, which the SDK answers.
  if (list !== true && tools !== true && uris.length === 0) return null
  const meta = recordOf(message['params']['_meta'])
  const configuration = configurationIn(meta[CAPABILITIES_META])
  const lists = { list: list === true, tools: tools === true }
  const name = readClaimedName(meta)
  return JSON.stringify({ id, ...lists, uris, configuration, meta: accessMetaOf(meta), name })
}

/**
 * Returns how the stream of a session begins. Older clients parse the data of every event, and revision 2026-07-28 has
 * no ids of events.
 */
export const beginningFor = ({ headers }: Request): string =>
  headers.get('mcp-protocol-version') === LEGACY_PROTOCOL
    ? `id: ${crypto.randomUUID()}\nretry: ${RETRY_MS}\ndata: \n\n`
    : OPEN

/** A comment, so that the headers are sent at once. */
const OPEN = ': open\n\n'

/** How a stream begins. */
interface Beginning {
  /** The first message to the object. */
  readonly first?: string
  /** The first event or comment for the client. */
  readonly beginning?: string
}

/**
 * Opens an event stream on an object.
 *
 * A closed client connection is noticed at the next write, so the keep-alives limit how long a stream
 * outlives its client.
 */
export async function openStream(
  object: Fetcher,
  request: Request,
  headers: Readonly<Record<string, string>>,
  { first, beginning = OPEN }: Beginning,
): Promise<Response> {
  const upgraded = await object.fetch(new URL('/stream', request.url).href, {
    headers: { ...headers, upgrade: 'websocket' },
  })
  const socket = upgraded.webSocket
  if (!socket) return upgraded
  const body = eventStream(socket, beginning)
  socket.accept()
  request.signal.addEventListener('abort', () => socket.close(1000, 'client gone'))
  if (first !== undefined) socket.send(first)
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}

function eventStream(socket: WebSocket, beginning: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let keepAlive: ReturnType<typeof setInterval>
  const source: UnderlyingSource<Uint8Array> = {
    start(controller) {
      const end = () => {
        clearInterval(keepAlive)
        try {
          controller.close()
        } catch {
          // The client was gone already.
        }
      }
      const write = (text: string) => {
        try {
          controller.enqueue(encoder.encode(text))
        } catch {
          // The client has disconnected, and no event has reported it.
          end()
          socket.close(1000, 'client gone')
        }
        if (controller.desiredSize !== null && controller.desiredSize < 0) {
          end()
          socket.close(1000, 'client does not read')
        }
      }
      keepAlive = setInterval(() => write(': keep-alive\n\n'), KEEP_ALIVE_MS)
      write(beginning)
      socket.addEventListener('message', ({ data }) =>
        write(`event: message\ndata: ${String(data)}\n\n`),
      )
      socket.addEventListener('close', end)
      socket.addEventListener('error', end)
    },
    cancel() {
      clearInterval(keepAlive)
      socket.close(1000, 'client gone')
    },
  }
  const size = (chunk: Uint8Array) => chunk.byteLength
  return new ReadableStream(source, { highWaterMark: MAX_STREAM_WAITING_BYTES, size })
}

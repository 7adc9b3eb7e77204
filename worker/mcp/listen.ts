/**
 * Notification streams, in the front Worker: an event stream to the client, fed by a WebSocket to the object.
 *
 * The Worker holds the connection and sends the keep-alives, so the object may sleep.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { CAPABILITIES_META } from '#core/wire.ts'
import { accessMetaOf } from '../access/metadata.ts'
import { MAX_STREAM_WAITING_BYTES } from '../limits.ts'
import { configurationIn } from './plain-request.ts'

const KEEP_ALIVE_MS = 15_000

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
  return JSON.stringify({ id, ...lists, uris, configuration, meta: accessMetaOf(meta) })
}

/**
 * Opens an event stream on an object; `first` is sent to it before anything else.
 *
 * A closed client connection is noticed at the next write, so the keep-alives limit how long a stream
 * outlives its client.
 */
export async function openStream(
  object: Fetcher,
  request: Request,
  headers: Readonly<Record<string, string>>,
  first?: string,
): Promise<Response> {
  const upgraded = await object.fetch(new URL('/stream', request.url).href, {
    headers: { ...headers, upgrade: 'websocket' },
  })
  const socket = upgraded.webSocket
  if (!socket) return upgraded
  const body = eventStream(socket)
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

function eventStream(socket: WebSocket): ReadableStream<Uint8Array> {
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
      write(': open\n\n')
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

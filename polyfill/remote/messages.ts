/**
 * JSON-RPC messages of an HTTP response: one JSON body or an event stream.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'

/** Maximum length of a message, in UTF-16 code units. */
export const MAX_MESSAGE_LENGTH = 16_000_000

/** An error response of the server. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  /** The HTTP status. */
  readonly status: number

  constructor(message: string, code: number, status: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

/**
 * Yields the messages of a response as they arrive.
 *
 * @throws `RangeError` for a message that is too long, `TypeError` or `SyntaxError` for an invalid
 *   one.
 */
export async function* readMessages(response: Response): AsyncGenerator<JsonRecord> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text !== '') yield toMessage(text)
    return
  }
  for await (const event of readEvents(response)) {
    const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
    const data = lines.map((line) => line.slice(5)).join('\n')
    if (data.trim() !== '') yield toMessage(data)
  }
}

async function* readEvents({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let text = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += read.value
      const events = text.split(/\r?\n\r?\n/)
      text = events.pop() ?? ''
      if (text.length > MAX_MESSAGE_LENGTH) throw new RangeError('A message is too long')
      yield* events
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function toMessage(text: string): JsonRecord {
  if (text.length > MAX_MESSAGE_LENGTH) throw new RangeError('A message is too long')
  const message: unknown = JSON.parse(text)
  if (!isRecord(message)) throw new TypeError('A message is not an object')
  return message
}

/**
 * Returns the result of a message.
 *
 * @throws {RpcError} If the message is an error or has no result.
 */
export function readResult({ result, error }: JsonRecord, status: number): JsonRecord {
  if (isRecord(result)) return result
  const { message, code } = recordOf(error)
  throw new RpcError(toText(message) || 'no result in the response', Number(code ?? 0), status)
}

/** Returns the value if it is a string, else an empty one. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

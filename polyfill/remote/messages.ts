/**
 * Messages: what a server answers over HTTP, as JSON or as a stream of events, read once.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'

/** The longest message that is read. */
export const MAX_MESSAGE_CHARACTERS = 16_000_000

/** What went wrong, as the server says it. */
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

/** All messages of a response, as they come in. */
export async function* messagesOf(response: Response): AsyncGenerator<JsonRecord> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text !== '') yield toMessage(text)
    return
  }
  for await (const event of eventsOf(response)) {
    const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
    const data = lines.map((line) => line.slice(5)).join('\n')
    if (data.trim() !== '') yield toMessage(data)
  }
}

async function* eventsOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let text = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += read.value
      const events = text.split(/\r?\n\r?\n/)
      text = events.pop() ?? ''
      if (text.length > MAX_MESSAGE_CHARACTERS) throw new RangeError('A message is too long')
      yield* events
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function toMessage(text: string): JsonRecord {
  if (text.length > MAX_MESSAGE_CHARACTERS) throw new RangeError('A message is too long')
  const message: unknown = JSON.parse(text)
  if (!isRecord(message)) throw new TypeError('A message is no object')
  return message
}

/** The result in a message, or the error that it is. */
export function resultOf({ result, error }: JsonRecord, status: number): JsonRecord {
  if (isRecord(result)) return result
  const { message, code } = recordOf(error)
  throw new RpcError(stringOf(message) || 'there is no result', Number(code ?? 0), status)
}

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

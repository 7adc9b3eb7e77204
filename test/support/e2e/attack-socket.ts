/**
 * Raw bytes on a new connection, as no client would send them, and all responses to them.
 *
 * @module
 */

import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Answered {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** For what neither answers nor hangs up. */
const PATIENCE_MS = 20_000

/** Sends bytes, ends the output, and returns what came until the other side closed. */
export async function sendBytes(url: string, bytes: string): Promise<Answered[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`No end came of ${bytes}`)))
  socket.end(bytes, 'latin1')
  return answersIn((await buffer(socket)).toString('latin1'))
}

/** The same in two parts, with something that happens in between. */
export async function sendInTwo(
  url: string,
  [begin, rest]: readonly [string, string],
  between: () => Promise<unknown>,
): Promise<Answered[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`No end came of ${begin}`)))
  const all = buffer(socket)
  socket.write(begin, 'latin1')
  await between()
  socket.end(rest, 'latin1')
  return answersIn((await all).toString('latin1'))
}

/** A head, with its lines as they are given. */
export const head = (start: string, ...lines: string[]) =>
  `${[start, ...lines].join('\r\n')}\r\n\r\n`

function answersIn(text: string): Answered[] {
  const answers: Answered[] = []
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n')
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1])
    if (end < 0 || Number.isNaN(status)) throw new Error(`No answer begins with ${rest}`)
    const headers = new Map(lines.map(fieldOf))
    const { body, length } = bodyIn(rest.slice(end + 4), headers)
    answers.push({ status, headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** The first body of a text, and how much of the text it takes. */
function bodyIn(text: string, headers: ReadonlyMap<string, string>) {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0)
    return { body: text.slice(0, length), length }
  }
  let body = ''
  for (let at = 0; ;) {
    const line = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, line), 16)
    if (line < 0 || Number.isNaN(size)) throw new Error(`No chunk begins with ${text.slice(at)}`)
    body += text.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
    if (size === 0) return { body, length: at }
  }
}

/**
 * Minimal HTTP/1.1 client for load on the same machine: requests are prepared bytes, and a response
 * is parsed from the bytes received so far.
 *
 * @module
 */

/** A response. */
export interface Reply {
  readonly status: number
  /** Status line and headers, in lower case. */
  readonly head: string
  readonly body: Buffer
}

/** A request without its body. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Serialises a request. */
export function encodeRequest({ method, path, headers }: RequestHead, body = ''): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${length}\r\n${body}`,
  )
}

/** Parses a response; null while it is incomplete. */
export function readReply(bytes: Buffer): Reply | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = bytes.toString('latin1', 0, end).toLowerCase()
  const body = readBody(head, bytes.subarray(end + 4))
  return body && { status: Number(head.slice(9, 12)), head, body }
}

function readBody(head: string, rest: Buffer): Buffer | null {
  if (head.includes('\r\ntransfer-encoding: chunked')) return joinChunks(rest)
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)
  return rest.length < length ? null : rest.subarray(0, length)
}

function joinChunks(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const end = rest.indexOf('\r\n', at)
    if (end === -1) return null
    const size = Number.parseInt(rest.toString('latin1', at, end), 16)
    const start = end + 2
    at = start + size + 2
    if (rest.length < at) return null
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(start, start + size))
  }
}

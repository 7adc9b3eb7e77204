/**
 * A request as the other side of a connection receives it: with the length of its body, where that is known.
 *
 * workerd adds the header when it sends a request; `Request` of Node only passes on what it was given.
 *
 * @module
 */

/** Makes the request that `fetch` with these arguments sends. */
export function receivedRequest(input: RequestInfo | URL, init?: RequestInit): Request {
  const request = new Request(input, init)
  const length = lengthOf(init?.body)
  if (length !== null && !request.headers.has('content-length'))
    request.headers.set('content-length', String(length))
  return request
}

function lengthOf(body: BodyInit | null | undefined): number | null {
  if (typeof body === 'string') return new TextEncoder().encode(body).length
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength
  if (body instanceof Blob) return body.size
  return body instanceof URLSearchParams ? String(body).length : null
}

/**
 * The internet of a test in plain Node: no server but those of the test, so that none is reached by accident.
 *
 * @module
 */

/** Answers a request to another machine. */
export type Server = (request: Request) => Response | Promise<Response>

const { fetch: fetchHere } = globalThis

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

let current: Server | null = null

/** Serves all requests to other machines, until the next call. Null ends it. */
export function serveInternet(server: Server | null): void {
  current = server
}

/** In place of the global `fetch`, which the Worker keeps when it is loaded. */
export const fetchInternet: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const { protocol, hostname } = new URL(request.url)
  if (!protocol.startsWith('http') || LOOPBACK.test(hostname)) return fetchHere(request)
  if (!current) throw new TypeError(`No server of this test is ${hostname}`)
  return current(request)
}

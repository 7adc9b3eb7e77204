/**
 * What every part of the Worker reads from a request without its access: method, host, coding, entity tags, and whether
 * it comes from this machine.
 *
 * `test/worker/front/host.test.ts` and `test/worker/access/closed.test.ts` test it.
 *
 * @module
 */

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Matches a local `Host` header without parsing a URL; ports above 59999 are left to the URL parser. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(?::(?:\d{1,4}|[1-5]\d{4}))?$/

/**
 * `Host` by RFC 9110, 7.2: a name or an address, and a port. Not every runtime checks it, and the URL parser
 * reads `evil.example@localhost`, `%6cocalhost` and `localhost/..` as this machine.
 */
export const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i

/** The authority of a URL that may be malformed. */
const AUTHORITY = /^https?:\/\/([^/?#]*)/

/** Whether a host name is one of this machine. */
export const isLocalName = (host: string) => LOCAL.has(host)

/** Whether a request names this machine as its host. */
export function isLocal(request: Request): boolean {
  return isLocalName(hostOf(request) ?? '')
}

/**
 * Names of headers by which a proxy, a tunnel or a content delivery network reveals that it forwards a request: the
 * standard ones, the client's address under any name, and the prefixes of vendors.
 */
const FORWARDING =
  /^(?:.*forwarded.*|(?:.*-)?via|cdn-loop|client-?ip|.*-(?:client)?ip(?:v6)?|x-(?:original|real|remote)(?:-.*)?|x-(?:cdn|iinfo|scheme|varnish)|front-end-https|x-(?:amzn?|appengine|arr|azure|cloud-trace|envoy|github|goog|kong|ms-client|nf|nginx|railway|render|vercel)-.*|(?:akamai|cf|fastly|fly|l5d|ngrok|tailscale)-.*)$/

/** What a program on this machine sends as well: a Worker that runs locally names itself in its requests. */
const OF_PROGRAMS = /^cf-worker$/

/** What the local runtime writes into `CF-Connecting-IP`, which Cloudflare fills with another address. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/

/**
 * Returns the name of a header which shows that a request is not from this machine, whatever its `Host` says; null
 * if there is none. A proxy that adds no such header passes as a program on this machine.
 */
export function forwardingHeader({ headers }: Request): string | null {
  for (const [name, value] of headers)
    if (name === 'cf-connecting-ip' ? !LOOPBACK.test(value) : isForwarding(name)) return name
  return null
}

const isForwarding = (name: string) => FORWARDING.test(name) && !OF_PROGRAMS.test(name)

/** Returns the coding of a body, which nothing here would decode; null without one. */
export function codingOf(headers: Headers): string | null {
  const coding = headers.get('content-encoding') ?? ''
  return /^(?:identity)?$/i.test(coding.trim()) ? null : coding.slice(0, 100)
}

/** Whether a request only reads, by its method. */
export const isReading = ({ method }: Pick<Request, 'method'>) =>
  method === 'GET' || method === 'HEAD'

/** Returns the host name that a request is for, null if it is malformed. */
export function hostOf({ headers, url }: Request): string | null {
  const [, authority = ''] = AUTHORITY.exec(url) ?? []
  const header = headers.get('host') ?? authority
  const [, local] = LOCAL_HOST.exec(header) ?? []
  if (local !== undefined && header === authority) return local
  const isWellFormed = HOST.test(header) && HOST.test(authority) && URL.canParse(url)
  return isWellFormed ? (URL.parse(`http://${header}`)?.hostname ?? null) : null
}

/** Whether the value of `If-Match` or `If-None-Match` lists an entity tag (RFC 9110, section 13.1). */
export function listsTag(header: string, wanted: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(wanted)
}

/** Whether a request asks for an event stream by its name. */
export const namesStream = ({ headers }: Request): boolean =>
  headers.get('accept')?.includes('text/event-stream') ?? false

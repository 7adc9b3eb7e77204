/**
 * The `Accept` header of MCP: which of the two types of an answer a client takes.
 *
 * A range with a wildcard takes what it covers, as in all of HTTP. A POST without the header takes neither: MCP requires
 * it. `test/worker/mcp/envelope.test.ts` has the cases.
 *
 * @module
 */

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'
const BOTH = `${JSON_TYPE}, ${STREAM_TYPE}`

/** Whether a GET takes an event stream; one without the header takes anything. */
export const acceptsStream = ({ headers }: Request): boolean =>
  accepts(headers.get('accept') ?? '*/*', STREAM_TYPE)

/** Whether a POST takes both types, as the SDK requires by their names. */
export function acceptsBoth({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? ''
  return accept.includes(JSON_TYPE) && accept.includes(STREAM_TYPE)
}

/** Returns a request whose header names both types, if it takes both by a wildcard or in other letters. */
export function withBothNamed(request: Request): Request {
  const accept = request.headers.get('accept') ?? ''
  if (acceptsBoth(request) || !accepts(accept, JSON_TYPE) || !accepts(accept, STREAM_TYPE))
    return request
  const { url, method, signal } = request
  const headers = new Headers(request.headers)
  headers.set('accept', BOTH)
  return new Request(url, { method, headers, signal })
}

function accepts(accept: string, type: string): boolean {
  const names = ['*/*', type, `${type.slice(0, type.indexOf('/'))}/*`]
  return accept.split(',').some((range) => {
    const [name = ''] = range.split(';')
    return names.includes(name.trim().toLowerCase()) && !REFUSED.test(range)
  })
}

const REFUSED = /;\s*q=0(?:\.0*)?\s*(?:;|$)/i

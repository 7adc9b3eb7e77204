/**
 * `@edgewise/mcp-view/sandbox`: the sandbox page of `<mcp-view>`, for a server of your own.
 *
 * It works wherever `Request` and `Response` exist. `worker/front/sandbox.ts` serves the same page with the same
 * headers for Edgewise itself. `test/e2e/packages.slow.test.ts` shows an app in it.
 *
 * @module
 */

import { connectionsOf, policyOf, readCsp } from '#core/csp.ts'

/** The built page with its script, put in by `scripts/packages.ts`. */
declare const SANDBOX_PAGE: string

/** Options of {@link serveSandbox}. */
export interface SandboxOptions {
  /** Origins of the pages that may embed apps, such as `https://chat.example`; no others can. */
  readonly embedders: readonly string[]
  /**
   * Whether each app may have the origin of this page. Only for a host name that serves a single app and nothing
   * else.
   */
  readonly ownOrigin?: boolean
}

/**
 * Answers a request for the sandbox page.
 *
 * The page belongs on an origin that serves nothing else: apps run on it. The app's content security policy comes in
 * the query and is sent as a header, so the page cannot be a static file.
 *
 * @param request A request whose path the caller has checked, usually `/sandbox`.
 * @returns The page; 405 for other methods than GET and HEAD, 403 for a request from the sandbox itself.
 * @throws {TypeError} If an embedder is not an origin.
 * @example
 * ```ts
 * import { serveSandbox } from '@edgewise/mcp-view/sandbox'
 *
 * export default {
 *   fetch: (request: Request) => serveSandbox(request, { embedders: ['https://chat.example'] }),
 * }
 * ```
 */
export function serveSandbox(
  request: Request,
  { embedders, ownOrigin = false }: SandboxOptions,
): Response {
  const ancestors = embedders.map(checkOrigin).join(' ') || "'none'"
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
  // An app that shares this origin could otherwise open the page again, with a policy of its own.
  if (request.headers.get('sec-fetch-site') === 'same-origin') return refuse(403)
  const { csp } = readCsp(parseJson(new URL(request.url).searchParams.get('csp')))
  const page = SANDBOX_PAGE.replace('{{origin}}', ownOrigin ? 'own' : 'opaque')
  return new Response(request.method === 'HEAD' ? null : page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policyOf(csp)}; frame-ancestors ${ancestors}`,
      'connection-allowlist': connectionsOf(csp),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
      'cache-control': 'no-cache',
      vary: 'sec-fetch-site',
    },
  })
}

/** Anything but an origin could add directives to the header. */
function checkOrigin(text: string): string {
  if (/^https?:\/\/[\w.:-]+$/.test(text)) return text
  throw new TypeError(`Cannot allow the embedder ${JSON.stringify(text)}: it is not an origin`)
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

const refuse = (status: number) => new Response(null, { status })

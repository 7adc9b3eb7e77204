/**
 * The content security policy of an app: what its resource declares, closed for all else.
 *
 * A declaration comes from a stranger and ends in an HTTP header, so it is never copied: each entry has
 * to be an origin in normal form, perhaps with a path or with `*.` before its host, and the policy is
 * written anew from those. The rest is dropped and named, for a log. `test/core/csp.test.ts` holds it
 * to the table of MCP Apps 2026-01-26, "Content security policy", which this narrows: no `'self'`,
 * because an app has no origin of its own.
 *
 * @module
 */

import { recordOf } from './json.ts'

/** What an app may reach. Only {@link readCsp} makes one from outside. */
export interface AppCsp {
  readonly connectDomains: readonly string[]
  readonly resourceDomains: readonly string[]
  readonly frameDomains: readonly string[]
  readonly baseUriDomains: readonly string[]
}

export interface ReadCsp {
  readonly csp: AppCsp
  /** Entries that are no origins and are left out, shortened. Those beyond the limit are not among them. */
  readonly dropped: readonly string[]
}

/** Entries that count in each list. */
export const MAX_SOURCES = 50

/** UTF-16 code units of an entry. */
export const MAX_SOURCE_LENGTH = 200

/** An app that reaches nothing. */
export const CLOSED: AppCsp = {
  connectDomains: [],
  resourceDomains: [],
  frameDomains: [],
  baseUriDomains: [],
}

/**
 * Scheme, host and port, with a path where one is given. `*.` stands for sub-domains of a name with at
 * least two labels. No character of it can end a source, a directive or a header.
 */
const SOURCE =
  /^(?:https?|wss?):\/\/(?:\*\.[a-z0-9-]+\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:\/[\w.~%/-]*)?$/i

/** Reads `_meta.ui.csp`, or what was sent in its place. What cannot be understood opens nothing. */
export function readCsp(value: unknown): ReadCsp {
  const dropped: string[] = []
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = recordOf(value)
  const read = (list: unknown) => sourcesOf(list, dropped)
  const csp = {
    connectDomains: read(connectDomains),
    resourceDomains: read(resourceDomains),
    frameDomains: read(frameDomains),
    baseUriDomains: read(baseUriDomains),
  }
  return { csp, dropped }
}

/** Every origin that a page of this policy can reach, once. */
export function reachedBy(csp: AppCsp): string[] {
  const { connectDomains, resourceDomains, frameDomains } = csp
  return [...new Set([...connectDomains, ...resourceDomains, ...frameDomains])]
}

/**
 * The policy as a header says it. Scripts and styles stand in the app's own HTML. `data:` and `blob:`
 * are made by the app and lead nowhere; a worker from a `blob:` has the rules of its page, and is for
 * apps that load libraries. The sandbox page has the base `about:srcdoc`, so that in an app `#part` is a
 * part of the app. Nothing is sent by a form: `allow-forms` only lets its events happen.
 */
export function policyOf(csp: AppCsp): string {
  const resources = csp.resourceDomains
  return [
    "default-src 'none'",
    directive('script-src', ["'unsafe-inline'", ...resources]),
    directive('style-src', ["'unsafe-inline'", ...resources]),
    directive('img-src', ['data:', 'blob:', ...resources]),
    directive('media-src', ['data:', 'blob:', ...resources]),
    directive('font-src', resources),
    directive('connect-src', csp.connectDomains),
    directive('worker-src', resources.length > 0 ? ['blob:'] : []),
    directive('frame-src', csp.frameDomains),
    directive('base-uri', ['about:', ...csp.baseUriDomains]),
    "object-src 'none'",
    "form-action 'none'",
  ].join('; ')
}

/**
 * The same as `Connection-Allowlist` says it, for connections that a policy has no word for: WebRTC, and
 * what a browser opens before it asks the policy. Paths and redirects are left to the policy.
 */
export function connectionsOf(csp: AppCsp): string {
  const origins = reachedBy(csp).map((source) =>
    source.replace(/^ws/i, 'http').split('/', 3).join('/'),
  )
  const quoted = [...new Set(origins)].map((origin) => JSON.stringify(origin))
  return `(${quoted.join(' ')});redirects=allow`
}

function directive(name: string, sources: readonly string[]): string {
  return `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`
}

function sourcesOf(value: unknown, dropped: string[]): string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_SOURCES) : []
  const kept = entries.filter((entry) => isSource(entry))
  dropped.push(...entries.filter((entry) => !isSource(entry)).map(shown))
  return kept
}

function isSource(entry: unknown): entry is string {
  return typeof entry === 'string' && entry.length <= MAX_SOURCE_LENGTH && SOURCE.test(entry)
}

const shown = (entry: unknown) => JSON.stringify(entry)?.slice(0, 100) ?? 'nothing'

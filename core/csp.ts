/**
 * The content security policy of an app: allows what its resource declares and nothing else.
 *
 * A declaration is untrusted and ends in an HTTP header, so it is never copied: each entry must be an
 * origin in normal form, optionally with a path or with `*.` before its host, and the policy is built from
 * those. A host without a scheme is read as https, as many servers write it. Other entries are dropped. Both are
 * reported for a log. `test/core/csp.test.ts` has the table of MCP
 * Apps 2026-01-26, "Content security policy". This module is stricter than that section: it has no
 * `'self'`, because an app has no origin of its own.
 *
 * @module
 */

import { recordOf } from './json.ts'

/** The origins that an app may reach. Only {@link readCsp} makes one from untrusted input. */
export interface AppCsp {
  readonly connectDomains: readonly string[]
  readonly resourceDomains: readonly string[]
  readonly frameDomains: readonly string[]
  readonly baseUriDomains: readonly string[]
}

/** The result of {@link readCsp}. */
export interface ReadCsp {
  readonly csp: AppCsp
  /** Invalid entries, shortened for a log. Entries beyond {@link MAX_SOURCES} are not among them. */
  readonly dropped: readonly string[]
  /** Entries without a scheme, read as https, and in `connectDomains` also as wss. */
  readonly completed: readonly string[]
}

/** Maximum number of entries of each list; later ones are ignored. */
export const MAX_SOURCES = 50

/** Maximum length of an entry in UTF-16 code units. */
export const MAX_SOURCE_LENGTH = 200

/**
 * Scheme, host and optional port and path. `*.` matches sub-domains of a name with at least two labels.
 * It allows no character that can end a source, a directive or a header.
 */
const SOURCE =
  /^(?:https?|wss?):\/\/(?:\*\.[a-z0-9-]+\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:\/[\w.~%/-]*)?$/i

/** Parses `_meta.ui.csp`. Anything that is not valid allows nothing. */
export function readCsp(value: unknown): ReadCsp {
  const dropped: string[] = []
  const completed: string[] = []
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = recordOf(value)
  const read = (list: unknown, isForConnections = false) =>
    entriesOf(list).flatMap((entry) => {
      if (isSource(entry)) return [entry]
      const sources = completeSource(entry, isForConnections)
      ;(sources.length > 0 ? completed : dropped).push(shorten(entry))
      return sources
    })
  const csp = {
    connectDomains: read(connectDomains, true),
    resourceDomains: read(resourceDomains),
    frameDomains: read(frameDomains),
    baseUriDomains: read(baseUriDomains),
  }
  return { csp, dropped, completed }
}

/**
 * Adds the schemes that a host such as `api.example.com` leaves out. Returns nothing for what is no host, and for a
 * host without a dot, which may be a keyword of a policy.
 */
export function completeSource(entry: unknown, isForConnections: boolean): string[] {
  if (typeof entry !== 'string' || !/^[^:/]{1,200}\.[^:/]/.test(entry)) return []
  const schemes = isForConnections ? ['https', 'wss'] : ['https']
  return schemes.map((scheme) => `${scheme}://${entry}`).filter(isSource)
}

/** Returns every origin that a page with this policy can reach, without duplicates. */
export function listReachableOrigins(csp: AppCsp): string[] {
  const { connectDomains, resourceDomains, frameDomains } = csp
  return [...new Set([...connectDomains, ...resourceDomains, ...frameDomains])]
}

/**
 * Formats the value of the `Content-Security-Policy` header.
 *
 * Scripts and styles may be inline, because an app is one HTML document. `data:` and `blob:` images and
 * media come from the app itself and reach no server. A worker from a `blob:` has the policy of its page;
 * it is allowed for apps that load libraries. The base `about:` lets the sandbox page set
 * `about:srcdoc`, so that `#part` in an app is a link within the app. `form-action 'none'` blocks
 * submissions, so the `allow-forms` of the sandbox only enables form events.
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
 * Formats the same origins as a `Connection-Allowlist` header, for connections that a content security
 * policy does not cover: WebRTC, and those that a browser opens before it checks the policy. Paths and
 * redirects are left to the policy.
 */
export function connectionsOf(csp: AppCsp): string {
  const origins = listReachableOrigins(csp).map((source) =>
    source.replace(/^ws/i, 'http').split('/', 3).join('/'),
  )
  const quoted = [...new Set(origins)].map((origin) => JSON.stringify(origin))
  return `(${quoted.join(' ')});redirects=allow`
}

function directive(name: string, sources: readonly string[]): string {
  return `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`
}

const entriesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MAX_SOURCES) : []

function isSource(entry: unknown): entry is string {
  return typeof entry === 'string' && entry.length <= MAX_SOURCE_LENGTH && SOURCE.test(entry)
}

const shorten = (entry: unknown) => JSON.stringify(entry)?.slice(0, 100) ?? 'nothing'

/**
 * Schemes of redirect URIs: to which of them a code is sent.
 *
 * A native client has a scheme of its own, which is a domain name in reverse order such as `com.example.app`
 * (RFC 8252, section 7.1). Some clients register one without a dot; those are listed here, and the operator can
 * list more. Any other word may run or show content, name a protocol, or open a part of the system, which would get
 * the code in its arguments. `front/deployed-config.ts` checks the list of the operator. Tested by `test/worker/auth/redirect-schemes.test.ts` and
 * `test/e2e/oauth/details.slow.test.ts`.
 *
 * @module
 */

import { type Env, splitNames } from '../env.ts'

type Setting = Pick<Env, 'EDGEWISE_REDIRECT_SCHEMES'>

/** A web address in the form of RFC 3986. URL parsers repair others, such as `http:localhost`, each in its own way. */
const WEB = /^https?:\/\/[^/\\]/i

/** A domain name in reverse order (no system has one that begins with x- or ms-), or a client that registers a word. */
const ACCEPTED =
  /^(?:(?!x-|ms-)[a-z][a-z\d-]*(?:\.[a-z\d-]+)+|cursor|vscode|vscode-insiders|vscodium|windsurf|kiro|zed|warp|claude|raycast|goose)$/

/**
 * Whether no client can receive a code at this redirect URI, because its scheme belongs to no client, because it is
 * no complete web address, or because it has space around it, of which each parser removes another part.
 */
export function hasRefusedScheme(redirectUri: string, env: Setting): boolean {
  if (redirectUri !== redirectUri.trim()) return true
  const scheme = URL.parse(redirectUri)?.protocol.slice(0, -1)
  if (scheme === 'https' || scheme === 'http') return !WEB.test(redirectUri)
  if (scheme === undefined || ACCEPTED.test(scheme)) return false
  return !splitNames(env.EDGEWISE_REDIRECT_SCHEMES).includes(scheme)
}

/** The error of such a redirect URI. */
export const REFUSED_SCHEME =
  'Invalid redirect URI: its scheme belongs to no client. Use https, a loopback address or a reverse domain name ' +
  'such as com.example.app, or add the scheme to EDGEWISE_REDIRECT_SCHEMES'

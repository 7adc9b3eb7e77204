/**
 * Schemes of redirect URIs to which no code is sent.
 *
 * A native client has a scheme of its own (RFC 8252, section 7.1). The RFC asks for a domain name in it, such
 * as `com.example.app`, but real clients have `cursor:`, `vscode:` or `warp:`, so any unknown scheme is a
 * client's. The schemes here are never one: they run or show content, name a protocol, or open a part of the
 * system, which would get the code in its arguments. Tested by `test/worker/auth/redirect-schemes.test.ts` and
 * `test/e2e/oauth/details.test.ts`.
 *
 * @module
 */

/** `ms-…` are programs and settings of Windows; `intent` opens any program of Android. */
const REFUSED =
  /^(?:javascript|vbscript|data|blob|about|file|filesystem|view-source|intent|s?ftps?|ssh|telnet|ldaps?|smb|wss?|mailto|tel|sms|sip|shell|search|search-ms|ms-.*):$/

/** Whether no client can receive a code at this redirect URI, because its scheme belongs to no client. */
export function hasRefusedScheme(redirectUri: string): boolean {
  return REFUSED.test(URL.parse(redirectUri)?.protocol ?? '')
}

/** The error of such a redirect URI. */
export const REFUSED_SCHEME = 'Invalid redirect URI: its scheme belongs to no client'

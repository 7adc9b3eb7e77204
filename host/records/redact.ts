/**
 * Redaction: what must not be kept of a message goes before the message is kept.
 *
 * Secrets are known by their names, such as `authorization`, and by their form: bearer tokens, and
 * the tokens of session links. Everything is walked, to a bound.
 *
 * @module
 */

export const REDACTED = '[redacted]'

/** Members whose value is a secret, whatever it looks like. */
const SECRET_NAME =
  /^(proxy-)?authorization$|^(set-)?cookie$|^x-api-key$|^(access|refresh|id|bearer)_?token$|^(client_?)?secret$|^password$|^code_verifier$/i

// `/s/`, the name of a workspace, a dot and 43 characters; shorter ones as well, of other servers.
const LINK = /(\/s\/)(?:[a-z0-9-]{1,63}\.)?[A-Za-z0-9_-]{20,}/g
const BEARER = /\b(Bearer|Basic|DPoP)\s+[A-Za-z0-9._~+/=-]{8,}/gi

const MAX_DEPTH = 64

/** A copy without secrets. What lies deeper than anybody writes by hand is left out. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactedText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) && member !== null ? REDACTED : redacted(member, depth + 1),
    ]),
  )
}

export function redactedText(text: string): string {
  return text.replace(LINK, `$1${REDACTED}`).replace(BEARER, `$1 ${REDACTED}`)
}

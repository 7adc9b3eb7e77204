/**
 * Removes secrets from a message before it is logged.
 *
 * Secrets are recognised by their name, such as `authorization`, and by their form: bearer tokens,
 * and tokens in session links. Everything is searched, down to a maximum depth.
 *
 * @module
 */

/** Replaces a secret in the log. */
const REDACTED = '[redacted]'

/** Names of members whose value is always a secret. */
const SECRET_NAME =
  /^(proxy-)?authorization$|^(set-)?cookie$|^x-api-key$|^(access|refresh|id|bearer)_?token$|^(client_?)?secret$|^password$|^code_verifier$/i

// `/s/`, the name of a workspace, a dot and 43 characters; shorter tokens too, of other servers.
const LINK = /(\/s\/)(?:[a-z0-9-]{1,63}\.)?[A-Za-z0-9_-]{20,}/g
const BEARER = /\b(Bearer|Basic|DPoP)\s+[A-Za-z0-9._~+/=-]{8,}/gi

const MAX_DEPTH = 64

/** Copies a value without secrets. Members below the maximum depth are left out. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) && member !== null ? REDACTED : redact(member, depth + 1),
    ]),
  )
}

/** Replaces tokens in a string. */
function redactText(text: string): string {
  return text.replace(LINK, `$1${REDACTED}`).replace(BEARER, `$1 ${REDACTED}`)
}

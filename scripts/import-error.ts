/** Errors of an import, with messages for the user. @module */

/**
 * An import that failed for a reason the user can act on; its message is printed without a stack.
 */
export class ImportError extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
}

/** Returns the reason of a system error without path, address and stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return REASONS['code' in error ? String(error.code) : ''] ?? error.message
}

/**
 * Results: an expected failure is a value that the caller has to check.
 *
 * Expected failures are returned as `err(problem)`; programming errors are thrown. A result has no methods:
 * `ok` distinguishes success from failure.
 *
 * @module
 */

/** Either a value or an expected failure. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

/** Wraps a value as a success. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

/** Wraps an error as a failure. */
export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

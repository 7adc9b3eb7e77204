/**
 * Results: an expected failure is a value that the caller has to look at.
 *
 * What may go wrong travels as `err(problem)`; what must not is thrown. There are no methods to
 * learn: a result is told apart by `ok`.
 *
 * @module
 */

export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

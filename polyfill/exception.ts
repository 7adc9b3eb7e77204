/**
 * Creates DOMExceptions by name.
 *
 * The constructor is captured at the start: a document that was removed from the page has lost it,
 * and its pending calls still have to be rejected.
 *
 * @module
 */

const { DOMException } = globalThis

/** The names that the polyfill uses. */
export type ExceptionName =
  | 'InvalidStateError'
  | 'NotAllowedError'
  | 'NotSupportedError'
  | 'SecurityError'
  | 'UnknownError'

/** Creates a DOMException. */
export const exception = (name: ExceptionName, message: string) => new DOMException(message, name)

/** Throws the `TypeError` of an illegal invocation or constructor. */
export function throwIllegal(what: string): never {
  throw new TypeError(`Illegal ${what}`)
}

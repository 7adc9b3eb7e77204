/**
 * Exceptions by their names.
 *
 * The constructor is kept from the start: a document that has been removed from the page has lost
 * it, and that is when it is needed most.
 *
 * @module
 */

const { DOMException } = globalThis

export type ExceptionName =
  'InvalidStateError' | 'NotAllowedError' | 'NotSupportedError' | 'SecurityError' | 'UnknownError'

export const exception = (name: ExceptionName, message: string) => new DOMException(message, name)

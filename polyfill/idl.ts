/**
 * Web IDL conversions: what a browser does with the arguments before an algorithm sees them.
 *
 * A value is read once, in the order in which Web IDL reads it, and what does not fit throws a
 * TypeError. `test/polyfill/idl.test.ts` has the table; the dictionaries of this API, built from
 * these, are in `model-context/dictionaries.ts`.
 *
 * @module
 */

/** https://webidl.spec.whatwg.org/#js-DOMString */
export function toDOMString(value: unknown): string {
  // A template literal throws on a symbol, as Web IDL asks. String() would not.
  return `${value as string}`
}

/** https://webidl.spec.whatwg.org/#js-USVString */
export const toUSVString = (value: unknown): string => toDOMString(value).toWellFormed()

/** https://webidl.spec.whatwg.org/#js-object */
export function toObject(value: unknown): object {
  if (isObject(value)) return value
  throw new TypeError('Not an object')
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** https://webidl.spec.whatwg.org/#js-callback-function */
export function toFunction(value: unknown): (...args: unknown[]) => unknown {
  if (isFunction(value)) return value
  throw new TypeError('Not a function')
}

export const isFunction = (value: unknown): value is (...args: unknown[]) => unknown =>
  typeof value === 'function'

/** https://webidl.spec.whatwg.org/#js-sequence */
export function toUSVStrings(value: unknown): string[] {
  // Spreading throws a TypeError where there is nothing to iterate.
  return [...(toObject(value) as Iterable<unknown>)].map(toUSVString)
}

/** An AbortSignal of any realm: its own getter knows. */
export function toAbortSignal(value: unknown): AbortSignal {
  Reflect.get(AbortSignal.prototype, 'aborted', toObject(value))
  return value as AbortSignal
}

/** A Window of any realm and any origin. */
export function toWindow(value: unknown): Window {
  Reflect.get(window, 'closed', toObject(value))
  return value as Window
}

/** Reads members of a dictionary one by one; the caller asks in order of their names. */
export interface Members {
  <T>(name: string, convert: (value: unknown) => T): T | undefined
  <T>(name: string, convert: (value: unknown) => T, required: true): T
}

/** https://webidl.spec.whatwg.org/#js-dictionary */
export function toDictionary(value: unknown): Members {
  const source = value === undefined || value === null ? {} : toObject(value)
  function read<T>(name: string, convert: (value: unknown) => T): T | undefined
  function read<T>(name: string, convert: (value: unknown) => T, required: true): T
  function read<T>(name: string, convert: (value: unknown) => T, required?: true) {
    const found: unknown = Reflect.get(source, name)
    if (found !== undefined) return convert(found)
    if (required) throw new TypeError(`"${name}" is required`)
    return found
  }
  return read
}

/** What a text says as JSON, if it is an object. */
export function parseJSON(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** https://infra.spec.whatwg.org/#serialize-a-javascript-value-to-a-json-string */
export function toJSON(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('Not JSON')
  return text
}

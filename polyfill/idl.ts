/**
 * Web IDL conversions of arguments, before an algorithm sees them.
 *
 * A value is read once, in the order of Web IDL, and a value that does not fit throws a TypeError.
 * `test/polyfill/idl.test.ts` has the table; the dictionaries of this API, built from these
 * conversions, are in `model-context/dictionaries.ts`.
 *
 * @module
 */

/** Converts to DOMString. https://webidl.spec.whatwg.org/#js-DOMString */
export function toDOMString(value: unknown): string {
  // A template literal throws on a symbol, as Web IDL requires; String() does not.
  return `${value as string}`
}

/** Converts to USVString. https://webidl.spec.whatwg.org/#js-USVString */
export const toUSVString = (value: unknown): string => toDOMString(value).toWellFormed()

/** Checks for an object. https://webidl.spec.whatwg.org/#js-object */
export function toObject(value: unknown): object {
  if (isObject(value)) return value
  throw new TypeError('No object')
}

/** Reports whether a value is an object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Checks for a function. https://webidl.spec.whatwg.org/#js-callback-function */
export function toFunction(value: unknown): (...args: unknown[]) => unknown {
  if (isFunction(value)) return value
  throw new TypeError('No function')
}

/** Reports whether a value is callable. */
export const isFunction = (value: unknown): value is (...args: unknown[]) => unknown =>
  typeof value === 'function'

/**
 * Converts to a sequence of USVString: each item before the next one is taken.
 * https://webidl.spec.whatwg.org/#js-sequence
 */
export function toUSVStrings(value: unknown): string[] {
  const list: string[] = []
  // A loop throws a TypeError if the object is not iterable.
  for (const item of toObject(value) as Iterable<unknown>) list.push(toUSVString(item))
  return list
}

/** Checks for an AbortSignal of any realm: the getter throws on other objects. */
export function toAbortSignal(value: unknown): AbortSignal {
  Reflect.get(AbortSignal.prototype, 'aborted', toObject(value))
  return value as AbortSignal
}

/** Checks for a Window of any realm and any origin: the getter throws on other objects. */
export function toWindow(value: unknown): Window {
  Reflect.get(window, 'closed', toObject(value))
  return value as Window
}

/** Reads members of a dictionary one by one; the caller reads them in lexicographical order. */
export interface Members {
  <T>(name: string, convert: (value: unknown) => T): T | undefined
  <T>(name: string, convert: (value: unknown) => T, required: true): T
}

/** Starts the conversion of a dictionary. https://webidl.spec.whatwg.org/#js-dictionary */
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

/** Parses JSON; undefined if the text is not JSON or not an object. */
export function parseJSON(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    return undefined
  }
}

/**
 * Serialises a value as JSON.
 * https://infra.spec.whatwg.org/#serialize-a-javascript-value-to-a-json-string
 *
 * @throws `TypeError` for a value without JSON representation.
 */
export function toJSON(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('Not JSON')
  return text
}

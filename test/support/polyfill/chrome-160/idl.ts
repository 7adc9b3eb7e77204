/**
 * Web IDL conversions of the imitation of Chrome 160, written from the text, so that a mistake
 * of the polyfill is not one of its judge as well.
 *
 * @module
 */

export const refuse = (words: string): never => {
  throw new TypeError(words)
}

export const fault = (name: string, words: string) => new DOMException(words, name)

/** Reads a dictionary whose members are given in alphabetical order, each with its conversion. */
export function dictionary<T extends Record<string, (value: unknown) => unknown>>(
  value: unknown,
  members: T,
  required: readonly (keyof T)[] = [],
): { [Key in keyof T]: ReturnType<T[Key]> | undefined } {
  if (value !== undefined && value !== null && Object(value) !== value) refuse('not a dictionary')
  const read = Object.entries(members).map(([name, convert]) => {
    const given: unknown = value ? Reflect.get(Object(value), name) : undefined
    if (given === undefined && required.includes(name)) refuse(`${name} is missing`)
    return [name, given === undefined ? undefined : convert(given)]
  })
  return Object.fromEntries(read) as { [Key in keyof T]: ReturnType<T[Key]> | undefined }
}

export const text = (value: unknown): string => `${value as string}`
export const usv = (value: unknown): string => text(value).toWellFormed()
export const flag = (value: unknown): boolean => Boolean(value)
export const object = (value: unknown): object =>
  Object(value) === value ? (value as object) : refuse('not an object')
export const callback = (value: unknown) =>
  typeof value === 'function'
    ? (value as (...args: unknown[]) => unknown)
    : refuse('not a function')
export const list = (value: unknown): string[] =>
  Array.from(object(value) as Iterable<unknown>, usv)
export const abortSignal = (value: unknown): AbortSignal =>
  value instanceof AbortSignal ? value : refuse('not a signal')

/** Writes a value as JSON. */
export function json(value: unknown): string {
  const written: string | undefined = JSON.stringify(value)
  return written === undefined ? refuse('not JSON') : written
}

/** Converts a list of URLs to origins. */
export const origins = (urls: readonly string[] = []): string[] =>
  urls.map((url) => {
    const origin = URL.parse(url)?.origin
    if (!origin || origin === 'null' || !/^https:|\/\/(localhost|127\.)/.test(origin))
      throw fault('SecurityError', `${url} is not secure`)
    return origin
  })

/**
 * JavaScript built-ins, captured when this script loads.
 *
 * A page can replace any built-in later, including those on prototypes. Between a call and the
 * user's decision only these captures are used, with index loops instead of iterators, records
 * without a prototype, and promises that `await` does not call into.
 * `test/pages/attacks/builtins.slow.test.ts` replaces the built-ins one by one.
 *
 * @module
 */

// oxlint-disable-next-line typescript/unbound-method -- they are called through `apply`
const { bind, call } = Function.prototype

/** Turns a method into a function that takes `this` as its first argument. */
export const uncurry = (method: unknown): unknown => apply(bind, call, [method])

/** Functions of `Reflect`. */
export const {
  apply,
  defineProperty,
  deleteProperty,
  get: read,
  getOwnPropertyDescriptor: describe,
  setPrototypeOf,
} = Reflect
/** Functions of `JSON`. */
export const { parse, stringify } = JSON
/** Functions of `Object`. */
export const { create, freeze, hasOwn, keys } = Object
/** The function of `Array`. */
export const { isArray } = Array
/** The function of `Date`. */
export const { now } = Date

/** The constructor that async functions use, even if a library has replaced the global. */
const NativePromise = (async () => {})().constructor as PromiseConstructor

/** Removes the prototype of a record, so that it has only its own members and no `then`. */
export function bare<T extends object>(record: T): T {
  setPrototypeOf(record, null)
  return record
}

/** Reads an own property; undefined if the value is not an object or only inherits it. */
export function own(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null && hasOwn(object, key)
    ? read(object, key)
    : undefined
}

/** `Array.prototype.indexOf`, as a function of the list. */
export const indexOf = uncurry(read([], 'indexOf')) as (
  list: readonly unknown[],
  value: unknown,
) => number

/** `RegExp.prototype.exec`, as a function of the pattern. */
export const find = uncurry(read(/_/, 'exec')) as (
  pattern: RegExp,
  text: string,
) => RegExpExecArray | null

const CONSTRUCTOR = bare({ value: NativePromise })

/**
 * Protects a promise, so that `await` uses it directly, and returns it.
 *
 * `await` reads `constructor`, and calls `then` if that is not the built-in one; a page could have
 * replaced both.
 */
export function protect<T>(promise: Promise<T>): Promise<T> {
  defineProperty(promise, 'constructor', CONSTRUCTOR)
  return promise
}

type Executor<T> = (resolve: (value: T) => void, reject: (reason: unknown) => void) => void

/** Creates a promise that is protected as by {@link protect}. */
export const newPromise = <T>(executor: Executor<T>): Promise<T> =>
  protect(new NativePromise<T>(executor))

/**
 * Calls back with the outcome of a promise, or with a value that is none.
 *
 * It awaits, and does not call `then`: zone.js replaces that by one which fails for other values. A
 * promise of this script has to be protected as by {@link protect}.
 */
export async function settle<T>(
  value: T | PromiseLike<T>,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): Promise<void> {
  try {
    resolve(await value)
  } catch (error) {
    reject(error)
  }
}

/** Settles as the promise, or rejects with the signal's reason if that aborts first. */
export function untilAborted<T>(promise: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return newPromise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const stop = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    void settle(
      promise,
      (value) => {
        stop()
        resolve(value)
      },
      (reason) => {
        stop()
        reject(reason)
      },
    )
  })
}

/** Copies a JSON value without prototypes, so that no inherited `toJSON` affects serialisation. */
export function copyPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = isArray(value) ? bare([]) : create(null)
  const names = keys(value)
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    defineMember(copy, name, copyPlain(read(value, name)))
  }
  return copy
}

/** Serialises a value as JSON. */
export const serialise = (value: unknown): string => stringify(copyPlain(value))

/** Defines an ordinary property, without the setters that an object inherits. */
export const defineMember = (object: object, key: string, value: unknown): boolean =>
  defineProperty(object, key, bare({ value, writable: true, enumerable: true, configurable: true }))

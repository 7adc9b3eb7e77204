/**
 * Built-ins of the language, taken when this script loads.
 *
 * A page may replace any of them later, and what it inherits with them. Between a call and the
 * person's answer only these are used, with loops in the place of iterators, records that inherit
 * nothing, and promises that `await` takes as they are. `test/pages/attack-builtins.test.ts`
 * replaces one after the other.
 *
 * @module
 */

// oxlint-disable-next-line typescript/unbound-method -- they are called through `apply`
const { bind, call } = Function.prototype

/** A method as a function of its object, whatever becomes of its prototype. */
export const uncurried = (method: unknown): unknown => apply(bind, call, [method])

const { setPrototypeOf } = Reflect
export const { apply, defineProperty, get: read, getOwnPropertyDescriptor: describe } = Reflect
export const { parse, stringify } = JSON
export const { create, hasOwn, keys } = Object
export const { isArray } = Array
export const { now } = Date

/** The one that async functions make, whatever a library has put in its place. */
const NativePromise = (async () => {})().constructor as PromiseConstructor

type Then = (
  promise: unknown,
  resolve: (value: never) => void,
  reject: (reason: unknown) => void,
) => void
const then = uncurried(read(NativePromise.prototype, 'then')) as Then

/** A record that inherits nothing, so that it has no members but its own, and no `then`. */
export function bare<T extends object>(record: T): T {
  setPrototypeOf(record, null)
  return record
}

/** A member that an object itself has. */
export function own(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null && hasOwn(object, key)
    ? read(object, key)
    : undefined
}

const CONSTRUCTOR = bare({ value: NativePromise })

/**
 * The same promise, which `await` takes as it is. It looks for `constructor`, and where a page has
 * replaced that, for `then`.
 */
export function locked<T>(promise: Promise<T>): Promise<T> {
  defineProperty(promise, 'constructor', CONSTRUCTOR)
  return promise
}

type Executor<T> = (resolve: (value: T) => void, reject: (reason: unknown) => void) => void

export const newPromise = <T>(executor: Executor<T>): Promise<T> =>
  locked(new NativePromise<T>(executor))

/** Hands on what becomes of a promise, or what is none. */
export function settle<T>(
  value: T | PromiseLike<T>,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): void {
  try {
    then(value, resolve, reject)
  } catch {
    resolve(value as T)
  }
}

/** A copy of JSON that inherits nothing, so that no `toJSON` has a say when it is written. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = isArray(value) ? bare([]) : create(null)
  const names = keys(value)
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    defineProperty(copy, name, bare({ ...MEMBER, value: plain(read(value, name)) }))
  }
  return copy
}

const MEMBER = { writable: true, enumerable: true, configurable: true }

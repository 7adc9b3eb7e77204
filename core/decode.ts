/**
 * Decoders of untrusted JSON, built from smaller ones: each returns a value of its type, or undefined for anything else.
 * The type follows from the decoder, so that the two sides of a wire share one definition.
 *
 * `test/core/decode.test.ts` has the table.
 *
 * @module
 */

import { isRecord, own, type JsonRecord } from './json.ts'

/** Returns the value if it has the type, and undefined otherwise. */
export type Decode<T> = (value: unknown) => T | undefined

/** The type that a decoder returns. */
export type Decoded<D> = D extends Decode<infer T> ? T : never

/** A string. */
export const text: Decode<string> = (value) => (typeof value === 'string' ? value : undefined)

/** A finite number. */
export const number: Decode<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** A boolean. */
export const flag: Decode<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

/** An object whose members are not known. */
export const record: Decode<JsonRecord> = (value) => (isRecord(value) ? value : undefined)

/** Any JSON value, which its reader has to decode. */
export const json: Decode<unknown> = (value) => value

/** One of a few words. */
export const oneOf =
  <const T extends string>(...words: readonly T[]): Decode<T> =>
  (value) =>
    words.find((word) => word === value)

/** A value or null. */
export const orNull =
  <T>(decode: Decode<T>): Decode<T | null> =>
  (value) =>
    value === null ? null : decode(value)

/** A list with at most as many items. A list with an item of another type is none. */
export const listOf =
  <T>(decode: Decode<T>, most = MAX_ITEMS): Decode<readonly T[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length > most) return undefined
    const items: T[] = []
    for (const one of value) {
      const item = decode(one)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }

/** Maximum number of items of a list, unless its decoder has another one. */
export const MAX_ITEMS = 100_000

/** A member that an object may lack. */
export interface Optional<T> {
  readonly optional: Decode<T>
}

/** Marks a member as one that an object may lack. */
export const optional = <T>(decode: Decode<T>): Optional<T> => ({ optional: decode })

type Member = Decode<unknown> | Optional<unknown>
type Members = Readonly<Record<string, Member>>

type OptionalNames<M extends Members> = {
  [Name in keyof M]: M[Name] extends Optional<unknown> ? Name : never
}[keyof M]

/** The object that members describe. */
export type ObjectOf<M extends Members> = {
  readonly [Name in Exclude<keyof M, OptionalNames<M>>]: Decoded<M[Name]>
} & {
  readonly [Name in OptionalNames<M>]?: (M[Name] extends Optional<infer T> ? T : never) | undefined
}

/** An object with these members; others are left out. */
export const object =
  <const M extends Members>(members: M): Decode<ObjectOf<M>> =>
  (value) => {
    if (!isRecord(value)) return undefined
    const found: [string, unknown][] = []
    for (const [name, member] of Object.entries(members)) {
      const given = own(value, name)
      if (typeof member !== 'function' && given === undefined) continue
      const decoded = (typeof member === 'function' ? member : member.optional)(given)
      if (decoded === undefined) return undefined
      found.push([name, decoded])
    }
    // Each member was decoded just now.
    return Object.fromEntries(found) as ObjectOf<M>
  }

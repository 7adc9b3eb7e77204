/**
 * Readers of settings: each turns one untrusted JSON value into a typed setting, and notes what is
 * wrong with it and where.
 *
 * A reader always returns a value of its type, so that one pass finds all problems. Whether the
 * settings may be used is decided by the notes: see `templates.ts`.
 *
 * @module
 */

import { escapePointerStep, isRecord, own, type JsonRecord } from '../json.ts'
import { MAX_SETTING_ITEMS, MAX_SETTING_LENGTH, MAX_SETTING_PROBLEMS } from './limits.ts'

/** A setting that cannot be used. */
export interface SettingProblem {
  /** JSON pointer (RFC 6901) of the setting. */
  readonly pointer: string
  readonly message: string
}

/** A value to read, with its place. */
export interface Place {
  readonly value: unknown
  readonly pointer: string
  /** Where problems are noted. */
  readonly problems: SettingProblem[]
}

/** Reads one setting. An absent one is `undefined`. */
export type Read<T> = (place: Place) => T

/** Notes a problem of a place. */
export function refuse({ pointer, problems }: Place, message: string): void {
  if (problems.length < MAX_SETTING_PROBLEMS) problems.push({ pointer, message })
}

/** Returns the place of a member or an item. */
export function placeOf({ value, pointer, problems }: Place, key: string | number): Place {
  const found = Array.isArray(value)
    ? value[Number(key)]
    : own(isRecord(value) ? value : {}, `${key}`)
  return { value: found, pointer: `${pointer}/${escapePointerStep(`${key}`)}`, problems }
}

/** Returns a reader of a text. An absent one is the default; with `null` as default it is required. */
export function text(standard: string | null): Read<string> {
  return (place) => {
    const { value } = place
    if (value === undefined && standard !== null) return standard
    if (typeof value !== 'string' || value.length > MAX_SETTING_LENGTH)
      refuse(place, `Expected a text of at most ${MAX_SETTING_LENGTH} characters`)
    else if (value !== '' || standard !== null) return value
    else refuse(place, 'Expected a text that is not empty')
    return standard ?? ''
  }
}

/** Reads the name of a tool; null if it is absent. */
export const toolName: Read<string | null> = (place) => {
  const { value } = place
  if (value === undefined) return null
  if (typeof value === 'string' && TOOL.test(value)) return value
  refuse(place, 'Expected the name of a tool: letters, digits and _ - . /')
  return null
}

const TOOL = /^[A-Za-z0-9_./-]{1,128}$/

/** Returns a reader of a switch. */
export function flag(standard: boolean): Read<boolean> {
  return (place) => {
    if (typeof place.value === 'boolean') return place.value
    if (place.value !== undefined) refuse(place, 'Expected true or false')
    return standard
  }
}

/** Returns a reader of an integer from 0. */
export function count(standard: number, max: number): Read<number> {
  return (place) => {
    const { value } = place
    if (value === undefined) return standard
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max)
      return value
    refuse(place, `Expected an integer from 0 to ${max}`)
    return standard
  }
}

/** Returns a reader of one of some words; the first is the default. */
export function oneOf<const T extends string>(words: readonly [T, ...T[]]): Read<T> {
  return (place) => {
    const { value } = place
    const found = words.find((word) => word === value)
    if (found === undefined && value !== undefined)
      refuse(place, `Expected one of: ${words.join(', ')}`)
    return found ?? words[0]
  }
}

/** Returns a reader of a list. An absent one is empty. */
export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (place) => {
    const { value } = place
    if (value === undefined) return []
    if (Array.isArray(value) && value.length <= MAX_SETTING_ITEMS)
      return value.map((_, index) => read(placeOf(place, index)))
    refuse(place, `Expected a list of at most ${MAX_SETTING_ITEMS} items`)
    return []
  }
}

/** Reads an object whose members are not checked. An absent one is empty. */
export const record: Read<JsonRecord> = (place) => {
  if (isRecord(place.value)) return place.value
  if (place.value !== undefined) refuse(place, 'Expected an object')
  return {}
}

/** The types that readers return. */
export type Settings<R> = { readonly [K in keyof R]: R[K] extends Read<infer T> ? T : never }

/** Returns a reader of an object; a member without a reader is a problem. */
export function object<R extends Readonly<Record<string, Read<unknown>>>>(
  readers: R,
): Read<Settings<R>> {
  return (place) => {
    for (const key of Object.keys(record(place)))
      if (!Object.hasOwn(readers, key)) refuse(placeOf(place, key), UNKNOWN)
    const entries = Object.entries(readers).map(([key, read]) => [key, read(placeOf(place, key))])
    // Each key has the value that its reader returned.
    return Object.fromEntries(entries) as Settings<R>
  }
}

const UNKNOWN = 'There is no such setting'

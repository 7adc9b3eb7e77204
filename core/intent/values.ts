/**
 * Values: looks up the value of a placeholder in the arguments of a call.
 *
 * Arguments are untrusted: only own properties are looked up, and every step is counted.
 *
 * @module
 */

import { isRecord, own } from '../json.ts'
import { MAX_RENDERED_LENGTH, type Line } from './line.ts'
import type { Field } from './template.ts'

// Arrays nested deeper than this show nothing, so that a circular array ends.
const MAX_ARRAY_DEPTH = 64

/** The current entry of the array that a group is repeated over. */
interface Pass {
  readonly array: string
  readonly index: number
}

/** What a part of a template is rendered with. */
export interface Rendering {
  readonly args: unknown
  readonly line: Line
  /** Null outside repeated groups. */
  readonly pass: Pass | null
}

/** The first array on the path of a key: its own key, its items, and the rest of the path. */
export interface Met {
  readonly array: string
  readonly items: readonly unknown[]
  readonly rest: readonly string[]
}

/** Follows a key to its end or to the first array. */
export function follow(from: unknown, path: readonly string[]): Met | { readonly value: unknown } {
  let value = from
  for (let at = 0; ; at++) {
    if (Array.isArray(value)) {
      return { array: path.slice(0, at).join('.'), items: value, rest: path.slice(at) }
    }
    const segment = path[at]
    if (segment === undefined) return { value }
    value = isRecord(value) ? own(value, segment) : undefined
  }
}

/** Returns the text of a placeholder, or null if it has no value. */
export function textOf(field: Field, rendering: Rendering): string | null {
  const texts: string[] = []
  let length = 0
  for (const value of valuesOf(field, rendering)) {
    const text = typeof value === 'string' ? value : jsonOf(value)
    texts.push(text)
    length += text.length
    if (length > MAX_RENDERED_LENGTH) break // a line cannot be longer
  }
  return texts.length > 0 ? texts.join(', ') : null
}

/** Yields the values of a placeholder: one, or those of an array, flattened. */
export function* valuesOf({ path }: Field, { args, line, pass }: Rendering): Generator<unknown> {
  line.spend(path.length)
  const met = follow(args, path)
  if (!('array' in met)) yield* leaves(met.value, [], line, 0)
  else if (met.array === pass?.array) yield* leaves(met.items[pass.index], met.rest, line, 0)
  else yield* leaves(met.items, met.rest, line, 0)
}

function* leaves(
  from: unknown,
  path: readonly string[],
  line: Line,
  depth: number,
): Generator<unknown> {
  line.spend(1)
  if (line.full || depth > MAX_ARRAY_DEPTH) return
  const met = follow(from, path)
  if (!('array' in met)) {
    if (isValue(met.value, line)) yield met.value
    return
  }
  for (const item of met.items) {
    yield* leaves(item, met.rest, line, depth + 1)
    if (line.full) return
  }
}

/** Whether a value can be shown. Blank text, null and values that JSON does not have are missing. */
function isValue(value: unknown, line: Line): boolean {
  if (typeof value === 'string') {
    const visible = value.search(/\S/)
    line.spend(visible < 0 ? value.length : visible)
    return visible >= 0
  }
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'boolean' || isRecord(value)
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '{…}'
  } catch {
    return '{…}' // a circular object, or a bigint inside
  }
}

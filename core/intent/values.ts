/**
 * Values: what the arguments of a call hold for a placeholder.
 *
 * Arguments come from strangers: only own properties are looked up, and every step is counted.
 *
 * @module
 */

import { isRecord, own } from '../json.ts'
import { MAX_RENDERED_LENGTH, type Line } from './line.ts'
import type { Field } from './template.ts'

// Arrays deeper in each other than this show nothing, so that a ring of arrays ends.
const MAX_ARRAY_DEPTH = 64

/** One index of one array, while a group is repeated over it. */
interface Pass {
  readonly array: string
  readonly index: number
}

/** What a part of a template is filled in with. */
export interface Rendering {
  readonly args: unknown
  readonly line: Line
  readonly pass: Pass | null
}

/** An array on the way along a key: its own key, its items, and the rest of the way. */
export interface Met {
  readonly array: string
  readonly items: readonly unknown[]
  readonly rest: readonly string[]
}

/** Goes along a key up to its end or to the first array. */
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

/** What a placeholder shows, or null when it is missing. */
export function textOf(field: Field, rendering: Rendering): string | null {
  const texts: string[] = []
  let length = 0
  for (const value of valuesOf(field, rendering)) {
    const text = typeof value === 'string' ? value : jsonOf(value)
    texts.push(text)
    length += text.length
    if (length > MAX_RENDERED_LENGTH) break // the line has no room for more
  }
  return texts.length > 0 ? texts.join(', ') : null
}

/** The values that a placeholder stands for: one, or those of an array, flattened. */
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

/** Whether there is something to show. What JSON has no word for does not count. */
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
    return '{…}' // a ring of objects, or a number too large for JSON somewhere inside
  }
}

/**
 * Values and places in them: reading, setting and removing at a JSON pointer, without changing what
 * was there.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import type { FormValue, Pointer } from './types.ts'

/** The place of a member or an item. */
export function below(pointer: Pointer, step: string | number): Pointer {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function stepsOf(pointer: Pointer): string[] {
  const [, ...steps] = pointer.split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function valueAt(value: FormValue, pointer: Pointer): FormValue {
  return stepsOf(pointer).reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)]
    return isRecord(at) ? own(at, step) : undefined
  }, value)
}

/**
 * The value with another one at a place. Undefined takes a member away, and leaves null in a list,
 * where nothing can be nothing. What is missing on the way is made.
 */
export function withValueAt(value: FormValue, pointer: Pointer, next: FormValue): FormValue {
  return replaced(value, stepsOf(pointer), next)
}

function replaced(value: unknown, [step, ...rest]: string[], next: unknown): unknown {
  if (step === undefined) return next
  if (Array.isArray(value)) {
    const index = Number(step)
    const item = replaced(value[index], rest, next)
    return Object.assign([...(value as unknown[])], { [index]: item ?? null })
  }
  const object = recordOf(value)
  const member = replaced(own(object, step), rest, next)
  return member === undefined ? without(object, step) : withMember(object, step, member)
}

/** Order is kept, and a member called `__proto__` is a member. */
function withMember(object: JsonRecord, name: string, member: unknown): JsonRecord {
  const entries = Object.entries(object)
  const at = entries.findIndex(([key]) => key === name)
  return Object.fromEntries(
    at < 0
      ? [...entries, [name, member]]
      : entries.map(([key, old]) => [key, key === name ? member : old]),
  )
}

function without(object: JsonRecord, name: string): JsonRecord {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

/** The object with a member under another name, in the same place. */
export function renamed(object: FormValue, from: string, to: string): FormValue {
  if (!isRecord(object)) return object
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value]),
  )
}

export function withoutItem(list: FormValue, index: number): FormValue {
  return Array.isArray(list) ? list.toSpliced(index, 1) : list
}

/** The list with an item moved; what would leave it stays. */
export function movedItem(list: FormValue, from: number, to: number): FormValue {
  if (!Array.isArray(list) || to < 0 || to >= list.length) return list
  const items: unknown[] = list
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from])
}

/** Whether two values are the same JSON. */
export function sameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > 100 || typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && sameJson(value, right.get(key), depth + 1))
  )
}

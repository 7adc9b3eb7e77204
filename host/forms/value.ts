/**
 * Reads, sets and removes values at a JSON Pointer; inputs are never modified.
 *
 * @module
 */

import { escapePointerStep, isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import type { FormValue, Pointer } from './types.ts'

/** Appends a step to a pointer, escaped as RFC 6901 requires. */
export function appendStep(pointer: Pointer, step: string | number): Pointer {
  return `${pointer}/${escapePointerStep(String(step))}`
}

/** Splits a pointer into unescaped steps. */
function parsePointer(pointer: Pointer): string[] {
  const [, ...steps] = pointer.split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at a pointer; undefined if there is none. */
export function getValueAt(value: FormValue, pointer: Pointer): FormValue {
  return parsePointer(pointer).reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)]
    return isRecord(at) ? own(at, step) : undefined
  }, value)
}

/**
 * Returns a copy with another value at a pointer. Undefined removes a member; in a list it becomes
 * null, since JSON lists have no gaps. Missing objects on the way are created.
 */
export function setValueAt(value: FormValue, pointer: Pointer, next: FormValue): FormValue {
  return replaceAt(value, parsePointer(pointer), next)
}

function replaceAt(value: unknown, [step, ...rest]: string[], next: unknown): unknown {
  if (step === undefined) return next
  if (Array.isArray(value)) {
    const index = Number(step)
    const item = replaceAt(value[index], rest, next)
    return Object.assign([...(value as unknown[])], { [index]: item ?? null })
  }
  const object = recordOf(value)
  const member = replaceAt(own(object, step), rest, next)
  return member === undefined ? removeMember(object, step) : setMember(object, step, member)
}

/** Keeps the order, and treats `__proto__` as an ordinary member. */
function setMember(object: JsonRecord, name: string, member: unknown): JsonRecord {
  const entries = Object.entries(object)
  const at = entries.findIndex(([key]) => key === name)
  return Object.fromEntries(
    at < 0
      ? [...entries, [name, member]]
      : entries.map(([key, old]) => [key, key === name ? member : old]),
  )
}

function removeMember(object: JsonRecord, name: string): JsonRecord {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

/** Renames a member and keeps its position. */
export function renameMember(object: FormValue, from: string, to: string): FormValue {
  if (!isRecord(object)) return object
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value]),
  )
}

/** Returns the list without one item. */
export function removeItem(list: FormValue, index: number): FormValue {
  return Array.isArray(list) ? list.toSpliced(index, 1) : list
}

/** Returns the list with one item moved; unchanged if the target is out of range. */
export function moveItem(list: FormValue, from: number, to: number): FormValue {
  if (!Array.isArray(list) || to < 0 || to >= list.length) return list
  const items: unknown[] = list
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from])
}

/** Whether two values are equal as JSON. */
export function isSameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > 100 || typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isSameJson(value, right.get(key), depth + 1))
  )
}

/**
 * Views of an author's objects: what a browser's method receives in their place, so that it reads each of
 * them once, at the step where it always does, and this script keeps what it has read.
 * `test/polyfill/approval/tool.test.ts` covers them.
 *
 * @module
 */

import { isObject, toDOMString } from '../idl.ts'
import { bare, copyPlain, defineProperty, keys, parse, stringify } from './builtins.ts'

/** Creates an object whose members are computed at the first read. */
export function viewOf(members: Readonly<Record<string, () => unknown>>): object {
  const view = {}
  const names = keys(members)
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    let known: { value: unknown } | null = null
    const get = () => (known ??= { value: members[name]?.() }).value
    defineProperty(view, name, bare({ enumerable: true, get }))
  }
  return view
}

/**
 * Creates an object that is written as the JSON of another one, which is read then, and once.
 *
 * @param keep Called with that JSON.
 */
export function viewJSON(given: unknown, keep: (text: string) => void): unknown {
  if (!isObject(given)) return given
  const toJSON = (): unknown => {
    const text: string | undefined = stringify(given)
    if (text === undefined) return text
    keep(text)
    return copyPlain(parse(text))
  }
  return bare({ toJSON })
}

/**
 * Converts a sequence of strings, once, and creates a sequence of the same strings.
 *
 * @param keep Called with the strings as JSON.
 */
export function viewStrings(given: unknown, keep: (text: string) => void): unknown {
  if (!isObject(given)) return given
  const list: string[] = bare([])
  // A loop throws a TypeError if the object is not iterable.
  for (const item of given as Iterable<unknown>) list[list.length] = toDOMString(item)
  keep(stringify(list))
  const iterate = () => {
    let at = 0
    return bare({ next: () => bare({ done: at >= list.length, value: list[at++] }) })
  }
  return bare({ [Symbol.iterator]: iterate })
}

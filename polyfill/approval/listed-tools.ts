/**
 * Listed tools and their extension members, which are kept beside a tool and never in a copy of it.
 *
 * A `Tool` of Chrome 160 has no members of its own, so that a copy of it would be empty, and could
 * not be called. The getter of its annotations is therefore wrapped, on the prototype. On the plain
 * objects that browsers listed before, the annotations are replaced. Where both are frozen,
 * {@link annotationsOf} still finds the members. `test/pages/polyfill/approval.slow.test.ts` covers
 * it on four kinds of contexts.
 *
 * @module
 */

import { isObject } from '../idl.ts'
import type { PageToolAnnotations } from '../page-types.ts'
import { define, type Undo } from '../undo.ts'
import { apply, defineMember, describe, hasOwn, own, read } from './builtins.ts'
import { findDirectory } from './same-origin-tools.ts'
import type { Members } from './tool.ts'

const known = new WeakMap<object, PageToolAnnotations>()

/** Adds extension members to the annotations of a listed tool. */
export function addMembers(tool: unknown, members: Members | null): void {
  if (!members || !isObject(tool)) return
  const value = merge(read(tool, 'annotations'), members)
  known.set(tool, value)
  if (hasOwn(tool, 'name')) defineMember(tool, 'annotations', value)
}

/** Makes the interface `Tool`, where there is one, list the members that are added. */
export function wrapAnnotations(): Undo {
  const prototype: unknown = Reflect.get(Object(Reflect.get(globalThis, 'Tool')), 'prototype')
  const get = isObject(prototype) && describe(prototype, 'annotations')?.get
  if (!get) return () => {}
  return define(prototype, {
    get annotations() {
      const own: unknown = apply(get, this, []) // throws for anything but a tool
      return known.get(this) ?? own
    },
  })
}

/**
 * Returns the annotations of a tool that is listed or registered, with the extension members.
 *
 * @returns Null if its author gave none.
 */
export function annotationsOf(tool: object): PageToolAnnotations | null {
  const added = known.get(tool) ?? own(tool, 'annotations')
  if (isObject(added)) return added
  // A page can add members to `Object.prototype`.
  const isPlain = Reflect.getPrototypeOf(tool) === Object.prototype
  const given = isPlain ? null : read(tool, 'annotations')
  const members = findDirectory(sourceOf(tool))?.membersOf(nameOf(tool)) ?? null
  return isObject(given) || members ? merge(given, members) : null
}

/** Returns the window in which a listed tool is registered; before Chrome 160 it was `window`. */
export const sourceOf = (tool: object): Window =>
  (own(tool, 'window') ?? read(tool, 'source')) as Window

/** Returns the name of a listed tool. */
export const nameOf = (tool: object): string => String(read(tool, 'name'))

/**
 * Merges annotations and members in alphabetical order, as Web IDL does. Annotations may be getters
 * of a prototype; what a page adds to `Object.prototype` is left out.
 */
function merge(given: unknown, members: Members | null): PageToolAnnotations {
  const all: Record<string, unknown> = { ...members }
  const annotations = isObject(given) ? given : {}
  for (const key in annotations)
    if (!hasOwn(all, key) && (hasOwn(annotations, key) || !(key in Object.prototype)))
      all[key] = read(annotations, key)
  // An entry sorts as its key does, because no key is continued by a comma.
  // oxlint-disable-next-line typescript/require-array-sort-compare
  return Object.fromEntries(Object.entries(all).sort())
}

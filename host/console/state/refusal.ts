/**
 * Finds the configuration field that a refusal of the server is about, from the words of its
 * message.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { textIn } from './storage.ts'

/** Returns a JSON Pointer such as `/roots/0/path`; null if the message names no field. */
export function placeOf(message: string, config: JsonRecord): string | null {
  const root = /\broot\.(\w+)|\broot entries|\bpattern\b|\bglob\b/.exec(message)
  if (root) return rootPlace(message, root[1], config['roots'])
  const name = Object.keys(config).find((key) => new RegExp(`\\b${key}\\b`).test(message))
  return name === undefined ? null : `/${name}`
}

function rootPlace(message: string, field: string | undefined, roots: unknown): string {
  if (!Array.isArray(roots)) return '/roots'
  const index = roots.findIndex((root) => {
    const path = textIn(root, 'path')
    return path !== null && message.includes(JSON.stringify(path))
  })
  if (index < 0) return '/roots'
  return field === undefined ? `/roots/${index}` : `/roots/${index}/${field}`
}

/**
 * Focuses a field and marks it as invalid, with `described` as its description. If the form has no
 * such field, the nearest enclosing one is used.
 */
export function pointOut(pointer: string, prefix: string, described: string): void {
  for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const field = document.getElementById(`${prefix}-input${place.replaceAll('/', ':')}`)
    if (!field) continue
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', described)
    field.focus()
    return
  }
}

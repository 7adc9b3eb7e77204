/**
 * The ids of documents: the URI of the file, which stays the same while the file is changed. What continues a long text has
 * the place in its fragment, for example `file:///a.md#line=201`.
 *
 * A sign of a file name is never a fragment, because the URI has it encoded. `test/worker/research/fetch.test.ts` has the
 * cases.
 *
 * @module
 */

import { pathOf, uriOf } from '#core/file-uri.ts'
import type { StorePath } from '#core/path.ts'

/** Where a part of a text begins: a line, and a column in it in UTF-16 units, both from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

const FRAGMENT = /#line=([1-9]\d{0,8})(?:&column=([1-9]\d{0,9}))?$/

/** Returns the id of a document, or of the part of it that begins at a place. */
export function idOf(path: StorePath, place: Place = { line: 1, column: 1 }): string {
  const { line, column } = place
  if (line === 1 && column === 1) return uriOf(path)
  return `${uriOf(path)}#line=${line}${column === 1 ? '' : `&column=${column}`}`
}

/** Reads an id; null for any other text. */
export function readId(id: string): { readonly path: StorePath; readonly place: Place } | null {
  const [fragment = '', line = '1', column = '1'] = FRAGMENT.exec(id) ?? []
  const uri = id.slice(0, id.length - fragment.length)
  const path = uri.includes('#') ? null : pathOf(uri)
  return path && { path, place: { line: Number(line), column: Number(column) } }
}

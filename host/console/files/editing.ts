/**
 * Texts that are open in an editor. They outlive the page, so that a look at another one loses nothing; before the
 * browser leaves, it asks. Reading a file again never replaces what was typed.
 * `test/host/console/files/editor.test.tsx` has the cases.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { plainEndings } from '#core/diff/keep-endings.ts'
import { basePath } from '../connect/workspace.ts'
import type { Source } from './source.ts'

/** A file that is open in an editor. */
export interface Editing {
  /** The path under which its workspace is served. */
  readonly base: string
  readonly path: string
  /** The text that the edits start from. */
  readonly source: Source
  /** What was typed, where every line ends with `\n`; null if the text is as it was. */
  readonly typed: string | null
}

const all = signal<readonly Editing[]>([])

/** Returns the text of a file that is open in an editor; null if it is not. */
export const editingOf = (path: string): Editing | null =>
  all.value.find((one) => isAt(one, basePath.value, path)) ?? null

/** Paths of this workspace with unsaved text. */
export const unsavedPaths = (): readonly string[] =>
  all.value.flatMap(({ base, path, typed }) =>
    base === basePath.value && typed !== null ? path : [],
  )

/** Opens the text of a file, or sets what edits of it start from. `typed` is what the field has. */
export function openEditing(path: string, source: Source, typed: string | null = null): void {
  const kept = typed === plainEndings(source.text) ? null : typed
  replace({ base: basePath.value, path, source, typed: kept })
}

/** Notes what was typed. */
export function typeText(path: string, text: string): void {
  const editing = editingOf(path)
  if (editing) openEditing(path, editing.source, text)
}

/** Closes the editor of a file, and drops what was typed. */
export function closeEditing(path: string): void {
  set(all.value.filter((one) => !isAt(one, basePath.value, path)))
}

/** Moves what is open to the new path of a file or folder. */
export function moveEditing(from: string, to: string): void {
  const base = basePath.value
  const move = (one: Editing): Editing =>
    one.base === base && (one.path === from || one.path.startsWith(`${from}/`))
      ? { ...one, path: to + one.path.slice(from.length) }
      : one
  set(all.value.map(move))
}

/** The text of an editor as it is now. */
export const textOfEditing = ({ source, typed }: Editing): string =>
  typed ?? plainEndings(source.text)

const isAt = (one: Editing, base: string, path: string) => one.base === base && one.path === path

function replace(editing: Editing): void {
  const others = all.value.filter((one) => !isAt(one, editing.base, editing.path))
  set([...others, editing])
}

function set(next: readonly Editing[]): void {
  all.value = next
  if (next.some(({ typed }) => typed !== null)) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

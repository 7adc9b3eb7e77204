/**
 * Notes on globs that found nothing and cannot mean what they say: syntax of other programs, which is plain text here.
 *
 * `test/worker/tools/search-globs.test.ts` has the table.
 *
 * @module
 */

import { nameOf, resolvePath, type StorePath } from '#core/path.ts'
import type { FileView } from '../../access/file-view.ts'

/** What a glob has, and what to send instead. */
const FOREIGN: readonly (readonly [found: RegExp, advice: string])[] = [
  [/^!(?!\()/, 'a leading ! is part of the name: use exclude'],
  [/!\(/, '!(a) is plain text: exclude a with another argument, and match the rest with *'],
  [/[+@]\([^)]*\)/, '+(a|b) is plain text: use {a,b}'],
  [/[?*]\([^)]*\|[^)]*\)/, '(a|b) is plain text: use {a,b}'],
  [/\\(?![*?[\]{}\\,!])/, '\\ makes the next character plain: use / between folders'],
  [/[^/]\*\*|\*\*[^/*]/, '** spans folders only as a whole segment: use **/*'],
  [/\[[^\]]*\]/, 'brackets are a class: put \\ before each for the character'],
]

/** What separates globs elsewhere: a comma outside of braces, or one of these before another glob. */
const SEPARATOR = /,|[|;]\s*[*!.\w]|\s+(?=[*!])/

/** Says why a glob cannot mean what it says; null if it can. */
function explainGlob(text: string): string | null {
  const outside = text.replace(/\{[^{}]*\}/g, '')
  if (SEPARATOR.test(outside.replace(/\([^)]*\)/g, '')))
    return `${quote(text)} is one glob: use {a,b} for several`
  const advice = FOREIGN.find(([found]) => found.test(outside))?.[1]
  return advice === undefined ? null : `in ${quote(text)}, ${advice}`
}

const quote = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** The files in which a glob found nothing. */
export interface SearchedFolder {
  readonly root: StorePath
  readonly store: Pick<FileView, 'stat'>
}

/** Says why a glob without a match cannot match what is in a folder; null if it can. */
export function explainGlobIn(text: string, { root, store }: SearchedFolder): string | null {
  const path = text.replace(/^(?:\.?\/)+|\/$/g, '')
  const [first = ''] = path.split('/')
  const find = (relative: string) => {
    const place = resolvePath(relative, root)
    return place.ok ? store.stat(place.value) : null
  }
  const isPlain = !/[*?[\]{}\\]/.test(path)
  if (isPlain && find(path)?.type === 'folder')
    return `${quote(text)} is a folder: use ${quote(`${path}/**`)}`
  if (path !== first && first === nameOf(root) && !find(first))
    return `globs are relative to root: leave ${quote(`${first}/`)} out`
  return explainGlob(text)
}

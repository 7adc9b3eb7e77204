/**
 * The unified format: writes changes of files as a patch that `git apply` and `patch -p1` accept.
 *
 * What the format has no lines for (a file that is added, deleted or renamed, or content that is not text)
 * is written in git's extended headers. Names are quoted as git quotes them; in the first line of a file
 * also names with a space, because `patch` ends a name there. `test/e2e/diff.test.ts` runs both programs on
 * the output.
 *
 * @module
 */

import type { DiffLine, Hunk } from './hunks.ts'
import { quoteName, quoteSpaces } from './quote.ts'

/** The change of one file. */
export interface FileDiff {
  /** Its path before, null for a new file. A leading slash is omitted in the patch. */
  readonly from: string | null
  /** Its path after, null for a deleted file. */
  readonly to: string | null
  /** Whether its content changed without being shown line by line. */
  readonly binary: boolean
  readonly hunks: readonly Hunk[]
}

const NOWHERE = '/dev/null'
const NO_NEWLINE = '\\ No newline at end of file'
// Without a header line, git ignores such a file and may apply only the other files.
const SAME_MODE = ['old mode 100644', 'new mode 100644']
const SIGNS = { context: ' ', delete: '-', insert: '+' } as const

/** Formats the changes as one patch. */
export function printUnified(files: readonly FileDiff[]): string {
  return files
    .flatMap(linesOf)
    .map((line) => `${line}\n`)
    .join('')
}

function linesOf(file: FileDiff): string[] {
  const { from, to, binary, hunks } = file
  const oldName = nameOf('a', from ?? to)
  const newName = nameOf('b', to ?? from)
  const headers = extendedHeaders(file)
  if (headers.length === 0 && hunks.length === 0) return []

  // An edit in place needs no git header, so that every program can read it.
  const git = `diff --git ${quoteSpaces(oldName)} ${quoteSpaces(newName)}`
  const lines = headers.length === 0 ? [] : [git, ...headers]
  const oldSide = from === null ? NOWHERE : oldName
  const newSide = to === null ? NOWHERE : newName
  if (binary)
    return [...lines, `Binary files ${quoteName(oldSide)} and ${quoteName(newSide)} differ`]
  if (hunks.length === 0) return lines
  lines.push(`--- ${headerName(oldSide)}`, `+++ ${headerName(newSide)}`)
  return lines.concat(hunks.flatMap(hunkLines))
}

function extendedHeaders({ from, to, binary, hunks }: FileDiff): readonly string[] {
  if (from === null && to === null) return []
  if (from === null) return ['new file mode 100644']
  if (to === null) return ['deleted file mode 100644']
  if (from === to) return binary ? SAME_MODE : []
  const same = !binary && hunks.length === 0
  return [
    ...(same ? ['similarity index 100%'] : []),
    `rename from ${quoteName(relative(from))}`,
    `rename to ${quoteName(relative(to))}`,
  ]
}

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string[] {
  const header = `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`
  return [header, ...lines.flatMap(lineOf)]
}

function lineOf({ kind, text, noNewline }: DiffLine): string[] {
  const line = SIGNS[kind] + text
  return noNewline ? [line, NO_NEWLINE] : [line]
}

function rangeOf(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${start},${lines}`
}

function nameOf(side: 'a' | 'b', path: string | null): string {
  return `${side}/${relative(path ?? '')}`
}

function relative(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path
}

/** Formats a name at the end of a line; a tab after it marks its spaces as part of the name. */
function headerName(name: string): string {
  return name.includes(' ') ? `${quoteName(name)}\t` : quoteName(name)
}

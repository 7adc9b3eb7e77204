/**
 * The unified format: writes changes of files as a patch that `git apply` and `patch -p1` accept.
 *
 * What the format has no lines for (a file that is added, deleted or renamed, or content that is not text)
 * is written in git's extended headers. `test/e2e/diff.test.ts` runs both programs on the output.
 *
 * Names are quoted as git quotes them: a name with a control character, a quote, a backslash or anything
 * beyond ASCII is quoted, and each such byte of its UTF-8 form becomes an escape of the C language. Unlike in
 * git, a name with a space at either end is quoted too, because `patch` would ignore that space; in the first
 * line of a file any name with a space is, because `patch` ends a name there.
 *
 * @module
 */

import type { DiffLine, Hunk } from './hunks.ts'

/** The change of one file. */
export interface FileDiff {
  /** Its path before, null for a new file. A leading slash is omitted in the patch. */
  readonly from: string | null
  /** Its path after, null for a deleted file. */
  readonly to: string | null
  /** Whether its content changed without being shown line by line. */
  readonly binary: boolean
  readonly hunks: readonly Hunk[]
  /** Whether it was and is executable, unless it never was. */
  readonly executable?: Modes
}

/** Whether a file is executable before and after a change; false where there is no file. */
export interface Modes {
  readonly before: boolean
  readonly after: boolean
}

const NOWHERE = '/dev/null'
const NO_NEWLINE = '\\ No newline at end of file'
const NEVER: Modes = { before: false, after: false }
const SIGNS = { context: ' ', delete: '-', insert: '+' } as const

/** Formats the changes as one patch. */
export function printUnified(files: readonly FileDiff[]): string {
  return files
    .filter((file) => file.hunks.length > 0 || extendedHeaders(file).length > 0)
    .flatMap((file, at, all) => linesOf(file, all[at - 1]))
    .map((line) => `${line}\n`)
    .join('')
}

function linesOf(file: FileDiff, last: FileDiff | undefined): string[] {
  const { from, to, binary, hunks } = file
  const oldName = nameOf('a', from ?? to)
  const newName = nameOf('b', to ?? from)
  const headers = extendedHeaders(file)

  // An edit in place needs no git header, so that every program can read it. After a file without lines it does, because
  // git would take its names for those of that file.
  const isPlain = headers.length === 0 && last?.hunks.length !== 0
  const git = `diff --git ${quoteSpaces(oldName)} ${quoteSpaces(newName)}`
  const lines = isPlain ? [] : [git, ...headers]
  const oldSide = from === null ? NOWHERE : oldName
  const newSide = to === null ? NOWHERE : newName
  if (binary)
    return [...lines, `Binary files ${quoteName(oldSide)} and ${quoteName(newSide)} differ`]
  if (hunks.length === 0) return lines
  lines.push(`--- ${headerName(oldSide)}`, `+++ ${headerName(newSide)}`)
  return lines.concat(hunks.flatMap(hunkLines))
}

function extendedHeaders({
  from,
  to,
  binary,
  hunks,
  executable: { before, after } = NEVER,
}: FileDiff): readonly string[] {
  if (from === null && to === null) return []
  if (from === null) return [`new file mode ${modeOf(after)}`]
  if (to === null) return [`deleted file mode ${modeOf(before)}`]
  // Without a header line, git ignores a binary file and may apply only the other files.
  const isNamed = before !== after || (binary && from === to)
  const modes = isNamed ? [`old mode ${modeOf(before)}`, `new mode ${modeOf(after)}`] : []
  if (from === to) return modes
  const same = !binary && hunks.length === 0
  return [
    ...modes,
    ...(same ? ['similarity index 100%'] : []),
    `rename from ${quoteName(relative(from))}`,
    `rename to ${quoteName(relative(to))}`,
  ]
}

const modeOf = (isExecutable: boolean) => (isExecutable ? '100755' : '100644')

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

const UNUSUAL = /[^ !#-[\]-~]/u

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
])

/** Quotes a name if it needs quotes. */
export function quoteName(name: string): string {
  return UNUSUAL.test(name) || name.trim() !== name ? addQuotes(name) : name
}

/** Quotes a name also if it contains a space, for places where a space ends a name. */
function quoteSpaces(name: string): string {
  return name.includes(' ') ? addQuotes(name) : quoteName(name)
}

function addQuotes(name: string): string {
  const escaped = Array.from(name.toWellFormed(), (char) =>
    UNUSUAL.test(char) ? escape(char) : char,
  )
  return `"${escaped.join('')}"`
}

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0
  return ESCAPES.get(code) ?? utf8Of(code).map(octal).join('')
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`
}

function utf8Of(code: number): number[] {
  if (code < 0x80) return [code]
  if (code < 0x800) return [0xc0 | (code >> 6), continuation(code)]
  if (code < 0x10000) return [0xe0 | (code >> 12), continuation(code >> 6), continuation(code)]
  return [
    0xf0 | (code >> 18),
    continuation(code >> 12),
    continuation(code >> 6),
    continuation(code),
  ]
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f)
}

/**
 * Globs: patterns for paths, such as `src/*.{ts,tsx}`.
 *
 * Patterns are untrusted, so none may take more than linear time: a pattern is parsed into pieces
 * (`glob/pieces.ts`) and compiled to an automaton (`glob/machine.ts`), without expanding braces.
 * `test/core/glob.test.ts` has the table, and an oracle that expands and backtracks.
 *
 * @module
 */

import { ASCII, HIDDEN_DOT, Machine, NOWHERE } from './glob/machine.ts'
import type { Pattern } from './glob/literals.ts'
import { MAX_GLOB_LENGTH, readPieces } from './glob/pieces.ts'
import { err, ok, type Result } from './result.ts'

export { globToLiteral, literalFolder, literalPrefix } from './glob/literals.ts'
export { MAX_BRACE_DEPTH, MAX_GLOB_LENGTH } from './glob/pieces.ts'

/** A checked pattern. Only {@link parseGlob} makes one. */
export interface Glob extends Pattern {
  readonly pattern: string
  readonly machine: Machine
}

/** Options of {@link parseGlob}. */
export interface GlobOptions {
  /** Default true. If false, characters match in lower and upper case. */
  readonly caseSensitive?: boolean
}

/**
 * Parses a pattern. The error gives the reason and the position.
 *
 * - `*` matches any text without a slash, also the empty text. `?` matches one character but a slash.
 * - `**` as a whole segment matches any number of segments, also none; elsewhere, as in `a**b`, it means
 *   `*`. So a pattern that ends in a slash and `**` also matches the folder before it.
 * - `{a,b}` matches either alternative. An alternative may contain slashes and braces, or be empty.
 * - `[a-c]` matches one of these characters; `[!a]` and `[^a]` match one other character, but never a
 *   slash. A `]` that comes first belongs to the class.
 * - `\` makes the next character literal. A slash at either end, or after another slash, is ignored.
 *   Every other character is literal, including a leading `!` or dot.
 */
export function parseGlob(
  text: string,
  { caseSensitive = true }: GlobOptions = {},
): Result<Glob, string> {
  if (text.length > MAX_GLOB_LENGTH) return err(`it is longer than ${MAX_GLOB_LENGTH} characters`)
  const pattern = text.normalize('NFC')
  const pieces = readPieces(pattern)
  if (!pieces.ok) return pieces
  const machine = new Machine(pieces.value, caseSensitive)
  return ok({ pattern, caseSensitive, pieces: pieces.value, machine })
}

export interface MatchOptions {
  /** Default true. If false, only a literal dot at the beginning of a segment matches one there, as in a shell. */
  readonly hidden?: boolean
}

/**
 * Whether the whole path matches. The path must have the form that `relativeTo` in path.ts returns: in
 * NFC, without a slash at either end.
 */
export function matches(
  { machine }: Glob,
  relativePath: string,
  { hidden = true }: MatchOptions = {},
): boolean {
  let state = machine.start
  for (let at = 0; at < relativePath.length; at++) {
    let code = relativePath.codePointAt(at) ?? 0
    if (!hidden && isHiddenDot(relativePath, at)) code = HIDDEN_DOT
    else if (code > 0xffff) at++
    const next = code < ASCII ? state.ascii[code] : state.beyond.get(code)
    state = next ?? machine.step(state, code)
    if (state === NOWHERE) return false
  }
  return state.accepts
}

/**
 * Whether a path below a folder could match, hidden ones included. The path of the folder has the form that `relativeTo` in
 * path.ts returns.
 */
export function canMatchBelow({ machine }: Glob, folder: string): boolean {
  let state = machine.start
  for (const char of folder === '' ? '' : `${folder}/`) {
    state = machine.step(state, char.codePointAt(0) ?? 0)
    if (state === NOWHERE) return false
  }
  return true
}

const isHiddenDot = (path: string, at: number) =>
  path.charAt(at) === '.' && (at === 0 || path.charAt(at - 1) === '/')

/** Whether a path has a segment that begins with a dot. */
export const isHiddenPath = (path: string): boolean => path.startsWith('.') || path.includes('/.')

/**
 * Returns a pattern with its brackets as plain characters, as folders of some frameworks have in their names; null if it
 * has none.
 */
export function withPlainBrackets(pattern: string): string | null {
  const plain = pattern.replace(/\\.|[[\]]/gsu, (token) =>
    token.length > 1 ? token : `\\${token}`,
  )
  return plain === pattern ? null : plain
}

/**
 * Globs: patterns for paths, such as `src/*.{ts,tsx}`.
 *
 * Patterns come from strangers, so none may take more than linear time: a pattern is read into
 * pieces (`glob/pieces.ts`), and those become an automaton (`glob/machine.ts`); braces are not
 * expanded. `test/core/glob.test.ts` has the table, and an oracle that expands and backtracks.
 *
 * @module
 */

import { ASCII, Machine, NOWHERE } from './glob/machine.ts'
import type { Pattern } from './glob/literals.ts'
import { MAX_GLOB_LENGTH, readPieces } from './glob/pieces.ts'
import { err, ok, type Result } from './result.ts'

export { globToLiteral, literalPrefix } from './glob/literals.ts'
export { MAX_BRACE_DEPTH, MAX_GLOB_LENGTH } from './glob/pieces.ts'

/** A checked pattern. Only {@link parseGlob} makes one. */
export interface Glob extends Pattern {
  readonly pattern: string
  readonly machine: Machine
}

export interface GlobOptions {
  /** Default true. Otherwise characters match in lower and upper case. */
  readonly caseSensitive?: boolean
}

/**
 * Reads a pattern. The error says why there is none in the text, and where.
 *
 * - `*` is any text without a slash, also none, and `?` is one character other than a slash.
 * - `**` is any number of segments, also none, where it has a segment to itself; elsewhere, as in
 *   `a**b`, it is `*`. So a pattern that ends in a slash and `**` also matches the folder before.
 * - `{a,b}` is one of the two; slashes, braces and nothing may stand in it.
 * - `[a-c]` is one of these, `[!a]` and `[^a]` one that is not, never a slash. A `]` that comes
 *   first belongs to the class.
 * - `\` makes the next character plain. Slashes count as in paths: one at an end or after another
 *   adds nothing. Everything else is plain, a leading `!` or dot too.
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

/**
 * Whether the whole of a path matches. The path is one as `relativeTo` in path.ts gives it: in
 * NFC, without a slash at either end.
 */
export function matches({ machine }: Glob, relativePath: string): boolean {
  let state = machine.start
  for (let at = 0; at < relativePath.length; at++) {
    const code = relativePath.codePointAt(at) ?? 0
    if (code > 0xffff) at++
    const next = code < ASCII ? state.ascii[code] : state.beyond.get(code)
    state = next ?? machine.step(state, code)
    if (state === NOWHERE) return false
  }
  return state.accepts
}

/**
 * Name tests: which paths match a name, given as a regular expression or a glob, and what the store and the index of
 * names can tell before. `test/worker/tools/find-glob.test.ts` and `test/worker/search/names.laws.test.ts` test them.
 *
 * @module
 */

import { globToLiteral, parseGlob } from '#core/glob.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { WalkOptions } from '../store/store.ts'
import { loadCompilePattern } from './load.ts'
import type { Meter } from './meter.ts'
import { queryOfGlob, queryOfPattern } from './name-query.ts'
import { invalidGlob, nameOf, readPathGlob } from './path-glob.ts'
import type { Pattern } from './pattern.ts'

/** A name to find, as a caller gives it. */
export interface NamePattern {
  readonly pattern: string
  /** Whether it is a glob, and not a regular expression. */
  readonly glob: boolean
  readonly case_sensitive: boolean | 'auto'
  /** Whether it is plain text, which a name contains. */
  readonly literal?: boolean
}

/** Whether a path matches a name. */
export interface NameTest {
  /** The result is invalid once the meter is below 0. */
  test(relative: string, meter: Meter): boolean
  /** Whether a path that matches has hidden names only where a literal dot of a glob requests them. */
  requestsHidden?(relative: string, meter: Meter): boolean
  /** Whether only folders match. */
  readonly foldersOnly?: boolean
  /** Text that every matching path contains, so that the store can filter by it. */
  readonly holding?: WalkOptions['holding']
  /** The query of the index for it. */
  readonly names?: WalkOptions['names']
  /** A note in the result on how the pattern was read. */
  readonly note?: string
}

/** Builds the test of a name. An empty pattern matches every path. */
export async function createNameTest({
  pattern,
  glob,
  case_sensitive,
  literal = false,
}: NamePattern): Promise<Result<NameTest, Problem>> {
  if (pattern === '') return ok({ test: () => true })
  if (glob && !literal) return globTest(pattern, case_sensitive)
  const compilePattern = await loadCompilePattern()
  const compiled = compilePattern(pattern, { case: case_sensitive, literal })
  return compiled.ok
    ? ok(patternTest(compiled.value))
    : testInstead(pattern, case_sensitive, compiled.error)
}

function patternTest(compiled: Pattern): NameTest {
  return {
    test(relative, meter) {
      const matched = compiled.tryLine(nameOf(relative), meter)
      if (matched === null) meter.left = -1
      return matched === true
    },
    holding: holdingOfPattern(compiled),
    names: queryOfPattern(compiled),
  }
}

/** Reads what is no regular expression as a glob: models often send `*.txt`. */
function testInstead(
  pattern: string,
  sensitivity: boolean | 'auto',
  reason: string,
): Result<NameTest, Problem> {
  const mayBeGlob = /[*?]/.test(pattern) && !REGULAR.test(pattern)
  const asGlob = mayBeGlob ? globTest(pattern, sensitivity) : null
  if (asGlob?.ok) return ok({ ...asGlob.value, note: 'pattern was read as a glob' })
  const detail = `${reason}. For a glob such as *.txt, set glob to true`
  return err({ reason: 'bad_argument', code: 'INVALID_PATTERN', detail })
}

/** What only a regular expression has; one that is not supported must not be read as a glob that finds nothing. */
const REGULAR = /\(\?|\\|\$$/

function globTest(pattern: string, sensitivity: boolean | 'auto'): Result<NameTest, Problem> {
  const caseSensitive = sensitivity === 'auto' ? pattern !== pattern.toLowerCase() : sensitivity
  const read = readPathGlob(pattern, { caseSensitive })
  if (!read.ok) return err(invalidGlob('pattern', pattern, read.error))
  const { glob, foldersOnly, matches, matchesVisible } = read.value
  return ok({
    test: matches,
    requestsHidden: matchesVisible,
    foldersOnly,
    holding: holdingOfGlob(glob.pattern, !caseSensitive),
    names: queryOfGlob(glob),
  })
}

/**
 * SQLite folds the case of ASCII only, so a text with other letters cannot be searched there without case.
 */
function holdingOfGlob(pattern: string, fold: boolean): WalkOptions['holding'] {
  const exact = parseGlob(pattern)
  const text = exact.ok ? globToLiteral(exact.value) : null
  return text === null || (fold && /[^\x20-\x7e]/.test(text)) ? undefined : { text, fold }
}

/** Returns the longest text of a regular expression that SQLite can search for. */
function holdingOfPattern({ parts }: Pattern): WalkOptions['holding'] {
  // Where the pattern ignores case, the engine takes the long s for an s, and SQLite does not.
  const runs = parts.map((part) => (typeof part === 'string' ? part.replace('s', '/') : '/'))
  const [longest = ''] = runs
    .join('')
    .split('/')
    .toSorted((a, b) => b.length - a.length)
  return longest === '' ? undefined : { text: longest, fold: true }
}

/**
 * Path filter: skips hidden paths unless requested, and includes and excludes globs as gitignore does.
 *
 * An excluded folder excludes everything below it. Among globs that exclude, the last one that matches decides, and one that
 * begins with `!` includes again what those before it exclude. A segment of an including glob that begins with a literal dot requests
 * hidden names, as in a shell. Like `rg` and `fd` outside a repository, this module does not read `.gitignore` files.
 * `test/worker/tools/search-globs.test.ts` tests it.
 *
 * @module
 */

import { isHiddenPath } from '#core/glob.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { Meter } from './meter.ts'
import { invalidGlob, parentOf, readPathGlob, type PathGlob } from './path-glob.ts'

/** Options of {@link createFilter}. */
export interface FilterOptions {
  /** Whether to include names that begin with a dot. */
  readonly hidden: boolean
  /** Globs to exclude, in the order of a `.gitignore` file. */
  readonly exclude: readonly string[]
  /** Globs of the only files to include; a glob that begins with `!` excludes, as in `rg --glob`. */
  readonly include?: readonly string[]
}

/** Whether a path is wanted; `hidden` if it is not, only because of a name that begins with a dot. */
export type Verdict = 'wanted' | 'hidden' | 'excluded'

/**
 * Decides on a path, which is relative to the searched folder. The result is meaningless once the
 * meter is below 0.
 */
export type Filter = (path: string, type: 'file' | 'folder', meter: Meter) => Verdict

/** Parses the globs of a filter. The error names the argument and the first invalid glob. */
export function createFilter({
  hidden,
  exclude,
  include = [],
}: FilterOptions): Result<Filter, Problem> {
  const negated = include.filter(isNegated).map((text) => text.slice(1))
  const out = readRules([...exclude, ...negated])
  if (!out.ok) return out
  const included = include.filter((text) => !isNegated(text))
  const only = readGlobs(included, 'glob')
  if (!only.ok) return only
  const isExcluded = createExclusion(out.value)

  return ok((path, type, meter) => {
    if (isExcluded(path, type, meter)) return 'excluded'
    const isOpen = hidden || !isHiddenPath(path)
    if (type === 'folder' || only.value.length === 0) return isOpen ? 'wanted' : 'hidden'
    const globs = only.value.filter((glob) => !glob.foldersOnly)
    const isMatch = globs.some((glob) => glob.matches(path, meter))
    if (!isMatch || isOpen) return isMatch ? 'wanted' : 'excluded'
    return globs.some((glob) => glob.matchesVisible(path, meter)) ? 'wanted' : 'hidden'
  })
}

/** A glob that excludes, or includes again what those before it exclude. */
interface Rule {
  readonly glob: PathGlob
  readonly includes: boolean
}

/** Whether a path, or a folder that it is in, is excluded by the last rule that matches it. */
function createExclusion(rules: readonly Rule[]): Matcher {
  if (rules.length === 0) return () => false
  const folders = new Map<string, boolean>([['', false]])
  const isOut: Matcher = (path, type, meter) => {
    const last = rules.findLast(
      ({ glob }) =>
        meter.left >= 0 && !(glob.foldersOnly && type === 'file') && glob.matches(path, meter),
    )
    return last !== undefined && !last.includes
  }
  /** Checks each folder once, because many paths share it. */
  function isFolderOut(path: string, meter: Meter): boolean {
    const known = folders.get(path)
    if (known !== undefined) return known
    const judged = isFolderOut(parentOf(path), meter) || isOut(path, 'folder', meter)
    if (meter.left >= 0) folders.set(path, judged)
    return judged
  }
  return (path, type, meter) =>
    type === 'folder'
      ? isFolderOut(path, meter)
      : isFolderOut(parentOf(path), meter) || isOut(path, 'file', meter)
}

type Matcher = (path: string, type: 'file' | 'folder', meter: Meter) => boolean

function readRules(texts: readonly string[]): Result<Rule[], Problem> {
  const globs = readGlobs(
    texts.map((text) => (isNegated(text) ? text.slice(1) : text)),
    'exclude',
  )
  if (!globs.ok) return globs
  return ok(globs.value.map((glob, at) => ({ glob, includes: isNegated(texts[at] ?? '') })))
}

function readGlobs(texts: readonly string[], argument: string): Result<PathGlob[], Problem> {
  const globs: PathGlob[] = []
  for (const text of texts) {
    const glob = readPathGlob(text)
    if (!glob.ok) return err(invalidGlob(argument, text, glob.error))
    globs.push(glob.value)
  }
  return ok(globs)
}

const isNegated = (text: string) => text.startsWith('!')

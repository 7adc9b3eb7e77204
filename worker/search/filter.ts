/**
 * Path filter: skips hidden paths unless requested, and includes and excludes globs as gitignore does.
 *
 * A glob without a slash applies at any depth, one with a slash is relative to the searched folder, and an
 * excluded folder excludes everything below it. Like `rg` and `fd` outside a repository, this module does
 * not read `.gitignore` files.
 *
 * @module
 */

import { matches, parseGlob, type Glob } from '#core/glob.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { Meter } from './meter.ts'

/** Options of {@link createFilter}. */
export interface FilterOptions {
  /** Whether to include names that begin with a dot. */
  readonly hidden: boolean
  /** Globs to exclude. */
  readonly exclude: readonly string[]
  /** Globs of the only files to include; a glob that begins with `!` excludes, as in `rg --glob`. */
  readonly include?: readonly string[]
}

/**
 * Whether to search a path, which is relative to the searched folder. The result is meaningless once the
 * meter is below 0.
 */
export type Filter = (path: string, type: 'file' | 'folder', meter: Meter) => boolean

/** Characters that a glob matches in the time of one step if its states are cached. */
const NAME_PER_STEP = 16

interface Rule {
  readonly glob: Glob
  readonly anchored: boolean
  readonly foldersOnly: boolean
}

/** Parses the globs of a filter. The error names the argument and the first invalid glob. */
export function createFilter({
  hidden,
  exclude,
  include = [],
}: FilterOptions): Result<Filter, Problem> {
  const out = readRules(
    [...exclude, ...include.filter(isNegated).map((text) => text.slice(1))],
    'exclude',
  )
  if (!out.ok) return out
  const only = readRules(
    include.filter((text) => !isNegated(text)),
    'glob',
  )
  if (!only.ok) return only

  const folders = new Map<string, boolean>([['', false]])
  function leftOut(path: string, type: 'file' | 'folder', meter: Meter): boolean {
    if (!hidden && nameOf(path).startsWith('.')) return true
    return out.ok && out.value.some((rule) => applies(rule, path, type, meter))
  }
  /** Checks each folder once, because many paths share it. */
  function folderLeftOut(path: string, meter: Meter): boolean {
    const known = folders.get(path)
    if (known !== undefined) return known
    const judged = folderLeftOut(parentOf(path), meter) || leftOut(path, 'folder', meter)
    if (meter.left >= 0) folders.set(path, judged)
    return judged
  }

  return ok((path, type, meter) => {
    if (type === 'folder') return !folderLeftOut(path, meter)
    if (folderLeftOut(parentOf(path), meter) || leftOut(path, 'file', meter)) return false
    return only.value.length === 0 || only.value.some((rule) => applies(rule, path, 'file', meter))
  })
}

function readRules(texts: readonly string[], argument: string): Result<Rule[], Problem> {
  const rules: Rule[] = []
  for (const text of texts) {
    const foldersOnly = text.endsWith('/')
    const body = foldersOnly ? text.slice(0, -1) : text
    const anchored = body.includes('/')
    const glob = parseGlob(body.replace(/^\//, ''))
    if (!glob.ok) return err(invalidGlob(argument, text, glob.error))
    rules.push({ glob: glob.value, anchored, foldersOnly })
  }
  return ok(rules)
}

/** Builds the problem for a glob that cannot be parsed. `argument` is the name of the argument. */
export function invalidGlob(argument: string, text: string, reason: string): Problem {
  const detail = `Cannot use the ${argument} ${JSON.stringify(text.slice(0, 200))}: ${reason}`
  return { reason: 'bad_argument', code: 'INVALID_GLOB', detail }
}

function applies(
  { glob, anchored, foldersOnly }: Rule,
  path: string,
  type: 'file' | 'folder',
  meter: Meter,
): boolean {
  if (meter.left < 0 || (foldersOnly && type === 'file')) return false
  return matchesMetered(glob, anchored ? path : nameOf(path), meter)
}

/** Whether a path matches. Subtracts the steps used from the meter. */
export function matchesMetered(glob: Glob, path: string, meter: Meter): boolean {
  const before = glob.machine.steps
  const matched = matches(glob, path)
  meter.left -= glob.machine.steps - before + path.length / NAME_PER_STEP
  return matched
}

const isNegated = (text: string) => text.startsWith('!')
const parentOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** Returns the last segment of a path. */
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

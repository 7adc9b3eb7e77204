/**
 * Globs of tool calls: a glob without a slash applies to names at any depth, one with a slash to paths from the searched
 * folder on, as in `.gitignore`.
 *
 * Names have brackets, as in `app/[slug]`, so brackets are read in both ways: as a class, and as they are.
 * `test/worker/tools/search-globs.test.ts` tests them.
 *
 * @module
 */

import {
  isHiddenPath,
  matches,
  parseGlob,
  withPlainBrackets,
  type Glob,
  type GlobOptions,
} from '#core/glob.ts'
import { ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { Meter } from './meter.ts'

/** A checked glob. */
export interface PathGlob {
  /** The reading in which brackets are a class. */
  readonly glob: Glob
  /** Whether it ends in a slash, and so applies to folders only. */
  readonly foldersOnly: boolean
  /** Whether a path matches. The result is invalid once the meter is below 0. */
  readonly matches: (path: string, meter: Meter) => boolean
  /** Whether it does, and each hidden name in the path is requested by a literal dot of the glob. */
  readonly matchesVisible: (path: string, meter: Meter) => boolean
}

/** Characters that a glob matches in the time of one step if its states are cached. */
const NAME_PER_STEP = 16

/** Parses a glob. The error is a reason. */
export function readPathGlob(sent: string, options: GlobOptions = {}): Result<PathGlob, string> {
  const text = withoutBlanks(sent)
  const body = text.replace(/(?<=[^\\/])\/$/, '')
  const isAnchored = body.includes('/')
  const pattern = body.replace(/^(?:\.?\/)+/, '')
  const glob = parseGlob(pattern, options)
  if (!glob.ok) return glob
  const plain = withPlainBrackets(pattern)
  const second = plain === null ? null : parseGlob(plain, options)
  const readings = second?.ok ? [glob.value, second.value] : [glob.value]

  function test(path: string, meter: Meter, hidden: boolean): boolean {
    const place = isAnchored ? path : nameOf(path)
    return readings.some((one) => meter.left >= 0 && matchesMetered(one, place, { meter, hidden }))
  }
  return ok({
    glob: glob.value,
    foldersOnly: body !== text,
    matches: (path, meter) => test(path, meter, true),
    matchesVisible: (path, meter) =>
      (isAnchored || !isHiddenPath(parentOf(path))) && test(path, meter, false),
  })
}

/** Returns a glob without the blanks around it, which are never meant; after a `\\`, a blank is part of the name. */
const withoutBlanks = (text: string) => text.trimStart().replace(/(?<![\\\s])\s+$/, '')

/** Builds the problem for a glob that cannot be parsed. `argument` is the name of the argument. */
export function invalidGlob(argument: string, text: string, reason: string): Problem {
  const detail = `Cannot use the ${argument} ${JSON.stringify(text.slice(0, 200))}: ${reason}`
  return { reason: 'bad_argument', code: 'INVALID_GLOB', detail }
}

/** Whether a path matches. Subtracts the steps used from the meter. */
function matchesMetered(
  glob: Glob,
  path: string,
  { meter, hidden }: { readonly meter: Meter; readonly hidden: boolean },
): boolean {
  const before = glob.machine.steps
  const matched = matches(glob, path, { hidden })
  meter.left -= glob.machine.steps - before + path.length / NAME_PER_STEP
  return matched
}

/** Returns the path of the folder that has a path; empty for the searched folder. */
export const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** Returns the last segment of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * The part of the tree that a request may read, as ranges of paths, so that the store reads no row of what is hidden.
 *
 * The ranges hold every visible path. What a pattern refuses that is no range, such as all files of a name, is left
 * out after it was read. `test/worker/access/readable.test.ts` has a table, and `access.laws.test.ts` beside it compares the ranges
 * with the access of random requests.
 *
 * @module
 */

import { literalFolder, literalPrefix, type Glob } from '#core/glob.ts'
import {
  ancestorsOf,
  foldersAbove,
  isWithin,
  rangeBelow,
  resolvePath,
  type StorePath,
} from '#core/path.ts'
import type { Rules } from '#core/policy.ts'
import {
  intersectRanges,
  joinRanges,
  rangesAt,
  rangesWithin,
  subtractRanges,
  WHOLE,
  type PathRanges,
} from '../store/path-ranges.ts'
import type { Ceiling } from './ceiling.ts'
import { MAX_FOLDERS_ABOVE } from './limits.ts'

/** Rules, and the folders that may be read outside their roots. */
export interface OpenedRules {
  readonly rules: Rules
  readonly opened: readonly StorePath[]
}

/** Returns ranges with every path that the scopes and all rules let a request see. */
export function readableRanges(
  { folders, allowed, denied }: Pick<Ceiling, 'folders' | 'allowed' | 'denied'>,
  layers: readonly OpenedRules[],
): PathRanges {
  const lists = folders.map(({ read }, at) => [
    ...read,
    ...(at < allowed.lists ? allowed.read : []),
  ])
  const all = [...lists.map(rangesOfScopes), ...layers.map(rangesOfRules)]
  return subtractRanges(all.reduce(intersectRanges, WHOLE), rangesWithin(denied.read))
}

/**
 * The folders above what a scope covers are visible as well. Where there are very many, the ranges have all that is below
 * the topmost of them, because sorting folders that share a long beginning takes long.
 */
function rangesOfScopes(paths: readonly StorePath[]): PathRanges {
  const above: StorePath[] = []
  for (const folder of foldersAbove(paths))
    if (above.push(folder) > MAX_FOLDERS_ABOVE) return rangesWithin([...new Set(paths.map(topOf))])
  return joinRanges([...rangesWithin(paths), ...rangesAt(above)])
}

/** The folder in the root that a path is, or lies in. */
const topOf = (path: StorePath): StorePath => ancestorsOf(path)[0] ?? path

function rangesOfRules({ rules, opened }: OpenedRules): PathRanges {
  const { roots, blocked, allow_escape } = rules
  const inside = allow_escape ? WHOLE : rangesWithin([...roots, ...opened])
  const refused = joinRanges([
    ...refusedByDeny(rules),
    ...refusedByAllow(rules),
    ...refusedByNarrowing(rules),
  ])
  const left = subtractRanges(inside, subtractRanges(refused, rangesAt(roots)))
  return subtractRanges(left, rangesWithin(blocked))
}

/** Without what lies in a root below `base`, where the list does not apply. */
function upToRoots(
  ranges: PathRanges,
  { base, endsAtRoots }: Rules['deny'][number] | Rules['allow'][number],
  { roots }: Rules,
): PathRanges {
  const below = roots.filter((root) => endsAtRoots && root !== base && isWithin(root, base))
  return subtractRanges(ranges, rangesWithin(below))
}

function refusedByDeny(rules: Rules): PathRanges {
  return rules.deny.flatMap((list) => {
    const folder = literalFolder(list.glob)
    const path = folder === null ? null : pathIn(list.base, folder)
    return path === null ? [] : upToRoots(rangesWithin([path]), list, rules)
  })
}

function refusedByAllow(rules: Rules): PathRanges {
  return rules.allow.flatMap((list) => {
    const allowed = list.globs.map(
      (glob: Glob) => pathIn(list.base, literalPrefix(glob)) ?? list.base,
    )
    return upToRoots(subtractRanges([rangeBelow(list.base)], rangesWithin(allowed)), list, rules)
  })
}

function refusedByNarrowing({ narrowings }: Rules): PathRanges {
  const below = joinRanges(narrowings.map(({ root }) => rangeBelow(root)))
  return subtractRanges(below, rangesWithin(narrowings.flatMap(({ folders }) => folders)))
}

function pathIn(base: StorePath, relative: string): StorePath | null {
  const path = relative === '' ? null : resolvePath(relative, base)
  return path === null ? base : path.ok ? path.value : null
}

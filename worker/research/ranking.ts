/**
 * The best files of a search: few are kept, however many match. `test/worker/research/search.test.ts` tests it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'

/** A file with its score. */
export interface Ranked {
  readonly path: StorePath
  readonly score: number
}

/** Creates a ranking that keeps so many files. A file that comes again keeps its better score. */
export function createRanking(most: number) {
  let kept: Ranked[] = []
  return {
    add(file: Ranked): void {
      if (file.score <= 0 || isWorse(file, kept[most - 1])) return
      const others = kept.filter(({ path }) => path !== file.path)
      const known = kept.find(({ path }) => path === file.path)
      const better = known && known.score >= file.score ? known : file
      kept = [...others, better].toSorted(compare).slice(0, most)
    },
    /** Returns the files, the best first. */
    list: (): readonly Ranked[] => kept,
  }
}

const isWorse = (file: Ranked, last: Ranked | undefined) =>
  last !== undefined && compare(file, last) > 0

/** The order of results with the same score is that of their paths, so that it is always the same. */
const compare = (one: Ranked, other: Ranked) =>
  other.score - one.score || (one.path < other.path ? -1 : 1)

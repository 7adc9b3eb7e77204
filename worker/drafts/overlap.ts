/**
 * Which proposals of a draft depend on each other: those that concern a common path.
 *
 * A write concerns its path; a deletion and a move concern everything below theirs as well. Folders that a write
 * creates on its way are created by every write, so they connect nothing. `test/worker/drafts/overlap.test.ts`
 * compares the groups with a plain reading of this rule.
 *
 * @module
 */

import { ancestorsOf, type StorePath } from '#core/path.ts'
import type { Step } from '../store/store.ts'

/** A path that a step concerns, with everything below it if it is a tree. */
interface Concern {
  readonly path: StorePath
  readonly isTree: boolean
}

/** Something with steps; without them it concerns nothing that is known. */
export interface Stepped {
  readonly steps: readonly Step[] | null
}

/**
 * Assigns each proposal the number of its group: the position of the first proposal that it depends on, in any
 * number of steps.
 */
export function groupsOf(proposals: readonly Stepped[]): number[] {
  const groups = proposals.map((_, index) => index)
  const find = (index: number): number => {
    let top = index
    for (let above = groups[top]; above !== undefined && above !== top; above = groups[top])
      top = above
    groups[index] = top
    return top
  }
  const join = (a: number, b: number) => {
    const [first, second] = [find(a), find(b)].toSorted((x, y) => x - y)
    if (first !== undefined && second !== undefined) groups[second] = first
  }
  connect(proposals, join)
  return groups.map((_, index) => find(index))
}

/** Calls `join` with two proposals for each connection, often enough to connect whole groups. */
function connect(proposals: readonly Stepped[], join: (a: number, b: number) => void): void {
  const at = new Map<StorePath, number>()
  const trees = new Map<StorePath, number>()
  const concerns = proposals.map(({ steps }) => (steps ?? []).flatMap(concernsOf))
  const enter = (places: Map<StorePath, number>, path: StorePath, index: number) => {
    const other = places.get(path)
    if (other === undefined) places.set(path, index)
    else join(other, index)
  }
  for (const [index, list] of concerns.entries())
    for (const { path, isTree } of list) {
      enter(at, path, index)
      if (isTree) enter(trees, path, index)
    }
  for (const [index, list] of concerns.entries())
    for (const { path } of list)
      for (const above of ancestorsOf(path)) {
        const tree = trees.get(above)
        if (tree !== undefined) join(tree, index)
      }
}

function concernsOf(step: Step): Concern[] {
  if (step.type === 'move')
    return [
      { path: step.from, isTree: true },
      { path: step.to, isTree: true },
    ]
  return [{ path: step.path, isTree: step.type === 'remove' }]
}

/** Collects steps, and finds out whether others concern a path of theirs. */
export function collectConcerns() {
  const paths = new Set<StorePath>()
  const trees = new Set<StorePath>()
  /** Every folder above a path. */
  const above = new Set<StorePath>()
  const meets = ({ path, isTree }: Concern) =>
    paths.has(path) ||
    (isTree && above.has(path)) ||
    ancestorsOf(path).some((folder) => trees.has(folder))
  return {
    add(steps: readonly Step[]): void {
      for (const { path, isTree } of steps.flatMap(concernsOf)) {
        paths.add(path)
        if (isTree) trees.add(path)
        for (const folder of ancestorsOf(path)) above.add(folder)
      }
    },
    /** Whether a folder contains a path that was added. */
    isAbove: (folder: StorePath): boolean => above.has(folder),
    /** Whether steps, or what is read at and below `places`, concern a path that was added. */
    meets: (steps: readonly Step[], places: readonly StorePath[] = []): boolean =>
      steps.flatMap(concernsOf).some(meets) || places.some((path) => meets({ path, isTree: true })),
  }
}

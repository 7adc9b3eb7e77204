/**
 * The description of a change: what people and clients read about it, previewed or applied, and how much of it
 * a reader may see. `test/worker/access/previews.test.ts` tests the latter.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Access } from '../access/access.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { PlacedDiff } from './describe.ts'

/** The description of a change, previewed or applied. */
export interface Facts {
  readonly tool: string
  readonly intent: string
  /** False for a preview. */
  readonly applied: boolean
  /** Set for a change that waits in a draft; `url` is the page on which the owner decides, if it is known. */
  readonly waits?: { readonly url: string | null }
  /** The paths that the change names. */
  readonly paths: readonly StorePath[]
  readonly files: readonly PlacedDiff[]
  /** Number of files that are not in `files`. */
  readonly more: number
  /** Bytes of all files that are deleted or moved. */
  readonly bytes?: number
  /** Files of an applied change that cannot be compared: history has dropped their earlier state. */
  readonly forgotten?: number
  /**
   * `paths` may be incomplete, because history has dropped a part of the change or a preview was too large.
   */
  readonly incomplete?: true
  /** It is the difference between two moments, and no change. */
  readonly comparison?: true
  /** Files whose lines were left out, because all of them together are too large; counted when it is rendered. */
  readonly left_out?: number
}

/** Reduces a preview to what the reader may know, who may have less access than the call that made it. */
export function restrictFacts(facts: Facts, access: Access, store: ReadStore): Facts {
  if (facts.paths.every((path) => access.isOpenBelow(path))) return facts
  const { bytes: _bytes, more, ...rest } = facts
  const files = facts.files.flatMap((file) => restrictFile(file, facts.paths, access))
  const isAll = files.length === facts.files.length && files.every((file) => isRead(file, access))
  // Counts include hidden files, unless the reader could count as many itself.
  if (isAll && (more === 0 || countFiles(facts.paths, store) >= files.length + more)) return facts
  return { ...rest, files, more: 0 }
}

function countFiles(paths: readonly StorePath[], store: ReadStore): number {
  return paths.reduce((sum, path) => sum + store.measure(path).files, 0)
}

/** A file that the call did not name is left out unless the reader may read it. */
function restrictFile(file: PlacedDiff, named: readonly StorePath[], access: Access): PlacedDiff[] {
  if (isRead(file, access)) return [file]
  const { from, to } = file
  const isNamed = [from, to].every((path) => path === null || named.includes(path))
  return isNamed ? [{ from, to, binary: true, hunks: [] }] : []
}

function isRead({ from, to }: PlacedDiff, access: Access): boolean {
  return [from, to].every((path) => path === null || access.canRead(path))
}

/**
 * Shrinks the facts of a preview to one row, because SQLite limits the size of a row here.
 *
 * Paths are first cut to a quarter of the limit. Then the lines of the largest files are left out, because
 * their names and counts still say what happens.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { MAX_PREVIEW_BYTES } from '../limits.ts'
import type { Facts } from './facts.ts'
import { withoutLines } from './describe.ts'

const encoder = new TextEncoder()

/** Bytes of a value as JSON. */
const sizeOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/** Serializes facts as JSON of at most {@link MAX_PREVIEW_BYTES}. */
export function fitFacts(facts: Facts): string {
  if (sizeOf(facts) <= MAX_PREVIEW_BYTES) return JSON.stringify(facts)
  const paths = fitPaths(facts.paths, MAX_PREVIEW_BYTES / 4)
  const cut = paths.length < facts.paths.length ? { incomplete: true as const } : {}
  return JSON.stringify(withoutLargest({ ...facts, ...cut, paths }))
}

/** The first paths that fit. */
export function fitPaths(paths: readonly StorePath[], most: number): readonly StorePath[] {
  let left = most
  const end = paths.findIndex((path) => (left -= sizeOf(path) + 1) < 0)
  return end === -1 ? paths : paths.slice(0, end)
}

/** Leaves out the lines of files, the largest first, until the rest fits. */
function withoutLargest(facts: Facts): Facts {
  const files = [...facts.files]
  const sizes = files.map((file, index) => ({ index, size: sizeOf(file) }))
  let left = sizeOf(facts) - MAX_PREVIEW_BYTES
  for (const { index, size } of sizes.sort((one, other) => other.size - one.size)) {
    const file = files[index]
    if (left <= 0 || !file || file.hunks.length === 0) break
    files[index] = withoutLines(file)
    left -= size - sizeOf(files[index])
  }
  return { ...facts, files }
}

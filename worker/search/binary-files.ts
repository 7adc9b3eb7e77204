/**
 * The files that a search cannot read, because they are not text: a result without matches names them, as it would
 * otherwise say that what was searched for is not there.
 *
 * Where the caller sees all files, an index has the binary blobs, so that a workspace of text costs one look-up.
 * Otherwise only files that the caller sees are counted, and their number alone decides how far.
 * `test/worker/search/binary-files.test.ts` tests it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { justAfter, rangesBelow, type PathRanges } from '../store/path-ranges.ts'
import type { FileEntry } from '../store/store.ts'
import { joinFiles, readFiles, type Source } from './candidates.ts'

/** Binary files, in path order. */
export interface BinaryFiles {
  readonly files: readonly FileEntry[]
  /** Whether these are all. */
  readonly isComplete: boolean
}

/** What a caller sees of the files. */
export interface Sight {
  readonly within: PathRanges | undefined
  readonly sees: (file: FileEntry) => boolean
}

/** How much is read. */
export interface BinaryLimits {
  /** Blobs that are joined with their files; of more, files are read. */
  readonly blobs: number
  /** Files that the caller sees. */
  readonly files: number
}

const LIMITS: BinaryLimits = { blobs: 1_000, files: 10_000 }

/** Finds the files below a folder that are not text; without `sight`, of all files. */
export function findBinaryFiles(
  source: Source,
  folder: StorePath,
  sight?: Sight,
  limits = LIMITS,
): BinaryFiles {
  const ranges = rangesBelow(folder, sight?.within)
  if (!sight) {
    const query = 'SELECT id FROM blobs INDEXED BY blobs_binary WHERE text = 0 LIMIT ?'
    const ids = [...source.sql.exec(query, limits.blobs + 1).raw<[number]>()].map(([id]) => id)
    if (ids.length === 0) return NONE
    if (ids.length <= limits.blobs)
      return { files: joinFiles(source, ranges, ids), isComplete: true }
  }
  return scan(source, ranges, { sees: sight?.sees ?? (() => true), most: limits.files })
}

const NONE: BinaryFiles = { files: [], isComplete: true }

interface ScanLimits {
  readonly sees: (file: FileEntry) => boolean
  readonly most: number
}

function scan(source: Source, ranges: PathRanges, { sees, most }: ScanLimits): BinaryFiles {
  const files: FileEntry[] = []
  let seen = 0
  for (const { low, high } of ranges)
    for (let from: string | undefined = low; from !== undefined;) {
      const page: readonly (readonly [FileEntry, boolean])[] = readFiles(source, from, high)
      for (const [file, isText] of page) {
        if (!sees(file)) continue
        if (seen++ === most) return { files, isComplete: false }
        if (!isText) files.push(file)
      }
      const last = page.at(-1)?.[0].path
      from = last && justAfter(last)
    }
  return { files, isComplete: true }
}

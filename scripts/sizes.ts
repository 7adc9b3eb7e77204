/**
 * Sizes of the artefacts that a browser or Cloudflare loads, and their limits. `npm run build`
 * measures them and fails above a limit; the table in `docs/performance.md` comes from the same file.
 *
 * @module
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { inProject, ROOT } from './settings.ts'

const size = z.object({
  name: z.string(),
  file: z.string(),
  raw: z.int(),
  gzip: z.int(),
  /** The size to which the limit applies. */
  of: z.enum(['raw', 'gzip']),
  limit: z.int(),
})

/** A measured artefact with its limit; sizes in bytes. */
export type Size = z.infer<typeof size>

/** The file with the sizes of the last build. */
export const SIZES_FILE = inProject('dist/sizes.json')

/** A size limit in bytes. One kB is 1,000 bytes. */
export type Limit = Pick<Size, 'name' | 'of' | 'limit'>

/** Measures a file, together with others that are loaded with it. */
export function measure(file: string, limit: Limit, others: readonly string[] = []): Size {
  const contents = [file, ...others].map((path) => readFileSync(path))
  return {
    ...limit,
    file: relative(ROOT, file),
    raw: sum(contents.map((bytes) => bytes.length)),
    gzip: sum(contents.map((bytes) => gzipSync(bytes, { level: 9 }).length)),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** Reports whether an artefact exceeds its limit. */
export const isOver = (measured: Size) => measured[measured.of] > measured.limit

/** Formats bytes as kB. */
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** Writes the sizes of a build. */
export function writeSizes(sizes: readonly Size[]): void {
  writeFileSync(SIZES_FILE, `${JSON.stringify(sizes, null, 2)}\n`)
}

/** Reads the sizes of the last build. */
export function readSizes(): Size[] {
  return z.array(size).parse(JSON.parse(readFileSync(SIZES_FILE, 'utf8')))
}

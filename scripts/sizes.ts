/**
 * What a browser or Cloudflare has to load, and how much of it there may be. `npm run build`
 * measures and refuses what is over its limit; the README's table is made from the same file.
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
  /** Which of the two the limit holds. */
  of: z.enum(['raw', 'gzip']),
  limit: z.int(),
})

export type Size = z.infer<typeof size>

export const SIZES_FILE = inProject('dist/sizes.json')

/** A limit from the design. One kB is 1,000 bytes. */
export type Limit = Pick<Size, 'name' | 'of' | 'limit'>

export function measure(file: string, limit: Limit): Size {
  const bytes = readFileSync(file)
  const gzip = gzipSync(bytes, { level: 9 }).length
  return { ...limit, file: relative(ROOT, file), raw: bytes.length, gzip }
}

export const isOver = (measured: Size) => measured[measured.of] > measured.limit

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

export function writeSizes(sizes: readonly Size[]): void {
  writeFileSync(SIZES_FILE, `${JSON.stringify(sizes, null, 2)}\n`)
}

export function readSizes(): Size[] {
  return z.array(size).parse(JSON.parse(readFileSync(SIZES_FILE, 'utf8')))
}

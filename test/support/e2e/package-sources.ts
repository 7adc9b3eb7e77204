/**
 * Real input: the sources of installed packages, with additional files for cases that they lack.
 *
 * @module
 */

import { cpSync, globSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.ts'

const PACKAGES = ['hono', 'playwright-core', 're2js', 'zod', '@modelcontextprotocol/sdk']

/**
 * Largest file that is copied. The four that are larger than this are a third of all bytes, and are stored, found and
 * exported as others of more than `INLINE_BYTES` are.
 */
const MAX_BYTES = 1_000_000

const isSmall = (path: string) => statSync(path).size <= MAX_BYTES

/** Fills a folder with packages, an empty folder, and names and times that are less usual. */
export function fillWithPackages(folder: string): void {
  for (const name of PACKAGES) {
    const from = join(ROOT, 'node_modules', name)
    cpSync(from, join(folder, name), {
      recursive: true,
      dereference: true,
      preserveTimestamps: true,
      filter: isSmall,
    })
  }
  for (const file of globSync(
    join(ROOT, 'node_modules/@typescript/typescript-*/lib/*.d.ts'),
  ).filter(isSmall))
    cpSync(file, join(folder, 'typescript', file.slice(file.lastIndexOf('/'))))
  mkdirSync(join(folder, 'empty/inside'), { recursive: true })
  mkdirSync(join(folder, 'Ünïcode 日本/#?%'), { recursive: true })
  writeFileSync(join(folder, 'Ünïcode 日本/#?%', '👋 100% & more'), 'hello\r\n')
  writeFileSync(join(folder, '.hidden'), '')
  const deep = join(folder, ...Array.from({ length: 12 }, () => 'a-rather-long-name-of-a-folder'))
  mkdirSync(deep, { recursive: true })
  writeFileSync(join(deep, 'file.txt'), 'far down\n')
  utimesSync(join(deep, 'file.txt'), 1_000_000_000, 1_000_000_000)
}

/**
 * ripgrep as a baseline of `search_files`: every matching line of a tree with its number,
 * case-sensitive if the pattern has a capital letter.
 *
 * @module
 */

import type { Figure } from '../scripts/figure.ts'
import { findProgram, run, type Run } from './program.ts'

const OPTIONS = ['--no-config', '--no-ignore', '--smart-case', '--line-number']
const ABSENT = { name: 'rg not installed', value: null }

const program = findProgram('rg')

/** Runs ripgrep once; null if it is not installed. */
export async function ripgrep(pattern: string, folder: string): Promise<Run | null> {
  return program === null ? null : run(program, [...OPTIONS, '--regexp', pattern, folder])
}

/** Measures one run in milliseconds, after a first one that brought the files into memory. */
export async function timeOnce(pattern: string, folder: string): Promise<Figure['baseline']> {
  await ripgrep(pattern, folder)
  const second = await ripgrep(pattern, folder)
  return second ? { name: 'ripgrep', value: second.milliseconds } : ABSENT
}

/** Returns the number of matching lines in place of a time. */
export async function countLines(pattern: string, folder: string): Promise<Figure['baseline']> {
  const counted = await ripgrep(pattern, folder)
  return counted ? { name: 'ripgrep', value: counted.lines } : ABSENT
}

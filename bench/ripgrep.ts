/**
 * ripgrep, asked the question that `search_files` is asked: every matching line of a tree with its
 * number, where case counts when the pattern has a capital letter.
 *
 * @module
 */

import type { Figure } from './figure.ts'
import { findProgram, run, type Run } from './program.ts'

const OPTIONS = ['--no-config', '--no-ignore', '--smart-case', '--line-number']
const ABSENT = { name: 'rg not installed', value: null }

const program = findProgram('rg')

/** One run, or null where there is no ripgrep. */
export async function ripgrep(pattern: string, folder: string): Promise<Run | null> {
  return program === null ? null : run(program, [...OPTIONS, '--regexp', pattern, folder])
}

/** Milliseconds of one run whose files are in memory already. */
export async function timeOnce(pattern: string, folder: string): Promise<Figure['baseline']> {
  await ripgrep(pattern, folder)
  const second = await ripgrep(pattern, folder)
  return second ? { name: 'ripgrep', value: second.milliseconds } : ABSENT
}

/** The number of matching lines in place of a time. */
export async function countLines(pattern: string, folder: string): Promise<Figure['baseline']> {
  const counted = await ripgrep(pattern, folder)
  return counted ? { name: 'ripgrep', value: counted.lines } : ABSENT
}

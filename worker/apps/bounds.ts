/**
 * Bounds of `app.json` and of its problems. Anyone who may write files can write one, and the list of the owner
 * has to stay readable whatever is in it.
 *
 * `test/worker/apps/limits.test.ts` has the cases.
 *
 * @module
 */

import type { SettingProblem } from '#core/apps/templates.ts'
import { MAX_MANIFEST_PROBLEMS, MAX_PROBLEM_LENGTH } from './limits.ts'

/** Whether lists and objects of a parsed document nest deeper than some levels. */
export function isDeeper(document: unknown, levels: number): boolean {
  // Level by level, because a recursion could overflow where the document is too deep.
  let level = [document].filter(isNested)
  for (let left = levels; level.length > 0; left--) {
    if (left === 0) return true
    level = level.flatMap((one) => Object.values(one)).filter(isNested)
  }
  return false
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns the first problems, each with a pointer and a message of bounded length. */
export const boundProblems = (problems: readonly SettingProblem[]): SettingProblem[] =>
  problems
    .slice(0, MAX_MANIFEST_PROBLEMS)
    .map(({ pointer, message }) => ({ pointer: cut(pointer), message: cut(message) }))

const cut = (text: string) =>
  text.length > MAX_PROBLEM_LENGTH ? `${text.slice(0, MAX_PROBLEM_LENGTH - 1)}…` : text

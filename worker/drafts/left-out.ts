/**
 * Lines that a person took out of proposed files, by path. A later proposal that brings some of them back is marked.
 *
 * Runs of lines are kept, within bounds: of too many, the principal with the most loses its oldest. Line endings and blank
 * lines around a run are no part of it. Deletions that a person refused are not kept. `test/worker/drafts/left-out.test.ts` has the cases.
 *
 * @module
 */

import { diffLines, splitLines } from '#core/diff/lines.ts'
import type { StorePath } from '#core/path.ts'
import { keepShares, type SharedRows } from '../database/shares.ts'
import { tablesOf } from '../database/table-groups.ts'
import { bytesOf } from '../encoding/json-bytes.ts'
import { MAX_LEFT_OUT_RUN_BYTES, MAX_LEFT_OUT_RUNS, MAX_PATH_LEFT_OUT_RUNS } from './limits.ts'

/** Lines in a row, without their endings. */
export type Run = readonly string[]

/** The lines that were taken out of the files of a workspace. */
export type LeftOut = ReturnType<typeof createLeftOut>

/** Opens the table. */
export function createLeftOut(database: SqlStorage) {
  const sql = tablesOf(database, 'left_out')
  return {
    /** Keeps what was taken out of a file. `budget` is the principal that proposed it, whose share it uses. */
    add: (path: StorePath, runs: readonly Run[], budget: string): void => {
      for (const run of runs.slice(0, MAX_PATH_LEFT_OUT_RUNS)) {
        const query = 'INSERT INTO left_out (path, lines, budget) VALUES (?, ?, ?)'
        sql.exec(query, path, JSON.stringify(run), budget)
      }
      keepShares(sql, LEFT_OUT, MAX_LEFT_OUT_RUNS)
    },
    /** The paths of which something is kept. */
    paths: (): ReadonlySet<string> => {
      const rows = sql.exec<{ path: string }>('SELECT DISTINCT path FROM left_out')
      return new Set(Array.from(rows, ({ path }) => path))
    },
    /** The newest runs of a path. */
    of: (path: StorePath): Run[] => {
      const query = 'SELECT lines FROM left_out WHERE path = ? ORDER BY id DESC LIMIT ?'
      const rows = sql.exec<{ lines: string }>(query, path, MAX_PATH_LEFT_OUT_RUNS)
      // Only this module writes the rows.
      return Array.from(rows, ({ lines }) => JSON.parse(lines) as Run)
    },
  }
}

const LEFT_OUT: SharedRows = { table: 'left_out' }

/** Finds the runs of lines of a proposed text that are not in the text that was approved. */
export function runsBetween(proposed: string, text: string): Run[] {
  const { old, changes } = diffLines(proposed, text)
  return changes
    .map(({ oldStart, oldEnd }) => runOf(old.texts.slice(oldStart, oldEnd)))
    .filter((run) => run.length > 0)
}

/** The lines without blank ones at the ends, and without those that have no room. */
function runOf(lines: readonly string[]): Run {
  const bare = lines.map(withoutReturn)
  const isInked = (line: string) => line.trim() !== ''
  const run = bare.slice(bare.findIndex(isInked), bare.findLastIndex(isInked) + 1)
  let left = MAX_LEFT_OUT_RUN_BYTES
  const end = run.findIndex((line) => (left -= bytesOf(line) + 1) < 0)
  return end === -1 ? run : run.slice(0, end)
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

/**
 * Whether a text has one of the runs, or a telling line of one, that the text before it has not. Takes time in proportion to
 * the texts, for each run.
 */
export function bringsBack(before: string, after: string, runs: readonly Run[]): boolean {
  const [old, next] = [linesOf(before), linesOf(after)]
  const known = new Set(old.map(withoutEnds))
  const added = new Set(next.map(withoutEnds).filter((line) => !known.has(line)))
  const isBack = (run: Run) =>
    run.map(withoutEnds).some((line) => line.length >= TELLING && added.has(line)) ||
    (hasRun(next, run) && !hasRun(old, run))
  return runs.some(isBack)
}

/** Characters from which a single line tells that it is one that was taken out, whatever is around it. */
const TELLING = 4

const withoutEnds = (line: string) => line.trim()

const linesOf = (text: string) => splitLines(text).texts.map(withoutReturn)

/** Whether lines contain a run, by the algorithm of Knuth, Morris and Pratt: no line is looked at again. */
function hasRun(lines: readonly string[], run: Run): boolean {
  const fallbacks = fallbacksOf(run)
  let matched = 0
  return lines.some((line) => {
    while (matched > 0 && run[matched] !== line) matched = fallbacks[matched - 1] ?? 0
    if (run[matched] === line) matched++
    return matched === run.length
  })
}

/** Of each beginning of a run, the length of the longest shorter one that it ends with. */
function fallbacksOf(run: Run): number[] {
  const fallbacks = [0]
  let matched = 0
  for (const line of run.slice(1)) {
    while (matched > 0 && run[matched] !== line) matched = fallbacks[matched - 1] ?? 0
    if (run[matched] === line) matched++
    fallbacks.push(matched)
  }
  return fallbacks
}

/**
 * What a person left out of proposed files, by path: lines that were added, and the deletion of lines. A later proposal
 * that brings some of it back is marked.
 *
 * Runs of lines are stored, within bounds: of too many, the principal with the most loses its oldest. Line endings and blank
 * lines around a run are no part of it. `test/worker/drafts/left-out.test.ts` has the cases.
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

/** What was left out of a file. */
export interface LeftOutRuns {
  /** Lines that the proposal added and the person took out. */
  readonly taken: readonly Run[]
  /** Lines that the proposal deleted and the person kept. */
  readonly kept: readonly Run[]
}

/** What was left out of the files of a workspace. */
export type LeftOut = ReturnType<typeof createLeftOut>

/** Opens the table. */
export function createLeftOut(database: SqlStorage) {
  const sql = tablesOf(database, 'left_out')
  return {
    /** Stores what was left out of a file. `budget` is the principal that proposed it, whose share it uses. */
    add: (path: StorePath, { taken, kept }: LeftOutRuns, budget: string): void => {
      const rows = [
        ...taken.map((run) => [run, 0] as const),
        ...kept.map((run) => [run, 1] as const),
      ]
      for (const [run, isKept] of rows.slice(0, MAX_PATH_LEFT_OUT_RUNS)) {
        const query = 'INSERT INTO left_out (path, lines, kept, budget) VALUES (?, ?, ?, ?)'
        sql.exec(query, path, JSON.stringify(run), isKept, budget)
      }
      keepShares(sql, LEFT_OUT, MAX_LEFT_OUT_RUNS)
    },
    /** The paths of which something is kept. */
    paths: (): ReadonlySet<string> => {
      const rows = sql.exec<{ path: string }>('SELECT DISTINCT path FROM left_out')
      return new Set(Array.from(rows, ({ path }) => path))
    },
    /** The newest runs of a path. */
    of: (path: StorePath): LeftOutRuns => {
      const query = 'SELECT lines, kept FROM left_out WHERE path = ? ORDER BY id DESC LIMIT ?'
      const rows = sql.exec<Row>(query, path, MAX_PATH_LEFT_OUT_RUNS).toArray()
      const runs = (isKept: number) => rows.filter(({ kept }) => kept === isKept).map(runIn)
      return { taken: runs(0), kept: runs(1) }
    },
    /** Whether something of a path is kept. */
    has: (path: StorePath): boolean =>
      sql.exec('SELECT 1 FROM left_out WHERE path = ? LIMIT 1', path).toArray().length > 0,
  }
}

const LEFT_OUT: SharedRows = { table: 'left_out' }

interface Row extends Record<string, SqlStorageValue> {
  lines: string
  kept: number
}

/** Only {@link createLeftOut} writes the rows. */
const runIn = ({ lines }: Row) => JSON.parse(lines) as Run

/**
 * Finds what was left out of a proposal: runs that are not in the text that was approved, and runs that it deletes and that
 * text has. Where lines are replaced, none is kept: another replacement may be what the person wants.
 */
export function findLeftOut(before: string, proposed: string, text: string): LeftOutRuns {
  const [offered, result] = [linesOf(proposed), linesOf(text)]
  const kept = deletedRuns(before, proposed)
    .slice(0, MAX_PATH_LEFT_OUT_RUNS)
    .filter((run) => hasRun(result, run) && !hasRun(offered, run))
  return { taken: runsBetween(proposed, text), kept }
}

function deletedRuns(before: string, proposed: string): Run[] {
  const { old, changes } = diffLines(before, proposed)
  return changes
    .filter(({ newStart, newEnd }) => newStart === newEnd)
    .map(({ oldStart, oldEnd }) => runOf(old.texts.slice(oldStart, oldEnd)))
    .filter((run) => run.length > 0)
}

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

/** Whether a change of a text brings back what was left out: lines that were taken out, or the deletion of lines. */
export const bringsBack = (before: string, after: string, { taken, kept }: LeftOutRuns): boolean =>
  hasAgain(before, after, taken) || hasAgain(after, before, kept)

/**
 * Whether a text has one of the runs, or a telling line of one, that the text before it has not. Takes time in proportion to
 * the texts, for each run.
 */
function hasAgain(before: string, after: string, runs: readonly Run[]): boolean {
  if (runs.length === 0) return false
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

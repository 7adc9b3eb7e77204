/**
 * Applying a proposal: all steps in one transaction, under one new version, or none of them.
 *
 * A refusal inside the transaction is thrown and caught here, because that rolls the transaction back; the
 * caller gets it as a value. The steps are in `steps.ts`, the rows that they write in `versions.ts`.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Audit, AuditColumns } from '../../audit/audit.ts'
import { newChangeId, storedIntent } from '../../audit/change-note.ts'
import type { Blobs } from '../content/blobs.ts'
import { coverNewRows } from './cover.ts'
import { statMany, type Entries } from '../read/entries.ts'
import type { Layer } from '../layer.ts'
import { STORE_LIMITS } from '../limits.ts'
import type { Written } from '../read/read-cache.ts'
import { dropOld } from './retention.ts'
import { dropOvertaken, finish, perform, refuseStale, stepPaths } from './steps.ts'
import type { Change, DraftProposal, Step, Store, StoreProblem, Totals } from '../store.ts'
import { transaction } from '../../database/table-groups.ts'
import { Refusal, type Work } from './work.ts'
import { MAX_SINGLE, writeWaiting } from './written-rows.ts'

/** Thrown at the end of a dry run, so that the transaction is rolled back. */
class DryRun extends Error {}

/** The services that applying a proposal uses. */
export interface ApplyParts {
  readonly storage: DurableObjectStorage
  readonly layer: Layer
  /** Whether there are drafts over this layer. */
  readonly isCovered: boolean
  /** The versions of the checkpoints, whose states are kept. */
  readonly kept: readonly number[]
  readonly entries: Entries
  /** Finds an entry as it is before the change. */
  readonly statBefore: Store['stat']
  readonly blobs: Blobs
  readonly audit: Audit
}

/** An applied proposal: its change, the totals after it, and what it has written. */
export interface AppliedWork {
  readonly change: Change
  readonly totals: Totals
  readonly written: Written
}

/** Applies a proposal. After a dry run the totals are those before it. */
export function apply(
  { storage, layer, isCovered, kept, entries, statBefore, blobs, audit }: ApplyParts,
  totals: Totals,
  proposal: DraftProposal,
): Result<AppliedWork, StoreProblem> {
  const { basis, steps, limits = STORE_LIMITS } = proposal
  const { about = [], approval = null, ...note } = proposal.note
  const { version, at } = proposal.as ?? { version: totals.version + 1, at: Date.now() }
  const made = { id: newChangeId(version), digest: '', ...note, intent: storedIntent(note.intent) }
  const change = { ...made, approval, version, at }
  const { files, folders, bytes } = totals
  try {
    const { sql } = storage
    const paths = { written: new Map(), waiting: new Map(), own: new Set<StorePath>(), listed: [] }
    const found = {
      ...paths,
      trees: new Set<StorePath>(),
      named: [],
      touched: new Set<StorePath>(),
      isApart: false,
      moved: false,
    }
    const known = layer.draft === null ? findPut(sql, steps) : new Map()
    const parts = { sql, layer, entries, statBefore, known, blobs, limits, change, kept }
    const work: Work = { ...parts, ...found, files, folders, bytes, before: totals }
    const after = transaction(storage, () => {
      if (basis < totals.version) refuseStale(work, steps, basis)
      for (const step of steps) perform(work, step)
      writeWaiting(work)
      dropOld(work)
      if (isCovered) coverNewRows(sql, change.version, steps)
      if (steps.length > 1) dropOvertaken(work)
      const paths = [...steps.flatMap(stepPaths), ...about]
      const entry = { ...made, outcome: 'applied' as const, version: change.version, at: change.at }
      const finishWith = (columns: AuditColumns | null) => finish(work, about.length, columns)
      const after =
        layer.draft === null
          ? audit.recordApplied({ ...entry, paths }, finishWith)
          : finishWith(null)
      if (proposal.dryRun) throw new DryRun()
      return after
    })
    const written = work.moved ? null : work.written
    return ok({ change: { ...change, listed: work.listed }, totals: after, written })
  } catch (error) {
    if (error instanceof Refusal) return err(error.problem)
    if (error instanceof DryRun)
      return ok({ change: { ...change, listed: [] }, totals, written: null })
    throw error
  }
}

/** Finds what the files of a large change replace. In a draft two tables have it, so there it is found one by one. */
function findPut(sql: SqlStorage, steps: readonly Step[]): Work['known'] {
  const paths = steps.flatMap((step) => (step.type === 'put' ? [step.path] : []))
  return paths.length <= MAX_SINGLE ? new Map() : statMany(sql, paths)
}

/**
 * Applying a proposal: all steps in one transaction, under one new version, or none of them.
 *
 * A refusal inside the transaction is thrown and caught here, because that rolls the transaction back; the
 * caller gets it as a value. The steps are in `steps.ts`, the rows that they write in `versions.ts`.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { Audit } from '../audit/audit.ts'
import { storedIntent } from './change-note.ts'
import type { ContentStore } from './content.ts'
import { coverNewRows } from './cover.ts'
import type { Entries } from './entries.ts'
import type { Layer } from './layer.ts'
import { STORE_LIMITS } from './limits.ts'
import {
  dropOvertaken,
  finish,
  perform,
  Refusal,
  refuseStale,
  stepPaths,
  type Work,
} from './steps.ts'
import type { Change, Proposal, StoreProblem, Totals } from './store.ts'

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
  readonly content: ContentStore
  readonly audit: Audit
}

/** Applies a proposal, and returns the change with the totals after it; after a dry run, those before it. */
export function apply(
  { storage, layer, isCovered, kept, entries, content, audit }: ApplyParts,
  totals: Totals,
  proposal: Proposal,
): Result<[Change, Totals], StoreProblem> {
  const { basis, steps, limits = STORE_LIMITS } = proposal
  const { about = [], approval = null, ...note } = proposal.note
  const made = { id: crypto.randomUUID(), digest: '', ...note, intent: storedIntent(note.intent) }
  const { version, at } = proposal.as ?? { version: totals.version + 1, at: Date.now() }
  const change = { ...made, approval, version, at }
  const { files, folders, bytes } = totals
  try {
    const after = storage.transactionSync(() => {
      const { sql } = storage
      const state = { files, folders, bytes, written: [], before: totals }
      const work: Work = { sql, layer, entries, content, limits, change, kept, ...state }
      if (basis < totals.version) refuseStale(work, steps, basis)
      for (const step of steps) perform(work, step)
      if (isCovered) coverNewRows(sql, change.version, steps)
      if (steps.length > 1) dropOvertaken(work)
      const paths = [...steps.flatMap(stepPaths), ...about]
      if (layer.draft === null)
        audit.record({ ...made, outcome: 'applied', version: change.version, at: change.at, paths })
      const after = finish(work, about.length)
      if (proposal.dryRun) throw new DryRun()
      return after
    })
    const moved = steps.some((step) => step.type === 'move')
    return ok([{ ...change, listChanged: moved || after.files !== totals.files }, after])
  } catch (error) {
    if (error instanceof Refusal) return err(error.problem)
    if (error instanceof DryRun) return ok([{ ...change, listChanged: false }, totals])
    throw error
  }
}

/**
 * Removing changes of a draft that were decided: what stays is written over the workspace of now, as its agent
 * sees it from then on.
 *
 * Runs inside the transaction of the decision. `test/worker/drafts/replay.test.ts` and `decide.test.ts` have the
 * cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { isPlainWrite } from '../store/draft/applied.ts'
import type { DraftStore, Step } from '../store/store.ts'
import type { Draft, Proposal } from '../access/draft.ts'
import { MAX_DRAFT_BYTES, MAX_DRAFT_CHANGES, MAX_STEPS_LENGTH } from './limits.ts'
import { collectConcerns } from './overlap.ts'
import { markFitting, NO_BASIS, type Replayed, type ReplayParts } from './replay.ts'
import { stepsOf } from './units.ts'
import { byVersion, type Selection } from './selection.ts'
import { bytesOf, lengthOfSteps } from './stored-steps.ts'
import type { DraftTable } from './table.ts'

/** What removing uses. */
interface RemoveParts extends Pick<ReplayParts, 'store'> {
  readonly table: DraftTable
}

/**
 * Removes changes that were applied. What fitted them still fits, unless it concerns or reads a file that was amended: that
 * has to be planned again. `isLive`: nothing had to be planned again.
 */
export function removeApproved(
  parts: RemoveParts,
  draft: Draft,
  selection: Selection,
  { isLive, amended }: { readonly isLive: boolean; readonly amended: readonly StorePath[] },
): void {
  if (isLive && amended.length === 0 && isSeparate(selection)) takeSeparate(parts, draft, selection)
  else {
    const steps = amended.map((path): Step => ({ type: 'folder', path }))
    removeChosen(
      parts,
      draft,
      selection,
      findDependent(selection, () => steps),
    )
  }
}

/** Removes changes that were turned down. Later ones that concern or read their files have to be planned again. */
export function removeTurnedDown(parts: RemoveParts, draft: Draft, selection: Selection): void {
  const dependent = findDependent(selection, (entry) => stepsOf(entry).steps)
  removeChosen(parts, draft, selection, dependent)
}

/** Whether the chosen changes only write files that no other change of the draft concerns. */
function isSeparate({ chosen, others, later }: Selection): boolean {
  const concerns = collectConcerns()
  for (const entry of chosen) {
    const { steps } = stepsOf(entry)
    if (!isPlainWrite(steps)) return false
    concerns.add(steps)
  }
  return ![...others, ...later].some((entry) => concerns.meets(stepsOf(entry).steps))
}

/** Takes applied changes out of a draft of which the rest stays as it is. */
function takeSeparate(
  { store, table }: RemoveParts,
  draft: Draft,
  { chosen, others, later }: Selection,
): void {
  const written = collectConcerns()
  for (const entry of chosen) written.add(stepsOf(entry).steps)
  // A folder that a change creates and the workspace has now is no reason to plan it again.
  const created = [...others, ...later].filter((entry) =>
    stepsOf(entry).steps.some((step) => step.type === 'folder' && written.isAbove(step.path)),
  )
  const left = table.remove(draft, versionsOf(chosen))
  if (!left) return store.dropDraft(draft.id)
  table.rebase(draft, versionsOf(created), store.workspaceVersion)
  store.dropApplied(
    draft.id,
    chosen.map((entry) => ({ version: entry.proposal.version, ...stepsOf(entry) })),
  )
  markFitting(left, store.workspaceVersion)
}

/**
 * Removes the chosen changes, and writes what stays again: what does not depend on them as it was planned now, and
 * what does as it was proposed, until it is planned again.
 */
function removeChosen(
  { store, table }: RemoveParts,
  draft: Draft,
  { chosen, others, later }: Selection,
  dependent: ReadonlySet<Replayed>,
): void {
  const independent = [...others, ...later].filter((entry) => !dependent.has(entry))
  const clean = independent.filter(({ isClean }) => isClean)
  const replanned = replannedOf(independent)
  table.remove(draft, versionsOf(chosen))
  table.rebase(draft, versionsOf(clean), store.workspaceVersion)
  table.rebase(draft, [...versionsOf([...dependent]), ...replanned.keys()], NO_BASIS)
  const left = table.proposals(draft)
  if (left.length === 0) return store.dropDraft(draft.id)
  store.rewriteDraft(draft.id, (layer) => {
    const stepsNow = (one: Proposal) => replanned.get(one.version) ?? one.steps
    const lost = left.filter((proposal) => !rewrite(layer, proposal, stepsNow(proposal)))
    const versions = lost.map(({ version }) => version)
    for (const version of versions) replanned.delete(version)
    table.rebase(draft, versions, NO_BASIS)
    table.replan(draft, replanned)
  })
}

/** The steps of the changes that were planned again, by version, as far as the limit of a draft goes. */
function replannedOf(entries: readonly Replayed[]): Map<number, readonly Step[]> {
  const plans = new Map<number, readonly Step[]>()
  let bytes = 0
  for (const { proposal, planned, isClean } of entries) {
    if (isClean || !planned.ok || lengthOfSteps(planned.value) > MAX_STEPS_LENGTH) continue
    bytes += bytesOf(planned.value)
    if (bytes > MAX_DRAFT_BYTES) break
    plans.set(proposal.version, planned.value)
  }
  return plans
}

/** Finds the changes that concern or read what earlier ones that are removed do not leave, or those that do. */
function findDependent(
  { chosen, others, later }: Selection,
  stepsLost: (removed: Replayed) => readonly Step[],
): Set<Replayed> {
  const removed = new Set(chosen)
  const concerns = collectConcerns()
  const dependent = [...chosen, ...others, ...later].toSorted(byVersion).filter((entry) => {
    if (removed.has(entry)) {
      concerns.add(stepsLost(entry))
      return false
    }
    const { steps } = stepsOf(entry)
    const isDependent = concerns.meets(steps, entry.proposal.readPlaces())
    if (isDependent) concerns.add(steps)
    return isDependent
  })
  return new Set(dependent)
}

const versionsOf = (entries: readonly Replayed[]) => entries.map(({ proposal }) => proposal.version)

/**
 * Writes a change of a draft again. If it does not fit, it stays a proposal that the layer does not have, and is
 * shown as a conflict until it can be planned again.
 */
function rewrite(
  layer: DraftStore,
  { version, at, id, note }: Proposal,
  steps: readonly Step[] | null,
): boolean {
  if (steps === null) return false
  const limits = { versions: MAX_DRAFT_CHANGES, fileBytes: Infinity, workspaceBytes: Infinity }
  const written = layer.apply({
    basis: layer.totals.version,
    steps,
    note: { ...note, id },
    as: { version, at },
    limits,
  })
  return written.ok
}

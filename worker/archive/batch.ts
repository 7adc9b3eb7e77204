/**
 * The batches of an import: entries that are written together, as one change, and the report of what was written.
 *
 * All batches share a change id. `test/worker/archive/import-after.test.ts` has conflicts, `test/e2e/archives.slow.test.ts`
 * broken imports.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import type { FileContext } from '../access/file-context.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { sentence, type Problem } from '../errors/problem.ts'
import { MAX_IMPORT_CONFLICTS } from '../limits.ts'
import type { Content, Step } from '../store/store.ts'
import { findConflicts, type Conflict } from './conflicts.ts'

/** What an import has written, and what it skipped. */
export interface ImportReport {
  files: number
  folders: number
  bytes: number
  skipped: number
  /** The reasons of the first skipped entries. */
  reasons: { name: string; reason: string }[]
  /** Why the import stopped before the end of the archive. */
  error?: string
  /** With `after`: the number of files that were not written because of a later change, and the first of them. */
  conflicted?: number
  conflicts?: Conflict[]
  /** With `after`: the version of the workspace after the import. */
  version?: number
}

/** Where an archive goes. */
export interface ImportTarget {
  readonly into: StorePath
  /** The version that the sender knows: a file that a later change concerns is not written. Null without one. */
  readonly after: number | null
}

/** Steps of one batch. */
const BATCH_STEPS = 500
/** Bytes of one batch. */
const BATCH_BYTES = 4 * 1024 * 1024

/** Most reasons in a report. */
const MAX_REASONS = 20

/** A step that writes a file. */
export type PutStep = Extract<Step, { type: 'put' }>

interface Pending {
  readonly name: string
  readonly step: Step
  /** Whether the file is in the report already. */
  readonly isCounted?: boolean
}

/** An import, and its entries that are not written yet. */
interface BatchContext {
  readonly files: FileContext
  readonly target: ImportTarget
  readonly report: ImportReport
  /** One version for each batch, so that the names of a large archive need no room. */
  readonly written: Set<number>
  pending: Pending[]
  bytes: number
  /** The id of the first batch, which all have. */
  id: string | undefined
}

/** The entries that are not written yet. */
export type Batch = ReturnType<typeof createBatch>

/** Creates the batches of one import. */
export function createBatch(files: FileContext, target: ImportTarget, report: ImportReport) {
  const context: BatchContext = {
    files,
    target,
    report,
    written: new Set(),
    pending: [],
    bytes: 0,
    id: undefined,
  }
  return {
    /** Adds a step, and writes the batch when it is full. The file of a counted one is in the report already. */
    add: (name: string, step: Step, isCounted = false) => add(context, { name, step, isCounted }),
    flush: () => flush(context),
    amend: (path: StorePath, change: Amendment) => amend(context, path, change),
    pendingContent: (path: StorePath) => findContent(context.pending, path),
    hasWritten: (version: number) => context.written.has(version),
  }
}

function add(context: BatchContext, one: Pending): Problem | null {
  context.pending.push(one)
  const content = one.step.type === 'put' ? one.step.content : null
  // An object must be referenced at once, because the next entry may take longer than the sweep's grace
  // period.
  if (content?.place.type === 'object') return flush(context)
  context.bytes += content?.size ?? 0
  const isFull = context.pending.length >= BATCH_STEPS || context.bytes >= BATCH_BYTES
  return isFull ? flush(context) : null
}

/** Writes the pending entries together, or one by one when one of them is refused. */
function flush(context: BatchContext): Problem | null {
  const { files, target, written, report, pending } = context
  // They are written in the same turn, so no change comes between.
  const batch = leaveOutConflicts(files.workspace, pending, { ...target, written, report })
  context.pending = []
  context.bytes = 0
  if (batch.length === 0 || !apply(context, batch)) return null
  for (const one of batch) {
    const refused = apply(context, [one])
    if (refused?.reason === 'workspace_full' || refused?.reason === 'storage_full') return refused
    if (refused) skip(report, one.name, sentence(refused))
  }
  return null
}

function apply(context: BatchContext, batch: readonly Pending[]): Problem | null {
  const { files, target, report, written, id } = context
  const { workspace, actor, decision } = files
  const intent = `Import files to ${quoteValue(target.into)}`
  const note = { tool: 'import', intent, actor, decision }
  const applied = workspace.apply({
    basis: workspace.version(),
    steps: batch.map(({ step }) => step),
    note: id === undefined ? note : { ...note, id },
  })
  if (!applied.ok) return applied.error
  written.add(applied.value.version)
  context.id ??= applied.value.id
  for (const { step, isCounted } of batch) if (!isCounted) count(report, step)
  return null
}

/** Returns what a file is written with instead; null removes it. */
type Amendment = (step: PutStep) => PutStep | null

/** Changes the step of a file that is not written yet. Returns whether there was one. */
function amend({ pending }: BatchContext, path: StorePath, change: Amendment): boolean {
  const at = pending.findLastIndex(({ step }) => step.type === 'put' && step.path === path)
  const old = pending[at]
  if (old?.step.type !== 'put') return false
  const step = change(old.step)
  pending.splice(at, 1, ...(step ? [{ ...old, step }] : []))
  return true
}

/** Returns the content of a file that is not written yet. */
function findContent(pending: readonly Pending[], path: StorePath): Content | null {
  const step = pending.findLast((one) => one.step.type === 'put' && one.step.path === path)?.step
  return step?.type === 'put' ? step.content : null
}

/** What the sender of an archive knows, what the import has written, and where conflicts are reported. */
interface Known {
  readonly after: number | null
  readonly written: ReadonlySet<number>
  readonly report: ImportReport
}

/** Returns the entries that no change after the known version concerns, and reports the others. */
function leaveOutConflicts(
  workspace: CallerWorkspace,
  batch: readonly Pending[],
  { after, written, report }: Known,
): readonly Pending[] {
  if (after === null) return batch
  const conflictOf = findConflicts(workspace, batch, { after, written })
  return batch.filter(({ step }) => {
    const conflict = conflictOf(step)
    if (conflict) reportConflict(report, conflict)
    return conflict === null
  })
}

function reportConflict(report: ImportReport, conflict: Conflict): void {
  report.conflicted = (report.conflicted ?? 0) + 1
  if (report.conflicted <= MAX_IMPORT_CONFLICTS) report.conflicts?.push(conflict)
}

function count(report: ImportReport, step: Step): void {
  if (step.type === 'folder') report.folders++
  if (step.type !== 'put') return
  report.files++
  report.bytes += step.content.size
}

/** Reports an entry that is not written. */
export function skip(report: ImportReport, name: string, reason: string): null {
  report.skipped++
  if (report.reasons.length < MAX_REASONS) report.reasons.push({ name: name.slice(0, 200), reason })
  return null
}

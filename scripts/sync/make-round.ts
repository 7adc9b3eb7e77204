/**
 * Begins a round of a run: scans the folder and plans. Tested by `test/sync-run.test.ts`.
 *
 * @module
 */

import type { Disk } from './disk.ts'
import type { Skipped, Scan } from './local.ts'
import { foldersOf } from './names.ts'
import type { Outcome } from './outcome.ts'
import type { SyncOptions, SyncParts } from './parts.ts'
import { makePlan, type Known, type LocalFile, type Plan } from './plan.ts'
import type { Refused } from './remote.ts'
import type { Round } from './round.ts'
import type { State } from './state.ts'

interface RoundOptions {
  readonly options: SyncOptions
  readonly outcome: Outcome
  readonly skipped: readonly Refused[]
}

/** Scans the folder, plans, and notes what is reported of each file. */
export async function makeRound(
  parts: SyncParts,
  { options, outcome, skipped }: RoundOptions,
): Promise<Round> {
  const { state, disk, remote, save } = parts
  const scan = await parts.scan()
  const isOpen = createFilter(scan, outcome.failed)
  const known = new Map([...state.known].filter(([name]) => isOpen(name)))
  const local = new Map(
    [...scan.files]
      .filter(([name]) => isOpen(name))
      .map(([name, file]) => [name, withBits(file, known.get(name))] as const),
  )
  const copies = await findCopies(disk, known)
  const choice = {
    ...options,
    isFirst: isFirst(state),
    hasCopy: (copy: string) => copies.has(copy),
  }
  const plan = makePlan(known, local, choice)
  note(outcome, { plan, scan, skipped })
  const twins = new Map([...scan.files.values()].map((file) => [file.hash, file]))
  const ignoresCase = await disk.ignoresCase()
  const { acceptsRules } = options
  const before = new Map<string, Known>()
  return {
    disk,
    remote,
    state,
    scan,
    plan,
    outcome,
    before,
    twins,
    ignoresCase,
    acceptsRules,
    save,
  }
}

/** Whether nothing was ever equal, so that every difference is one from before. */
const isFirst = ({ known }: State) =>
  ![...known.values()].some(({ base, proposal, conflict }) => base ?? proposal ?? conflict)

/** Leaves out what is ignored, what is no file here, and what has failed in this run already. */
function createFilter({ ignores, taken, files }: Scan, failed: readonly Skipped[]) {
  const closed = new Set([...taken, ...failed.map(({ name }) => name)])
  return (name: string) =>
    !closed.has(name) &&
    // What was scanned is included.
    (files.has(name) ||
      (ignores.whyFile(name) === null && !foldersOf(name).some((folder) => taken.has(folder))))
}

/** Windows has no executable bit, so that of the workspace stays. */
function withBits(file: LocalFile, known: Known | undefined): LocalFile {
  if (process.platform !== 'win32') return file
  const { executable } = known?.base ?? known?.remote ?? file
  return { ...file, executable }
}

async function findCopies(disk: Disk, known: ReadonlyMap<string, Known>): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { conflict } of known.values())
    if (conflict && (await disk.has(conflict.copy))) found.add(conflict.copy)
  return found
}

interface Noted {
  readonly plan: Plan
  readonly scan: Scan
  readonly skipped: readonly Refused[]
}

/** Notes what is reported of each file, whatever is done with the others. */
function note(outcome: Outcome, { plan, scan, skipped }: Noted): void {
  const { skipped: before, waiting, declined, otherWay, conflicts } = outcome
  for (const list of [before, waiting, declined, otherWay, conflicts]) list.length = 0
  outcome.skipped.push(...scan.skipped, ...skipped)
  outcome.held.splice(0, Infinity, ...scan.ignores.held)
  for (const [reason, count] of scan.left)
    if (reason !== 'reserved') outcome.left.set(reason, count)
  for (const [name, action] of plan) {
    if (action.type === 'wait') outcome.waiting.push(name)
    if (action.type === 'other-way') outcome.otherWay.push(name)
    if (action.type === 'declined')
      outcome.declined.push({ name, reason: action.proposal.note ?? 'turned down' })
  }
}

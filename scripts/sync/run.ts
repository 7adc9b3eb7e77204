/**
 * One run of a sync: looks at both sides, plans, and carries the plan out, once more if a side changed meanwhile.
 *
 * The workspace is read before the disk, and both are written with the versions and stamps that were read, so a change in
 * between is never lost. A run can end at any point: the next one finds what was done equal on both sides. Tested by
 * `test/sync-run.test.ts`, with random edits, decisions and crashes.
 *
 * @module
 */

import { UserError } from '../errors.ts'
import type { Deletions, Intended } from './deletions.ts'
import { MAX_LISTED, MAX_ROUNDS } from './limits.ts'
import type { Scan } from './local.ts'
import { makeRound } from './make-round.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import type { SyncOptions, SyncParts } from './parts.ts'
import type { Plan } from './plan.ts'
import { deleteHere, keepConflicts, receive } from './pull.ts'
import { send } from './push.ts'
import { refresh } from './refresh.ts'
import type { Round } from './round.ts'
import type { State } from './state.ts'

/** A plan, and what is known beside it. */
export interface Look {
  readonly plan: Plan
  readonly scan: Scan
  readonly outcome: Outcome
}

/** Looks at both sides without changing either. */
export async function look(parts: SyncParts, options: SyncOptions): Promise<Look> {
  const outcome = createOutcome()
  const skipped = await refresh(parts, false)
  const { plan, scan } = await makeRound(parts, { options, outcome, skipped })
  return { plan, scan, outcome }
}

/**
 * Brings both sides in step.
 *
 * @throws {UserError} If a side cannot be read, or a choice of the person is needed first.
 */
export async function sync(parts: SyncParts, options: SyncOptions): Promise<Outcome> {
  const outcome = createOutcome()
  await parts.disk.prepare()
  if (options.acceptsRules) parts.state.rules.clear()
  let again: 'no' | 'feed' | 'list' = 'feed'
  let mayArchive = true
  for (let round = 0; round < MAX_ROUNDS && again !== 'no'; round++) {
    outcome.isStale = false
    const skipped = await refresh(parts, again === 'list')
    const one = await makeRound(parts, { options, outcome, skipped })
    checkChoices(one.plan)
    if (!options.deletesMany) parts.guard.check(intendedOf(one, parts.state))
    const before = deletionsOf(outcome)
    try {
      const isUnknown = await carryOut(one, mayArchive)
      mayArchive = false
      again = outcome.isStale ? 'list' : isUnknown ? 'feed' : 'no'
    } finally {
      const { here, there } = deletionsOf(outcome)
      parts.guard.note({ here: here - before.here, there: there - before.there })
      await parts.save()
    }
  }
  outcome.isStale ||= again !== 'no'
  // Transfers end in any order.
  const { sent, received, deletedThere, deletedHere, waiting } = outcome
  for (const names of [sent, received, deletedThere, deletedHere, waiting]) names.sort()
  return outcome
}

const deletionsOf = ({ deletedHere, deletedThere }: Outcome): Deletions => ({
  here: deletedHere.length,
  there: deletedThere.length,
})

/** Refuses a first run in which files differ: either side may be the one that is wanted. */
function checkChoices(plan: Plan): void {
  const names = [...plan].filter(([, { type }]) => type === 'choose').map(([name]) => name)
  if (names.length === 0) return
  const first = names.slice(0, MAX_LISTED).map((name) => `\n  ${JSON.stringify(name)}`)
  const more = names.length > MAX_LISTED ? `\n  and ${names.length - MAX_LISTED} more` : ''
  throw new UserError(
    `Cannot sync: ${names.length} files differ, and the folder was never in step. Choose which side wins, with --take-local or --take-remote:${first.join('')}${more}`,
  )
}

/** What a plan deletes, and how many files each side has. */
function intendedOf({ plan, scan }: Round, { known }: State): Intended {
  const count = (type: 'push' | 'pull') =>
    [...plan.values()].filter((one) => one.type === type && one.from === null).length
  const there = [...known.values()].filter(({ remote }) => remote).length
  return {
    deletions: { here: count('pull'), there: count('push') },
    files: { here: scan.files.size, there },
  }
}

/** Carries a plan out. Returns whether the workspace has to be read again to know what became of it. */
async function carryOut(round: Round, mayArchive: boolean): Promise<boolean> {
  agree(round)
  await keepConflicts(round)
  await deleteHere(round)
  await receive(round)
  return send(round, mayArchive)
}

/** Remembers what both sides have. */
function agree({ plan, state }: Round): void {
  for (const [name, { type }] of plan) {
    if (type !== 'agree') continue
    const remote = state.known.get(name)?.remote ?? null
    if (remote === null) state.known.delete(name)
    else
      state.known.set(name, { base: { hash: remote.hash, executable: remote.executable }, remote })
  }
}

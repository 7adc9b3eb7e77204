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
import type { Disk } from './disk.ts'
import { doubtProposals, lacksKnown, learnFeed, learnListing } from './knowledge.ts'
import { MAX_DELETED_SHARE, MAX_FREE_DELETIONS, MAX_LISTED, MAX_ROUNDS } from './limits.ts'
import type { Skipped, Scan } from './local.ts'
import { foldersOf } from './names.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import { makePlan, type Known, type LocalFile, type Plan, type Take } from './plan.ts'
import { deleteHere, keepConflicts, receive } from './pull.ts'
import { send } from './push.ts'
import { isAnother, wasReset, type Refused, type Remote } from './remote.ts'
import type { Round } from './round.ts'
import type { State } from './state.ts'

/** What a run works on. */
export interface SyncParts {
  readonly disk: Disk
  readonly remote: Remote
  readonly state: State
  /** Scans the folder. */
  readonly scan: () => Promise<Scan>
  /** Writes the state file. */
  readonly save: () => Promise<void>
}

/** What a run may do. */
export interface SyncOptions {
  readonly take: Take
  readonly pulls: boolean
  readonly pushes: boolean
  /** Whether it may delete most of a side. */
  readonly deletesMany: boolean
  /** Whether changed rules of the workspace count from now on. */
  readonly acceptsRules: boolean
}

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
    if (!options.deletesMany) checkDeletions(one, parts.state)
    try {
      const isUnknown = await carryOut(one, mayArchive)
      mayArchive = false
      again = outcome.isStale ? 'list' : isUnknown ? 'feed' : 'no'
    } finally {
      await parts.save()
    }
  }
  outcome.isStale ||= again !== 'no'
  return outcome
}

/** Reads what the workspace has. */
async function refresh(
  { state, remote }: SyncParts,
  isListing: boolean,
): Promise<readonly Refused[]> {
  const before = state.version
  const feed = before === null ? null : await remote.changes(before)
  if (feed) expectLater(feed.version, before)
  const isUnknown = feed !== null && learnFeed(state, feed)
  if (feed && !isUnknown && !isListing) return feed.skipped
  if (feed === null) doubtProposals(state)
  const listing = await remote.list()
  expectLater(listing.version, before)
  // Through a link, a listing shows what that link has proposed.
  const keeps = feed !== null && remote.takesArchives
  if (keeps && lacksKnown(state, listing)) await expectDeleted(remote, feed.version)
  learnListing(state, listing, keeps)
  // Decisions after the feed that was read are in the next one.
  if (feed) state.version = feed.version
  return listing.skipped
}

/** What a listing lacks was deleted after the feed that was read, or the listing is that of another workspace. */
async function expectDeleted(remote: Remote, version: number): Promise<void> {
  const later = await remote.changes(version)
  if (later?.version === version) throw isAnother()
}

/** A workspace that was reset has less than this folder: it would be emptied. */
function expectLater(version: number, before: number | null): void {
  if (before !== null && version < before) throw wasReset(before)
}

interface RoundOptions {
  readonly options: SyncOptions
  readonly outcome: Outcome
  readonly skipped: readonly Refused[]
}

async function makeRound(
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

/** Refuses to empty a side: a folder that is not mounted looks like one whose files were deleted. */
function checkDeletions({ plan, scan }: Round, { known }: State): void {
  const count = (type: 'push' | 'pull') =>
    [...plan.values()].filter((one) => one.type === type && one.from === null).length
  const sides = [
    ['here', count('pull'), scan.files.size],
    ['in the workspace', count('push'), [...known.values()].filter(({ remote }) => remote).length],
  ] as const
  for (const [where, deletions, files] of sides)
    if (deletions > MAX_FREE_DELETIONS && deletions > files * MAX_DELETED_SHARE)
      throw new UserError(
        `Cannot sync: ${deletions} of ${files} files would be deleted ${where}. If that is right, repeat it with --delete-many`,
      )
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

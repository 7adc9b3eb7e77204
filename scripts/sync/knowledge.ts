/**
 * What a run learns of the workspace before it plans: the listing or the changes after the last run, and the owner's
 * decisions on what was sent.
 *
 * Through a session link a listing shows what that link has proposed as if it were applied; the feed shows what is
 * applied. So what was proposed is never taken for the workspace's: only a change in the feed, or a decision, settles it.
 * Tested by `test/sync-run.test.ts`.
 *
 * @module
 */

import { foldersOf } from './names.ts'
import { isSame, type Known, type Proposal, type RemoteFile } from './plan.ts'
import type { Decided, Feed, FileChange, Listing } from './remote.ts'
import type { State } from './state.ts'

const NOTHING: Known = { base: null, remote: null }

/** Takes a listing over. With `keeps`, what it lacks stays known: only the feed says what was deleted. */
export function learnListing(state: State, { files, version }: Listing, keeps = false): void {
  for (const name of new Set([...state.known.keys(), ...files.keys()]))
    if (!keeps || files.has(name)) learnEntry(state, name, files.get(name) ?? null)
  state.version = version
}

/** The files that the workspace had and a listing lacks. */
export const findLacking = ({ known }: State, { files }: Listing): string[] =>
  [...known]
    .filter(([name, { remote }]) => remote !== null && !files.has(name))
    .map(([name]) => name)

function learnEntry({ known }: State, name: string, listed: RemoteFile | null): void {
  const before = known.get(name) ?? NOTHING
  const { proposal } = before
  if (!proposal || proposal.state === 'declined')
    return put(known, name, { ...before, remote: listed })
  const seen = { ...proposal, version: listed?.version ?? 0 }
  if (isOwn(proposal, listed)) put(known, name, { ...before, proposal: seen })
  else put(known, name, { ...before, remote: listed, proposal: { ...seen, isDoubted: false } })
}

const isOwn = ({ content, earlier }: Proposal, listed: RemoteFile | null) =>
  isSame(listed, content) || (earlier !== undefined && isSame(listed, earlier))

/** Forgets which proposals still wait, because decisions may have been missed: they are sent once more. */
export function doubtProposals({ known }: State): void {
  for (const [name, one] of known)
    if (one.proposal?.state === 'waits')
      known.set(name, { ...one, proposal: { ...one.proposal, state: 'sending', isDoubted: true } })
}

/**
 * Takes changes and decisions over.
 *
 * @returns Whether the folder has to be listed: what a decision took back may be known as the workspace's.
 */
export function learnFeed(state: State, feed: Feed): boolean {
  const folders = new Set([...state.known.keys()].flatMap(foldersOf))
  for (const change of feed.changes) {
    learnChange(state, change, folders.has(change.name))
    for (const folder of foldersOf(change.name)) folders.add(folder)
  }
  const isUnknown = feed.decided
    .filter(({ at }) => at > state.decidedAt)
    .toSorted((a, b) => a.at - b.at)
    .map((decision) => settle(state, decision))
    .some(Boolean)
  state.version = feed.version
  return isUnknown
}

function learnChange({ known }: State, { name, kind, file }: FileChange, isFolder: boolean): void {
  const above = `${name}/`
  if (isFolder && kind !== 'folder')
    for (const [below, one] of known)
      if (below.startsWith(above)) learnApplied(known, below, one, null)
  learnApplied(known, name, known.get(name) ?? NOTHING, file)
}

function learnApplied(
  known: Map<string, Known>,
  name: string,
  { proposal, ...before }: Known,
  remote: RemoteFile | null,
): void {
  if (!proposal) put(known, name, { ...before, remote })
  else if (isSame(remote, proposal.content))
    put(known, name, { ...before, base: proposal.content, remote })
  else put(known, name, { ...before, remote, proposal: { ...proposal, isDoubted: false } })
}

/** Drafts that went to another session still wait. */
const UNDECIDED = new Set(['moved_away', 'moved_here', 'lost'])

/** Settles the proposals that a decision concerns. Returns whether it has other files as well. */
function settle(state: State, decision: Decided): boolean {
  state.decidedAt = decision.at
  if (UNDECIDED.has(decision.outcome)) return false
  const open = new Set(decision.names)
  let isDoubted = false
  for (const [name, one] of state.known) {
    if (!one.proposal || !concerns(decision, name, one.proposal)) continue
    open.delete(name)
    isDoubted ||= one.proposal.isDoubted ?? false
    put(state.known, name, settleOne(one, one.proposal, decision))
  }
  return isDoubted || (open.size > 0 && decision.outcome !== 'approved')
}

function concerns({ draft, at, names, isCut, outcome }: Decided, name: string, proposal: Proposal) {
  // After a crash it may be unknown in which draft it waits.
  const isOther = proposal.draft !== '' && proposal.draft !== draft
  if (proposal.state !== 'waits' || isOther || at < proposal.at) return false
  // Of more files than a decision lists, what is approved is in the feed, and of the others it is safe to send none again.
  return names.includes(name) || (isCut && outcome !== 'approved')
}

function settleOne(
  { base, remote, ...more }: Known,
  proposal: Proposal,
  { outcome, note }: Decided,
): Known {
  const { proposal: _, ...rest } = { ...more, base, remote }
  // Approved, and perhaps amended: what was sent is what both sides had, and the applied content follows it.
  if (outcome === 'approved' && !isSame(remote, base)) return { ...rest, base: proposal.content }
  // Its version was that of the draft, which is gone.
  const { version: _version, ...sent } = proposal
  const declined = { ...sent, state: 'declined', note: note || outcome } as const
  return { ...rest, proposal: { ...declined, isDoubted: false } }
}

function put(known: Map<string, Known>, name: string, one: Known): void {
  if (one.base === null && one.remote === null && !one.proposal) known.delete(name)
  else known.set(name, one)
}

/**
 * Decides what a run does with each file: a pure function of what both sides had when they were last equal (the base), of
 * what is on disk, and of what is in the workspace.
 *
 * Nothing is deleted on a side because the other never had it, and content that is on one side alone is never replaced
 * without a choice of the person. Tested by `test/sync-plan.test.ts`, for all combinations.
 *
 * @module
 */

/** What is compared of a file. */
export interface Content {
  /** SHA-256 in lower-case hexadecimal. */
  readonly hash: string
  readonly executable: boolean
}

/** A file of the workspace. */
export interface RemoteFile extends Content {
  readonly version: number
  readonly size: number
}

/** A file on disk. */
export interface LocalFile extends Content {
  readonly size: number
  /** Where it is, relative to the folder: its name, or another form of it in Unicode. */
  readonly path: string
  /** Changes with every change of the file. */
  readonly stamp: string
}

/** What was sent and is not decided: nothing is received for the file meanwhile. */
export interface Proposal {
  /** `sending`: the response is unknown, after a crash; `declined`: turned down or expired. */
  readonly state: 'sending' | 'waits' | 'declined'
  /** Null for a deletion. */
  readonly content: Content | null
  readonly draft: string
  /** When it was sent, by the clock of the server. */
  readonly at: number
  /** The version under which the sender sees it, if that is known. */
  readonly version?: number
  /** What waited before and is replaced by it. */
  readonly earlier?: Content | null
  /**
   * Whether changes of the workspace were missed since it was sent. A link sees what it has sent in place of the
   * workspace's file, so a decision or a change has to tell what that is.
   */
  readonly isDoubted?: boolean
  /** The owner's note, or what became of it. */
  readonly note?: string
}

/** A conflict that was reported, with the copy of the workspace's version. */
export interface Conflict extends Content {
  readonly copy: string
}

/** What is remembered of a file between runs. */
export interface Known {
  /** What both sides last had; null if they never had the same. */
  readonly base: Content | null
  /** The workspace's file as it was last seen; null if it has none. */
  readonly remote: RemoteFile | null
  readonly proposal?: Proposal
  readonly conflict?: Conflict
}

/** Which side wins where both differ. */
export type Take = 'local' | 'remote' | null

/** What one run may do. */
export interface Choice {
  readonly take: Take
  readonly pulls: boolean
  readonly pushes: boolean
  /** Whether the folder was never in step, so that a difference is no conflict yet. */
  readonly isFirst: boolean
  /** Whether a copy of a conflict is still on disk. */
  readonly hasCopy: (copy: string) => boolean
}

/** What is to be done with one file. */
export type Action =
  | { readonly type: 'none' }
  /** Both sides are equal, which is remembered. */
  | { readonly type: 'agree' }
  /** Null deletes. */
  | { readonly type: 'push'; readonly from: LocalFile | null; readonly over: RemoteFile | null }
  | { readonly type: 'pull'; readonly from: RemoteFile | null; readonly over: LocalFile | null }
  | { readonly type: 'conflict'; readonly remote: RemoteFile; readonly isNew: boolean }
  /** Differs on a first run without a choice. */
  | { readonly type: 'choose' }
  | { readonly type: 'wait'; readonly proposal: Proposal }
  | { readonly type: 'declined'; readonly proposal: Proposal }
  /** Has a change that this run does not transfer: `pull` sends nothing, `push` receives nothing. */
  | { readonly type: 'other-way'; readonly way: 'push' | 'pull' }

/** Whether two sides have the same content and the same executable bit, or nothing both. */
export const isSame = (one: Content | null, other: Content | null): boolean =>
  one === null || other === null
    ? one === other
    : one.hash === other.hash && one.executable === other.executable

/** Decides for one file. */
export function decide(known: Known | undefined, local: LocalFile | null, choice: Choice): Action {
  const { base = null, remote = null, proposal, conflict } = known ?? {}
  const allow = (action: Action) => restrict(action, choice)
  if (proposal && isSame(local, proposal.content)) {
    const held = hold(proposal, { base, local, remote }, choice)
    if (held) return allow(held)
  } else if (proposal && (isKnownToWait(proposal) || isSame(remote, proposal.content))) {
    // It was changed again after it was sent, and replaces what was sent.
    return allow({ type: 'push', from: local, over: remote })
  }
  if (isSame(local, remote)) {
    const isKnown = known && !proposal && !conflict && isSame(base, local)
    return isKnown ? NONE : AGREE
  }
  if (isSame(remote, base)) return allow({ type: 'push', from: local, over: remote })
  if (isSame(local, base)) return allow({ type: 'pull', from: remote, over: local })
  return allow(resolve(local, remote, conflict, choice))
}

/** A listing has shown what is doubted, so it waits. */
const isKnownToWait = ({ state, isDoubted = false }: Proposal) => state === 'waits' || isDoubted

const NONE: Action = { type: 'none' }
const AGREE: Action = { type: 'agree' }

interface Sides {
  readonly base: Content | null
  readonly local: LocalFile | null
  readonly remote: RemoteFile | null
}

/** Decides for a file that is as it was sent; null if nothing is to be kept of what was sent. */
function hold(proposal: Proposal, { base, local, remote }: Sides, { take }: Choice): Action | null {
  if (proposal.state === 'waits') return { type: 'wait', proposal }
  if (proposal.state === 'declined') {
    if (isSame(local, remote)) return null
    if (take === 'remote') return { type: 'pull', from: remote, over: local }
    if (take === 'local') return { type: 'push', from: local, over: remote }
    return isSame(remote, base) ? { type: 'declined', proposal } : null
  }
  // Sent again, it is answered again: the same content changes nothing.
  const isOpen = isSame(remote, base) || isSame(remote, local)
  return isOpen ? { type: 'push', from: local, over: remote } : null
}

/** Both sides have changed. */
function resolve(
  local: LocalFile | null,
  remote: RemoteFile | null,
  conflict: Conflict | undefined,
  { take, isFirst, hasCopy }: Choice,
): Action {
  const push: Action = { type: 'push', from: local, over: remote }
  const pull: Action = { type: 'pull', from: remote, over: local }
  if (take === 'local') return push
  if (take === 'remote') return pull
  // A change outlives a deletion, which loses nothing and is undone by deleting once more.
  if (remote === null) return push
  if (local === null) return pull
  if (isFirst) return { type: 'choose' }
  const isKnown = conflict !== undefined && isSame(conflict, remote)
  // The person has removed the copy, so the local file has what is wanted of both.
  if (isKnown && !hasCopy(conflict.copy)) return push
  return { type: 'conflict', remote, isNew: !isKnown }
}

function restrict(action: Action, { pulls, pushes }: Choice): Action {
  if (action.type === 'push' && !pushes) return { type: 'other-way', way: 'push' }
  if (action.type === 'pull' && !pulls) return { type: 'other-way', way: 'pull' }
  return action
}

/** The actions of a run by the names of the files, without those that do nothing. */
export type Plan = ReadonlyMap<string, Action>

/** Decides for all files of either side, in order of their names. */
export function makePlan(
  known: ReadonlyMap<string, Known>,
  local: ReadonlyMap<string, LocalFile>,
  choice: Choice,
): Plan {
  const names = [...new Set([...known.keys(), ...local.keys()])].sort()
  const decided = names.map(
    (name) => [name, decide(known.get(name), local.get(name) ?? null, choice)] as const,
  )
  return new Map(decided.filter(([, { type }]) => type !== 'none'))
}

/**
 * What the feed shows: changes in order, with the states that they left, and decisions on the drafts of the caller.
 *
 * `test/worker/api/feed.test.ts` has the cases.
 *
 * @module
 */

import type { Decision } from '../access/draft.ts'
import type { FeedChange, FeedPage, FeedQuery } from '../access/feed-view.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import type { TouchedState } from '../store/store.ts'
import { toShown } from '../tools/lib/shown-change.ts'

/** Whose feed it is. */
export interface FeedCaller {
  readonly workspace: CallerWorkspace
  /** The principal whose share of the places to wait it uses. */
  readonly budget: string
  /** The key of the owner of its draft; null for the owner of the workspace. */
  readonly draft: string | null
  /** Whether its access is still that of its rules and its session. */
  readonly isCurrent: () => boolean
}

/** A page, and the newest version when it was read. */
export interface ReadPage extends FeedPage {
  readonly version: number
}

/** Reads the changes that there are now. */
export function readNow({ workspace }: Pick<FeedCaller, 'workspace'>, query: FeedQuery): ReadPage {
  return { ...workspace.feed.page(query), version: workspace.version() }
}

/** Lists the decisions on drafts of the caller since a time in milliseconds. */
export const decisionsSince = ({ workspace }: Pick<FeedCaller, 'workspace'>, since: number) =>
  workspace.draft.status().decisions.filter(({ at }) => at >= since)

/** Nothing that was applied waits. */
const APPLIED = { waits: () => false }

/** Shows a change with the states that it left. */
export const showChange = ({ record, files, left }: FeedChange) => ({
  ...toShown(record, APPLIED),
  files: files.map(showState),
  left,
})

function showState({ path, entry, hash }: TouchedState) {
  if (entry === null) return { path, kind: 'gone' }
  if (entry.type === 'folder') return { path, kind: 'folder' }
  const { size, executable } = entry
  return { path, kind: 'file', size, hash, ...(executable && { executable }) }
}

/** Shows a decision on a draft. */
export const showDecision = ({ draft, outcome, at, note, paths }: Decision) => ({
  ...{ draft, outcome, at: new Date(at).toISOString(), note, paths },
})

/**
 * The feed as one caller sees it: applied changes in order, each with the states in which it left the paths that the
 * caller may see.
 *
 * A program that replays it has the files that the caller sees, so a change that also touched what is hidden is part of it,
 * without what would tell of that. `test/worker/api/feed.laws.test.ts` replays it, and
 * `test/platform/access/feed-costs.test.ts` compares what it costs with and without what is hidden.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { ChangeRecord, Feed, Store, TouchedState } from '../store/store.ts'
import type { Access } from './access.ts'
import { feedSource, type FeedSource } from './feed-source.ts'
import {
  createJudge,
  historyContext,
  seenRecord,
  SOME_CHANGE,
  type HistoryContext,
} from './history-view.ts'
import {
  MAX_EXAMINED_CHANGES,
  MAX_EXAMINED_PATHS,
  MAX_FEED_CHANGE_FILES,
  MAX_FEED_COUNTED_FILES,
  MAX_FEED_PAGE_FILES,
} from './limits.ts'

/** A change of the feed. */
export interface FeedChange {
  readonly record: ChangeRecord
  readonly files: readonly TouchedState[]
  /** The number of visible states that are not listed. */
  readonly left: number
}

/** Which changes are read: those after a version that touched something at or below `path`. */
export interface FeedQuery {
  readonly after: number
  readonly path: StorePath
  readonly limit: number
}

/** A page of the feed. */
export interface FeedPage {
  readonly changes: readonly FeedChange[]
  /** The version after which the next page begins; null if there is nothing more. */
  readonly next: number | null
}

/** The feed, restricted to one caller. */
export interface FeedView extends Pick<Feed, 'timeAt' | 'oldestKept' | 'changedAfter'> {
  readonly page: (query: FeedQuery) => FeedPage
  /** Where a copy of what the caller reads comes from. */
  readonly source: () => FeedSource
}

/** Restricts the feed of the workspace to what `access` permits. `session` is the caller's own, or null. */
export function viewFeed(store: Store, access: Access, session: string | null): FeedView {
  const view = historyContext(store, access, session)
  const { feed } = store
  let source: FeedSource | undefined
  return {
    page: (query) => readPage(view, query),
    source: () => (source ??= feedSource(feed, access)),
    timeAt: (version) => feed.timeAt(version),
    oldestKept: (newest) => feed.oldestKept(newest),
    changedAfter: (paths, version) =>
      feed.changedAfter(
        paths.filter((path) => access.canRead(path)),
        version,
      ),
  }
}

/** Changes that are read at once. */
const CHANGES_AT_ONCE = 500

function readPage(view: HistoryContext, { after, path, limit }: FeedQuery): FeedPage {
  const page = createPage(view, path)
  let next = after
  for (let looked = 0; looked < MAX_EXAMINED_CHANGES; looked += CHANGES_AT_ONCE) {
    const records = view.store.feed.changesAfter(next, CHANGES_AT_ONCE)
    for (const record of records) {
      if (page.changes.length >= limit || page.isFull()) return { changes: page.changes, next }
      page.add(record)
      next = record.version
    }
    if (records.length < CHANGES_AT_ONCE) return { changes: page.changes, next: null }
  }
  return { changes: page.changes, next }
}

/** Collects the changes of a page. A page takes at least one, whatever it costs. */
function createPage(view: HistoryContext, path: StorePath) {
  const judge = createJudge(view)
  const changes: FeedChange[] = []
  let listed = 0
  let examined = 0
  return {
    changes,
    add(record: ChangeRecord): void {
      const states = readStates(view, record.version, path)
      examined += states.examined
      listed += states.files.length
      const { files, left } = states
      if (files.length > 0) changes.push({ record: seenChange(view, judge, record), files, left })
    },
    isFull: () =>
      listed >= MAX_FEED_PAGE_FILES || examined > MAX_EXAMINED_PATHS || judge.isOverBudget(),
  }
}

/** Leaves out who made a change, and how, where it touched something that its reader may not see. */
function seenChange(
  view: HistoryContext,
  judge: ReturnType<typeof createJudge>,
  record: ChangeRecord,
): ChangeRecord {
  if (judge.sees(record)) return seenRecord(view, record)
  const actor = { ...record.actor, session: null, label: null }
  return { ...record, tool: 'change', intent: SOME_CHANGE, actor }
}

/** What a caller sees of the states of a change. */
interface SeenStates {
  readonly files: readonly TouchedState[]
  readonly left: number
  /** The number of paths that were read. */
  readonly examined: number
}

function readStates(view: HistoryContext, version: number, path: StorePath): SeenStates {
  const { store, access } = view
  const files: TouchedState[] = []
  const limit = MAX_FEED_CHANGE_FILES
  let [left, examined] = [0, 0]
  let after: StorePath | undefined
  while (files.length + left < MAX_FEED_COUNTED_FILES) {
    const query = { path, within: access.readable, after, limit }
    const states = store.feed.statesAfter(version, query)
    for (const state of states) {
      const seen = seenState(view, version, state)
      if (seen && files.length < limit) files.push(seen)
      else if (seen) left++
    }
    examined += states.length
    after = states.at(-1)?.path
    if (states.length < limit) break
  }
  return { files, left, examined }
}

/** What a caller sees of a path. Of folders above what it may read, it sees that they come and go. */
function seenState(
  { store, access }: HistoryContext,
  version: number,
  state: TouchedState,
): TouchedState | null {
  const { path, entry } = state
  if (access.canRead(path)) return state
  if (!access.sees({ type: 'folder', path })) return null
  if (entry?.type === 'folder') return state
  const before = store.stateAt(path, version - 1)
  const wasFolder = before !== null && before !== 'forgotten' && before.type === 'folder'
  return wasFolder ? { path, entry: null, hash: null } : null
}

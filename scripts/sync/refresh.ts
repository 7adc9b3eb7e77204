/**
 * Reads what the workspace has: the changes since the last run, or a listing where they do not tell all. Tested by
 * `test/sync-run.test.ts`.
 *
 * @module
 */

import { doubtProposals, findLacking, learnFeed, learnListing } from './knowledge.ts'
import type { SyncParts } from './parts.ts'
import { isAnother, wasReset, type Feed, type Listing, type Refused } from './remote.ts'
import type { State } from './state.ts'

/**
 * Takes over what the workspace has. Returns what of it cannot be kept in step.
 *
 * @param isListing Whether the changes are not enough.
 * @throws {UserError} If it is another workspace, or one that was set back.
 */
export async function refresh(
  { state, remote }: SyncParts,
  isListing: boolean,
): Promise<readonly Refused[]> {
  const { version, source } = state
  const feed = version === null ? null : await remote.changes(version)
  if (feed) expectLater(state, feed)
  const isUnknown = feed !== null && learnFeed(state, feed)
  if (feed && !isUnknown && !isListing && feed.source.access === source?.access) return feed.skipped
  if (feed === null) doubtProposals(state)
  const listing = await remote.list()
  expectLater({ version, source }, listing)
  const hidden = listing.source.access === (source ?? listing.source).access ? null : HIDDEN
  const lacking = findLacking(state, listing)
  // Through a link, a listing shows what that link has proposed.
  learnListing(state, listing, hidden !== null || (feed !== null && remote.takesArchives))
  state.source = listing.source
  // Decisions after the feed that was read are in the next one.
  if (feed) state.version = feed.version
  return hidden === null
    ? listing.skipped
    : [...listing.skipped, ...lacking.map((name) => ({ name, reason: hidden }))]
}

/** What a listing lacks after the access has changed may exist, or may have been deleted. */
const HIDDEN = 'what may be read here has changed, and the workspace no longer shows it'

/** Another workspace, or one that was set back, has less than this folder: it would be emptied. */
function expectLater(before: Pick<State, 'version' | 'source'>, now: Feed | Listing): void {
  if (before.source && before.source.workspace !== now.source.workspace) throw isAnother()
  if (before.version !== null && now.version < before.version) throw wasReset(before.version)
}

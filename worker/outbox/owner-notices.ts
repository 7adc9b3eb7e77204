/**
 * Notices to the owner of a workspace, each with the page of the console that shows what it is about.
 *
 * `test/platform/outbox/outbox.test.ts` and `test/worker/outbox/events.test.ts` test them.
 *
 * @module
 */

import type { Glob } from '#core/glob.ts'
import { readSetting } from '../database/schema.ts'
import { ownerUrl } from '../waiting-url.ts'
import { workspacePath } from '../workspace-name.ts'
import type { Outbox } from './outbox.ts'
import type { Notice } from './queue.ts'
import { touchesWatched, type AlteringStep } from './watched-paths.ts'

/** Facts of a notice, and the principal whose share of the queue it uses. */
type Facts = Pick<Notice, 'draft' | 'outcome' | 'budget'>

/** A change that was applied. */
interface AppliedChange {
  readonly change: { readonly version: number }
  readonly steps: readonly AlteringStep[]
}

/** Notices to the owner of one workspace. */
export interface OwnerNotices {
  /** Queues a notice for the webhook. */
  readonly send: (type: Notice['type'], facts?: Facts) => void
  /** Has the notifier learn what waits now; `isNews` if something began to. */
  readonly tell: Outbox['tell']
  /** Queues a notice for the webhook if changes of one decision have altered a watched path; null if none is watched. */
  readonly changed: ((changes: readonly AppliedChange[]) => void) | null
}

/** What notices are made with. */
export interface NoticeParts {
  readonly sql: SqlStorage
  readonly outbox: Pick<Outbox, 'notify' | 'tell'>
  /** The name of the workspace. */
  readonly workspace: string
  readonly watched: readonly Glob[]
}

/** The pages of the console that show what was decided. */
const PAGES: Partial<Record<Notice['type'], readonly string[]>> = { 'draft.decided': ['activity'] }

/** Creates the notices of a workspace. Their pages are at the origin from which the owner came last. */
export function createOwnerNotices(parts: NoticeParts): OwnerNotices {
  const { sql, outbox, workspace, watched } = parts
  const origin = () => readSetting(sql, 'console')
  return {
    send: (type, facts = {}) => {
      const url = ownerUrl(origin(), workspace, PAGES[type])
      outbox.notify({ type, workspace, ...facts, url })
    },
    tell: outbox.tell,
    changed: watched.length === 0 ? null : (changes) => noteChanged(parts, origin(), changes),
  }
}

/** The link begins before the first change, so that a reader who follows it misses none. */
function noteChanged(
  { outbox, workspace, watched }: NoticeParts,
  origin: string | null,
  changes: readonly AppliedChange[],
): void {
  const altering = changes.filter(({ steps }) => touchesWatched(watched, steps))
  const [first, last] = [altering.at(0), altering.at(-1)]
  if (!first || !last) return
  const path = `${workspacePath(workspace)}/changes?after=${first.change.version - 1}`
  const url = `${origin ?? ''}${path}`
  outbox.notify({ type: 'file.changed', workspace, version: last.change.version, url })
}

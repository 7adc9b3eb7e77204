/**
 * The guard against emptying a side: a folder that is not mounted looks like one whose files were deleted. A run that
 * watches sees a folder that is emptied in parts, so deletions of a short time count together. Tested by
 * `test/sync-deletions.test.ts`.
 *
 * @module
 */

import { UserError } from '../errors.ts'
import { DELETIONS_MS, MAX_DELETED_SHARE, MAX_FREE_DELETIONS } from './limits.ts'

/** A number of deletions on each side. */
export interface Deletions {
  readonly here: number
  readonly there: number
}

/** What is about to be deleted, and how many files there are. */
export interface Intended {
  readonly deletions: Deletions
  readonly files: Deletions
}

/** The guard of one process. */
export interface DeletionGuard {
  /** @throws {UserError} If most of a side would be gone. It then throws until nothing is to be deleted there. */
  check(intended: Intended): void
  /** Counts what was deleted. */
  note(deletions: Deletions): void
}

/** Creates a guard. */
export function createDeletionGuard(now: () => number = Date.now): DeletionGuard {
  const [here, there] = [createSide('here', now), createSide('in the workspace', now)]
  return {
    check({ deletions, files }) {
      here.check(deletions.here, files.here)
      there.check(deletions.there, files.there)
    },
    note(deletions) {
      here.note(deletions.here)
      there.note(deletions.there)
    },
  }
}

function createSide(where: string, now: () => number) {
  let past: { readonly at: number; readonly count: number }[] = []
  let isHeld = false
  return {
    check(deletions: number, left: number): void {
      past = past.filter(({ at }) => at > now() - DELETIONS_MS)
      const before = past.reduce((sum, { count }) => sum + count, 0)
      const [all, files] = [deletions + before, left + before]
      isHeld = deletions > 0 && (isHeld || isMost(all, files))
      if (isHeld) throw refusal(where, { all, files, before })
    },
    note(count: number): void {
      if (count > 0) past.push({ at: now(), count })
    },
  }
}

const isMost = (deletions: number, files: number) =>
  deletions > MAX_FREE_DELETIONS && deletions > files * MAX_DELETED_SHARE

interface Counts {
  readonly all: number
  readonly files: number
  readonly before: number
}

function refusal(where: string, { all, files, before }: Counts): UserError {
  const done = before === 0 ? '' : `, ${before} of which already are`
  return new UserError(
    `Cannot sync: ${all} of ${files} files would be deleted ${where}${done}. If that is right, repeat it with --delete-many`,
  )
}

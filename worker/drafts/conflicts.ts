/**
 * The conflicts of drafts: which changes no longer fit the workspace. To find them a draft may have to be planned again,
 * so what was found is given to every call until something changes, for a few seconds.
 * `test/worker/drafts/conflicts.test.ts` tests it.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import type { Conflict, Draft } from '../access/draft.ts'
import { withReplay, type ReplayParts } from './replay.ts'
import { conflictsOf } from './review.ts'
import type { DraftTable } from './table.ts'

/** How long (ms) conflicts are given again: the scopes of a session can change without a sign here. */
const KEPT_MS = 5000

interface Known {
  readonly at: number
  readonly rules: Config
  readonly since: number
  readonly conflicts: Promise<Conflict[]>
}

/** Finds the conflicts of drafts. A draft that changes is another object. */
export function createConflicts(parts: ReplayParts & { readonly table: DraftTable }) {
  const known = new WeakMap<Draft, Known>()
  return (draft: Draft): Promise<Conflict[]> => {
    const state = { at: parts.store.workspaceVersion, rules: parts.accessOf(draft).owner }
    const last = known.get(draft)
    const isKnown = last && last.at === state.at && last.rules === state.rules
    if (isKnown && Date.now() - last.since < KEPT_MS) return last.conflicts
    const conflicts = withReplay(parts, draft, parts.table.proposals(draft), conflictsOf)
    known.set(draft, { ...state, since: Date.now(), conflicts })
    conflicts.catch(() => known.delete(draft))
    return conflicts
  }
}

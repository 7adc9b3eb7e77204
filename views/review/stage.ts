/**
 * The stage: the one value that says what the review shows, and who is told when it changes.
 *
 * @module
 */

import type { Change } from './change.ts'
import type { Sentence } from './intent.ts'

/** What became of a change. Of a preview that is `stale`, `expired` or `failed`, nothing was done. */
export type Status = 'previewed' | 'applied' | 'undone' | 'failed' | 'stale' | 'expired'

/** What is being done at this moment. */
export type Work = 'apply' | 'undo' | 'preview'

export interface Shown {
  readonly kind: 'change'
  readonly change: Change
  readonly status: Status
  readonly work: Work | null
  /** What went wrong last, for the person. */
  readonly problem: string | null
  /** Its lines are still on their way. */
  readonly loading: boolean
  /** The change to take back in order to undo this one, or to redo it. */
  readonly last: { readonly id: string; readonly version: number | null } | null
}

/** A call that is on its way, by its arguments so far. */
export interface Writing {
  readonly kind: 'writing'
  readonly sentence: Sentence
  readonly complete: boolean
}

/** A result that brought no change. */
export interface Answered {
  readonly kind: 'answer'
  readonly sentence: Sentence
  readonly texts: readonly string[]
  readonly failed: boolean
}

export interface Cancelled {
  readonly kind: 'cancelled'
  readonly sentence: Sentence
  readonly reason: string
}

export type Stage = { readonly kind: 'waiting' } | Writing | Shown | Answered | Cancelled

export type Scene = ReturnType<typeof createScene>

export function createScene() {
  const listeners = new Set<() => void>()
  let stage: Stage = { kind: 'waiting' }

  function move(next: Stage): void {
    stage = next
    for (const listener of listeners) listener()
  }

  return {
    get stage() {
      return stage
    },
    move,
    /** Changes what is shown, if it is still this change. */
    update(id: string, next: Partial<Shown>): void {
      if (stage.kind === 'change' && stage.change.id === id) move({ ...stage, ...next })
    },
    watch(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * What the review shows, as one value with listeners.
 *
 * @module
 */

import type { Change } from './change.ts'
import type { Sentence } from './intent.ts'

/** State of a change. A preview that is `stale`, `expired` or `failed` was not applied. */
export type Status = 'previewed' | 'applied' | 'undone' | 'failed' | 'stale' | 'expired'

/** The action that is running. */
export type Work = 'apply' | 'undo' | 'preview'

/** A change is shown. */
export interface Shown {
  readonly kind: 'change'
  readonly change: Change
  readonly status: Status
  readonly work: Work | null
  /** Message of the last error, for the user. */
  readonly problem: string | null
  /** Its hunks are being read. */
  readonly loading: boolean
  /** The change to undo next: this one to undo it, or its undo to redo it. */
  readonly last: { readonly id: string; readonly version: number | null } | null
}

/** A call that is being written or running. */
export interface Writing {
  readonly kind: 'writing'
  readonly sentence: Sentence
  /** Whether all arguments have arrived. */
  readonly complete: boolean
}

/** A result without a change. */
export interface Answered {
  readonly kind: 'answer'
  readonly sentence: Sentence
  readonly texts: readonly string[]
  readonly failed: boolean
}

/** A call that was cancelled. */
export interface Cancelled {
  readonly kind: 'cancelled'
  readonly sentence: Sentence
  readonly reason: string
}

/** Everything that the review can show. */
export type Stage = { readonly kind: 'waiting' } | Writing | Shown | Answered | Cancelled

/** The current stage, with functions to change and watch it. */
export type Scene = ReturnType<typeof createScene>

/** Creates the stage, without a call. */
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
    /** Updates the shown change, if it is still the one with this id. */
    update(id: string, next: Partial<Shown>): void {
      if (stage.kind === 'change' && stage.change.id === id) move({ ...stage, ...next })
    },
    watch(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

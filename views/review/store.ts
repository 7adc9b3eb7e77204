/**
 * What the review shows, as one value with listeners.
 *
 * @module
 */

import type { Change } from './change.ts'
import type { Sentence } from './intent.tsx'

/**
 * State of a change. A preview that is `stale`, `expired` or `failed` was not applied. One that is `held` waits for
 * approval, and one that is `refused` was turned down.
 */
export type Status =
  | 'previewed'
  | 'applied'
  | 'undone'
  | 'failed'
  | 'stale'
  | 'expired'
  | 'held'
  | 'refused'

/** The action that is running. */
export type Action = 'apply' | 'undo' | 'preview'

export interface ShownChange {
  readonly kind: 'change'
  readonly change: Change
  readonly status: Status
  readonly running: Action | null
  /** Message of the last error, for the user. */
  readonly error: string | null
  /** Its hunks are being read. */
  readonly loading: boolean
  /** The change to undo next: this one to undo it, or its undo to redo it. */
  readonly last: { readonly id: string; readonly version: number | null } | null
}

/** A call whose arguments are being written, or that is running. */
export interface PendingCall {
  readonly kind: 'pending'
  readonly sentence: Sentence
  /** Whether all arguments have arrived. */
  readonly complete: boolean
}

/** A result without a change. */
export interface TextResult {
  readonly kind: 'text'
  readonly sentence: Sentence
  readonly texts: readonly string[]
  readonly failed: boolean
}

/** A call that was cancelled. */
export interface CancelledCall {
  readonly kind: 'cancelled'
  readonly sentence: Sentence
  readonly reason: string
}

/** Everything that the review can show. */
export type ReviewState =
  | { readonly kind: 'waiting' }
  | PendingCall
  | ShownChange
  | TextResult
  | CancelledCall

/** The current state, with functions to change it and to subscribe to it. */
export type Store = ReturnType<typeof createStore>

/** Creates the state before the host has sent a call. */
export function createStore() {
  const listeners = new Set<() => void>()
  let state: ReviewState = { kind: 'waiting' }

  function set(next: ReviewState): void {
    state = next
    for (const listener of listeners) listener()
  }

  return {
    get state() {
      return state
    },
    set,
    /** Updates the shown change, if it is still the one with this id. */
    update(id: string, next: Partial<ShownChange>): void {
      if (state.kind === 'change' && state.change.id === id) set({ ...state, ...next })
    },
    /** Subscribes to changes of the state; returns a function that unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

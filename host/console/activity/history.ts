/**
 * A paginated history: the newest page is kept up to date, older pages are loaded on request. A new
 * query aborts the previous one and discards its results.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoad } from '../ui/load.ts'

/** One page, and the position before which the next one starts; null on the last page. */
export interface HistoryPage<T> {
  readonly items: readonly T[]
  readonly next: number | null
}

/** The loaded part of a history. */
export interface History<T> {
  readonly items: readonly T[]
  /** Whether the newest page has been loaded. */
  readonly isRead: boolean
  readonly isLoading: boolean
  readonly error: unknown
  readonly reload: () => void
  /** Loads the next older page; null if there is none. */
  readonly more: (() => Promise<void>) | null
}

/** Reads the page before a position, or the newest one for null. */
export type ReadPage<T> = (before: number | null, signal: AbortSignal) => Promise<HistoryPage<T>>

interface Older<T> extends Omit<HistoryPage<T>, 'next'> {
  /** Undefined until an older page is requested. */
  readonly next: number | null | undefined
  readonly error: unknown
  readonly isLoading: boolean
}

const NONE = { items: [], next: undefined, error: null, isLoading: false } as const

/**
 * Loads a history. It starts over whenever a value in `on` changes. The newest page also reloads
 * when `often` changes, as long as it is the only one loaded.
 */
export function useHistory<T>(
  read: ReadPage<T>,
  on: readonly unknown[],
  often?: unknown,
): History<T> {
  const [older, setOlder] = useState<Older<T>>(NONE)
  const last = useRef(often)
  if (older.items.length === 0) last.current = often
  const newest = useLoad((signal) => read(null, signal), [...on, last.current])
  const asking = useRef(new AbortController())
  useEffect(() => {
    setOlder(NONE)
    const controller = new AbortController()
    asking.current = controller
    return () => controller.abort()
  }, on)
  const before = older.next === undefined ? (newest.value?.next ?? null) : older.next
  const more = async () => {
    const { signal } = asking.current
    if (older.isLoading) return
    setOlder((shown) => ({ ...shown, error: null, isLoading: true }))
    const next = await read(before, signal).catch((error: unknown) => ({ error }))
    if (!signal.aborted) setOlder((shown) => append(shown, next))
  }
  return {
    items: [...(newest.value?.items ?? []), ...older.items],
    isRead: newest.value !== null,
    isLoading: newest.isLoading || older.isLoading,
    error: newest.error ?? older.error,
    reload: older.error === null ? newest.reload : () => void more(),
    more: before === null ? null : more,
  }
}

function append<T>(shown: Older<T>, next: HistoryPage<T> | { readonly error: unknown }): Older<T> {
  if ('error' in next) return { ...shown, error: next.error, isLoading: false }
  return { ...next, items: [...shown.items, ...next.items], error: null, isLoading: false }
}

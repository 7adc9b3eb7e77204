/**
 * A history that goes on: its newest part stays up to date, and older ones come when they are asked
 * for. A newer question ends the older one, and takes away what that had brought.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoad } from './load.ts'

/** One part, and before what the next one begins; null where nothing is older. */
export interface Part<T> {
  readonly items: readonly T[]
  readonly next: number | null
}

export interface History<T> {
  readonly items: readonly T[]
  /** Whether anything has been read. */
  readonly isRead: boolean
  readonly isLoading: boolean
  readonly error: unknown
  readonly reload: () => void
  /** Asks for older ones; null where there are none. */
  readonly more: (() => Promise<void>) | null
}

export type ReadPart<T> = (before: number | null, signal: AbortSignal) => Promise<Part<T>>

interface Older<T> extends Omit<Part<T>, 'next'> {
  /** Undefined as long as no older part was asked for. */
  readonly next: number | null | undefined
  readonly error: unknown
  readonly isLoading: boolean
}

const NONE = { items: [], next: undefined, error: null, isLoading: false } as const

/**
 * Begins anew whenever one of `on` differs. The newest part is asked for when `often` differs, too,
 * as long as it is the only one.
 */
export function useHistory<T>(
  read: ReadPart<T>,
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
    if (!signal.aborted) setOlder((shown) => joined(shown, next))
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

function joined<T>(shown: Older<T>, next: Part<T> | { readonly error: unknown }): Older<T> {
  if ('error' in next) return { ...shown, error: next.error, isLoading: false }
  return { ...next, items: [...shown.items, ...next.items], error: null, isLoading: false }
}

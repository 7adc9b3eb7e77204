/** A paginated list of the server, read page by page. @module */

import { useEffect, useState } from 'preact/hooks'
import type { Page } from '../../mcp/types.ts'
import { connectionStatus, revision } from '../connect/connection.ts'

/** Most items of a list; further pages are not read. */
const MAX_ITEMS = 2_000

interface Listed<T> {
  readonly items: readonly T[]
  readonly next: string | null
  readonly error: unknown
  readonly isLoading: boolean
}

const NONE = { items: [], next: null, error: null, isLoading: false } as const

/**
 * Holds the pages of a list that were read so far; the list is read again when the server changes.
 *
 * @param read Reads one page; null if the server does not have the list.
 */
export function useList<T>(
  read: ((cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>) | null,
) {
  const [state, setState] = useState<Listed<T>>(NONE)
  const load = async (cursor: string | undefined, signal: AbortSignal) => {
    if (!read) return setState(NONE)
    setState((before) => ({ ...before, isLoading: true, error: null }))
    try {
      const { items, next } = await read(cursor, signal)
      if (signal.aborted) return
      setState((before) => {
        const all = cursor === undefined ? items : [...before.items, ...items]
        return { ...NONE, items: all, next: all.length < MAX_ITEMS ? next : null }
      })
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, isLoading: false, error }))
    }
  }
  useEffect(() => {
    const controller = new AbortController()
    void load(undefined, controller.signal)
    return () => controller.abort()
  }, [connectionStatus.value, revision.value])
  const more = () => void load(state.next ?? undefined, new AbortController().signal)
  const retry = () => void load(undefined, new AbortController().signal)
  return { ...state, more, retry }
}

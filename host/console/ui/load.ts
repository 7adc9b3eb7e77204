/**
 * A hook for loading data. A new load aborts the previous one, and the old value stays until the
 * new one arrives, so that nothing flickers.
 *
 * @module
 */

import { useCallback, useEffect, useState } from 'preact/hooks'

/** The state of a load. */
export interface Loaded<T> {
  readonly value: T | null
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Loads a value, and loads it again whenever a value in `on` changes. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  on: readonly unknown[],
): Loaded<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    value: null,
    error: null,
    isLoading: true,
  })
  useEffect(() => {
    const { signal, abort } = createAbort()
    setState((before) => ({ ...before, isLoading: true }))
    load(signal).then(
      (value) => {
        if (!signal.aborted) setState({ value, error: null, isLoading: false })
      },
      (error: unknown) => {
        if (!signal.aborted) setState((before) => ({ ...before, error, isLoading: false }))
      },
    )
    return abort
  }, [...on, round])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  return { ...state, reload }
}

function createAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

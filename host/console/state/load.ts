/**
 * Loading: a page asks for something and is told how it goes. A newer question ends the older one,
 * and what was there stays while it is asked for again, so that nothing flickers.
 *
 * @module
 */

import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  readonly value: T | null
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Asks anew whenever one of `on` differs. */
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
    const { signal, abort } = controlled()
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

function controlled() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

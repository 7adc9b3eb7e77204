/**
 * Loads what a template shows from its data, in slices, and keeps the last one while a newer one
 * loads.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import { messageOf } from './dashboard.ts'

/** What has been loaded. */
export interface Loaded<T> {
  readonly value: T | null
  readonly error: string
  /** From 0 to 1, while a large file is read. */
  readonly share: number
}

/** What a load may ask and report. */
export interface LoadContext {
  /** Whether this load is still the newest. */
  readonly isCurrent: () => boolean
  readonly onPart: (share: number) => void
}

/**
 * Loads a value, and again after each change of the inputs.
 *
 * @param load Returns the value; null if it was given up because it is no longer the newest.
 */
export function useLoaded<T>(
  load: (context: LoadContext) => Promise<T | null>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, error: '', share: 0 })
  useEffect(() => {
    let isNewest = true
    const isCurrent = () => isNewest
    const onPart = (share: number) => isNewest && setLoaded((before) => ({ ...before, share }))
    load({ isCurrent, onPart }).then(
      (value) => isNewest && value !== null && setLoaded({ value, error: '', share: 1 }),
      (error: unknown) =>
        isNewest && setLoaded((before) => ({ ...before, error: messageOf(error) })),
    )
    return () => void (isNewest = false)
  }, inputs)
  return loaded
}

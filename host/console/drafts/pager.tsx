/** Pages of a long list: only the rows of one page are rendered, and further ones are loaded on demand. @module */

import { useState } from 'preact/hooks'
import { formatCount, formatNumber } from '../ui/format.ts'

/** One page of a list. */
export interface Pages<T> {
  readonly rows: readonly T[]
  /** Index of the first row. */
  readonly start: number
  readonly total: number
  readonly isLoading: boolean
  /** Goes forwards (1) or back (-1). */
  readonly turn: (step: 1 | -1) => void
  /** Shows the page of a row that is loaded. */
  readonly show: (index: number) => void
}

/** Divides a list of which `left` items are not loaded yet. `load` adds the next ones to it. */
export function usePages<T>(
  loaded: readonly T[],
  left: number,
  size: number,
  load: () => Promise<void>,
): Pages<T> {
  const [wanted, setWanted] = useState(0)
  const [isLoading, setLoading] = useState(false)
  const total = loaded.length + left
  // After a decision the list can be shorter.
  const start = Math.min(wanted, Math.max(0, Math.floor((loaded.length - 1) / size) * size))
  const turn = async (step: 1 | -1) => {
    const next = Math.max(0, start + step * size)
    if (next >= total) return
    if (next + size > loaded.length && left > 0) {
      setLoading(true)
      await load()
      setLoading(false)
    }
    setWanted(next)
  }
  const rows = loaded.slice(start, start + size)
  const show = (index: number) => setWanted(Math.max(0, Math.floor(index / size) * size))
  return { rows, start, total, isLoading, turn: (step) => void turn(step), show }
}

interface Props {
  readonly pages: Omit<Pages<unknown>, 'rows'> & { readonly rows: readonly unknown[] }
  readonly noun: string
}

/** Shows which rows are visible, with buttons for the others; nothing if all are visible. */
export function Pager({ pages, noun }: Props) {
  const { rows, start, total, isLoading, turn } = pages
  if (rows.length === total) return null
  const end = start + rows.length
  return (
    <div class="pager row apart">
      <span class="numbers small faint" role="status">
        {formatNumber(start + 1)} to {formatNumber(end)} of {formatCount(total, noun)}
      </span>
      <span class="row">
        <button
          type="button"
          class="button small"
          disabled={start === 0 || isLoading}
          onClick={() => turn(-1)}
        >
          Previous<span class="unseen"> {noun}s</span>
        </button>
        <button
          type="button"
          class="button small"
          disabled={end >= total || isLoading}
          onClick={() => turn(1)}
        >
          {isLoading ? 'Loading…' : 'Next'}
          <span class="unseen"> {noun}s</span>
        </button>
      </span>
    </div>
  )
}

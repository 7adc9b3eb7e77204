/**
 * Lists that polling changes and that buttons stand in: what is shown keeps its place, and what is new waits until the
 * person asks for it. Otherwise an agent could move a button under the pointer.
 * `test/pages/console/decision-buttons.test.ts` covers it.
 *
 * @module
 */

import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

interface Counts {
  readonly held: number
  readonly fresh: number
}

const lists = signal<ReadonlyMap<object, Counts>>(new Map())

const total = (what: keyof Counts) =>
  [...lists.value.values()].reduce((sum, counts) => sum + counts[what], 0)

const heldCount = computed(() => total('held'))

/** Number of rows that are not shown yet, of all lists on the page. */
export const newRowCount = computed(() => total('fresh'))

const round = signal(0)

/** Shows all lists as they are now. */
export const showNewRows = () => void round.value++

/** A row that is shown. */
export interface HeldRow<T> {
  readonly row: T
  /** Whether the list has it no more. */
  readonly isGone: boolean
}

interface Kept<T> {
  readonly round: number
  readonly rows: readonly T[]
}

/**
 * Holds the rows that were there at first; a row of the same key is replaced in its place. While no list holds
 * anything, nothing can move, and rows are shown as they come.
 *
 * @param rows Null while they are not known.
 */
export function useHeld<T>(
  rows: readonly T[] | null,
  keyOf: (row: T) => string,
): readonly HeldRow<T>[] {
  const list = useRef({}).current
  const kept = useRef<Kept<T> | null>(null)
  const isNew = kept.current?.round !== round.value || heldCount.value === 0
  if (rows !== null && isNew) kept.current = { round: round.value, rows }
  const now = new Map(rows?.map((row) => [keyOf(row), row]))
  const before = kept.current?.rows ?? []
  const known = new Set(before.map(keyOf))
  const shown = before.map((row) => {
    const current = now.get(keyOf(row))
    return { row: current ?? row, isGone: rows !== null && current === undefined }
  })
  const fresh = [...now.keys()].filter((key) => !known.has(key)).length
  useEffect(() => setCounts(list, { held: shown.length, fresh }), [shown.length, fresh])
  useEffect(() => () => setCounts(list, null), [])
  return shown
}

function setCounts(list: object, counts: Counts | null): void {
  const others = new Map(lists.peek())
  others.delete(list)
  lists.value = counts === null ? others : others.set(list, counts)
}

/**
 * The beginning of a list that a server fills: the page would stop at ten thousand entries.
 * `test/host/console/visible.test.tsx` has such lists.
 *
 * @module
 */

import { formatCount } from './format.ts'

/** Most entries of a list that are drawn. */
const MAX_ENTRIES = 500

/** Most characters of a text of an entry that are drawn. */
export const ENTRY_TEXT = 300

/** Returns the entries to draw. */
export const firstOf = <T,>(entries: readonly T[]): readonly T[] => entries.slice(0, MAX_ENTRIES)

/** Shows how many entries of a list are not drawn; nothing if all are. */
export function LeftOut({ count }: { readonly count: number }) {
  const left = count - MAX_ENTRIES
  if (left <= 0) return null
  return <p class="faint">Not shown: {formatCount(left, 'more entry', 'more entries')}.</p>
}

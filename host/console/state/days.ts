/** Groups items by day. @module */

import { slowly } from './clock.ts'

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

/**
 * Groups items by day, in their order, with "Today" and "Yesterday" as names.
 *
 * @param list Items with a time in milliseconds since 1970.
 */
export function byDay<T extends { readonly at: number }>(
  list: readonly T[],
): [string, readonly T[]][] {
  const today = DAY.format(slowly.value)
  const yesterday = DAY.format(slowly.value - 86_400_000)
  const name = (day: string) => (day === today ? 'Today' : day === yesterday ? 'Yesterday' : day)
  return [...Map.groupBy(list, ({ at }) => name(DAY.format(at)))]
}

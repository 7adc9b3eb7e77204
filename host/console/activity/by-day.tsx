/** A history grouped by day, newest first, with a button for older items. @module */

import type { ComponentChildren } from 'preact'
import { formatCount } from '../ui/format.ts'
import type { History } from './history.ts'
import { Icon } from '../ui/icons.tsx'
import { Fault, Waiting } from '../ui/parts.tsx'
import { coarseNow } from '../ui/clock.ts'

interface Props<T> {
  readonly history: History<T>
  /** The noun for its items, singular and plural. */
  readonly nouns: readonly [string, string]
  /** Shown if the history is empty. */
  readonly nothing: ComponentChildren
  /** Renders the items of one day. */
  readonly list: (items: readonly T[]) => ComponentChildren
}

/** Shows a history grouped by day, with its errors and loading state. */
export function HistoryByDay<T extends { readonly at: number }>({
  history: { items, isRead, isLoading, error, reload, more },
  nouns: [one, several],
  nothing,
  list,
}: Props<T>) {
  return (
    <>
      {error ? <Fault what={`Cannot read the ${several}`} error={error} retry={reload} /> : null}
      {!isRead && isLoading && <Waiting />}
      <p class="unseen" role="status">
        {isRead ? `${formatCount(items.length, one, several)} shown` : ''}
      </p>
      {isRead &&
        items.length === 0 &&
        (more ? <p>None of the newest {several} is visible.</p> : nothing)}
      {groupByDay(items).map(([day, ofDay]) => (
        <section key={day} class="card day">
          <h2>{day}</h2>
          {list(ofDay)}
        </section>
      ))}
      {more && isRead && (
        <button type="button" class="button" onClick={() => void more()}>
          <Icon name="down" /> Older {several}
        </button>
      )}
    </>
  )
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

/**
 * Groups items by day, in their order, with "Today" and "Yesterday" as names.
 *
 * @param list Items with a time in milliseconds since 1970.
 */
function groupByDay<T extends { readonly at: number }>(
  list: readonly T[],
): [string, readonly T[]][] {
  const today = DAY.format(coarseNow.value)
  const yesterday = DAY.format(coarseNow.value - 86_400_000)
  const name = (day: string) => (day === today ? 'Today' : day === yesterday ? 'Yesterday' : day)
  return [...Map.groupBy(list, ({ at }) => name(DAY.format(at)))]
}

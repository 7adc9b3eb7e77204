/** A history grouped by day, newest first, with a button for older items. @module */

import type { ComponentChildren } from 'preact'
import { byDay } from '../state/days.ts'
import { numbered } from '../state/format.ts'
import type { History } from '../state/history.ts'
import { Icon } from './icons.tsx'
import { Fault, Waiting } from './parts.tsx'

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
export function Days<T extends { readonly at: number }>({
  history: { items, isRead, isLoading, error, reload, more },
  nouns: [one, several],
  nothing,
  list,
}: Props<T>) {
  return (
    <>
      {error ? (
        <Fault what={`The ${several} could not be read.`} error={error} retry={reload} />
      ) : null}
      {!isRead && isLoading && <Waiting />}
      <p class="unseen" role="status">
        {isRead ? `${numbered(items.length, one, several)} shown` : ''}
      </p>
      {isRead && items.length === 0 && nothing}
      {byDay(items).map(([day, ofDay]) => (
        <section key={day} class="card day">
          <h2>{day}</h2>
          {list(ofDay)}
        </section>
      ))}
      {more && items.length > 0 && (
        <button type="button" class="button" onClick={() => void more()}>
          <Icon name="down" /> Older {several}
        </button>
      )}
    </>
  )
}

/** A history in days, newest first, with a way to what is older. @module */

import type { ComponentChildren } from 'preact'
import { byDay } from '../state/days.ts'
import { numbered } from '../state/format.ts'
import type { History } from '../state/history.ts'
import { Icon } from './icons.tsx'
import { Fault, Waiting } from './parts.tsx'

interface Props<T> {
  readonly history: History<T>
  /** What it holds, as one and as several. */
  readonly nouns: readonly [string, string]
  /** Stands there where it holds nothing. */
  readonly nothing: ComponentChildren
  /** Shows the items of a day. */
  readonly list: (items: readonly T[]) => ComponentChildren
}

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

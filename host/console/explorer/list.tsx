/** A list of the explorer: one link for each item, with a search field and a button for more. @module */

import { useState } from 'preact/hooks'
import { Icon } from '../ui/icons.tsx'
import { ENTRY_TEXT, firstOf, LeftOut } from '../ui/first-of.tsx'
import { Fault, Waiting } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'

/** An item of a list. */
export interface Item {
  readonly key: string
  readonly title: string
  /** The address or name, as the protocol has it. */
  readonly code: string
  readonly description: string
  readonly href: string
}

interface Props {
  readonly title: string
  readonly items: readonly Item[]
  /** The key of the open item. */
  readonly open: string | undefined
  readonly isLoading: boolean
  readonly error: unknown
  readonly hasMore: boolean
  readonly onMore: () => void
  /** Reads the list again. */
  readonly onRetry: () => void
}

/** Below this number of items there is no search field. */
const MIN_SEARCHED = 8

/** Shows a list under its title. */
export function List({ title, items, open, isLoading, error, hasMore, onMore, onRetry }: Props) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = items.filter(({ title: name, code }) =>
    `${name} ${code}`.toLowerCase().includes(wanted),
  )
  return (
    <section class="toolgroup" aria-label={title}>
      <h2>{title}</h2>
      {items.length >= MIN_SEARCHED && (
        <div class="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label={`Search ${title.toLowerCase()}`}
            placeholder={`Search ${title.toLowerCase()}`}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
      )}
      {error ? (
        <Fault what={`Cannot list the ${title.toLowerCase()}`} error={error} retry={onRetry} />
      ) : null}
      {isLoading && items.length === 0 && <Waiting />}
      <ul class="tools narrow">
        {firstOf(shown).map((item) => (
          <Entry key={item.key} item={item} isOpen={item.key === open} />
        ))}
      </ul>
      <LeftOut count={shown.length} />
      {shown.length === 0 && items.length > 0 && <p class="faint">Nothing matches “{text}”.</p>}
      {hasMore && (
        <button type="button" class="button small" disabled={isLoading} onClick={onMore}>
          Show more
        </button>
      )}
    </section>
  )
}

const Entry = ({ item, isOpen }: { readonly item: Item; readonly isOpen: boolean }) => (
  <li class={isOpen ? 'open' : ''}>
    <a href={item.href} aria-current={isOpen ? 'true' : undefined}>
      <span class="toolname">
        <strong>
          <Visible text={item.title} most={ENTRY_TEXT} />
        </strong>{' '}
        <code>
          <Visible text={item.code} most={ENTRY_TEXT} />
        </code>
      </span>
      <span class="template">
        <Visible text={item.description} most={ENTRY_TEXT} />
      </span>
    </a>
  </li>
)

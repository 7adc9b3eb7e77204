/**
 * The entries of a folder as a table with sizes and dates. It is sorted only where the whole folder is known: the server
 * has its pages in the order of names. F2 renames the entry that has the focus, Delete deletes it.
 * `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import { useMemo, useState } from 'preact/hooks'
import { linkTo } from '../shell/route.ts'
import { formatBytes } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { When } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { EntryMenu, useEntryActions } from './entry-actions.tsx'
import type { Entry } from './source.ts'

type Column = 'name' | 'size' | 'changed'

interface Order {
  readonly by: Column
  readonly isDown: boolean
}

interface Props {
  readonly entries: readonly Entry[]
  /** Whether these are all entries of the folder. */
  readonly isComplete: boolean
}

/** Shows the table. */
export function EntryTable({ entries, isComplete }: Props) {
  const [order, setOrder] = useState<Order>({ by: 'name', isDown: false })
  const sorted = useMemo(
    () => (isComplete ? sortEntries(entries, order) : entries),
    [entries, isComplete, order],
  )
  const actions = useEntryActions()
  const head = (by: Column, text: string) => (
    <Head key={by} {...{ by, text, order, isComplete }} onOrder={setOrder} />
  )
  return (
    <>
      <table class="entries">
        <caption class="unseen">Entries of the folder</caption>
        <thead>
          <tr>
            {head('name', 'Name')}
            {head('size', 'Size')}
            {head('changed', 'Changed')}
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((entry) => (
            <Row key={entry.path} entry={entry} onAct={actions.open} />
          ))}
        </tbody>
      </table>
      {actions.dialog}
    </>
  )
}

/** Sorts entries: folders first, and names decide where the rest is equal. */
export function sortEntries(entries: readonly Entry[], { by, isDown }: Order): readonly Entry[] {
  const names = new Intl.Collator(undefined, { numeric: true })
  const compare = (a: Entry, b: Entry) => {
    if (by === 'size') return (a.size ?? 0) - (b.size ?? 0)
    return by === 'changed' ? a.changed - b.changed : names.compare(a.name, b.name)
  }
  return entries.toSorted(
    (a, b) =>
      Number(b.type === 'folder') - Number(a.type === 'folder') ||
      (isDown ? -compare(a, b) : compare(a, b)) ||
      names.compare(a.name, b.name),
  )
}

interface HeadProps {
  readonly by: Column
  readonly text: string
  readonly order: Order
  readonly isComplete: boolean
  readonly onOrder: (order: Order) => void
}

function Head({ by, text, order, isComplete, onOrder }: HeadProps) {
  const isSorted = order.by === by
  const direction = order.isDown ? 'descending' : 'ascending'
  if (!isComplete)
    return (
      <th scope="col" class={by} aria-sort={by === 'name' ? 'ascending' : undefined}>
        {text}
      </th>
    )
  return (
    <th scope="col" class={by} aria-sort={isSorted ? direction : undefined}>
      <button
        type="button"
        onClick={() => onOrder({ by, isDown: isSorted ? !order.isDown : by !== 'name' })}
      >
        {text}
        <span aria-hidden="true">{isSorted ? (order.isDown ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
}

interface RowProps {
  readonly entry: Entry
  readonly onAct: ReturnType<typeof useEntryActions>['open']
}

function Row({ entry, onAct }: RowProps) {
  const { name, path, type, size, changed } = entry
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key !== 'F2' && event.key !== 'Delete') return
    event.preventDefault()
    onAct(event.key === 'F2' ? 'rename' : 'delete', entry)
  }
  return (
    <tr data-path={path}>
      <th scope="row" class="name">
        <a href={linkTo(['files'], { path })} aria-keyshortcuts="F2 Delete" onKeyDown={handleKey}>
          <Icon name={type === 'folder' ? 'files' : 'file'} />
          <span>
            <Path text={name} />
            {type === 'folder' && <span class="unseen"> (folder)</span>}
          </span>
        </a>
      </th>
      <td class="size numbers">{size === null ? '' : formatBytes(size)}</td>
      <td class="changed">
        <When at={changed} />
      </td>
      <td class="acts">
        <EntryMenu entry={entry} onAct={(act) => onAct(act, entry)} />
      </td>
    </tr>
  )
}

/**
 * Tree of folders and files, fully operable with the keyboard.
 *
 * It follows the ARIA tree view pattern with a roving tabindex. `keys.ts` maps the keys.
 *
 * @module
 */

import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Visible } from '../review/words.tsx'
import type { Files } from './files.ts'
import { sizeText, type Dates } from './format.ts'
import { Icon, type IconName } from './icons.tsx'
import { createTypeAhead, moveFor } from './keys.ts'
import { Rows } from './rows.tsx'
import type { Folder, Item, Row } from './tree.ts'

interface TreeProps {
  readonly files: Files
  readonly dates: Dates
  readonly onOpen: (item: Item) => void
}

const keyOf = (row: Row) => (row.type === 'note' ? `${row.folder.path}\n` : row.path)

/** Renders the open part of the tree. */
export function TreeList({ files, dates, onOpen }: TreeProps) {
  const { tree, preview } = files
  const { rows } = tree
  const chosen = preview.state.choice?.path ?? ''
  const [key, setKey] = useState(chosen as string)
  const [moves, setMoves] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const typeAhead = useRef(createTypeAhead())
  const found = rows.findIndex((each) => keyOf(each) === key)
  const before = useRef(0)
  const active =
    found < 0 ? Math.min(placeOfGone(key, rows, before.current), rows.length - 1) : found
  before.current = Math.max(0, active)

  useLayoutEffect(() => setKey(chosen), [chosen])
  useLayoutEffect(() => {
    if (moves) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [moves])
  useLayoutEffect(() => {
    // The row with the focus was removed, and the focus with it.
    if (key && found < 0 && document.activeElement === document.body) goTo(active)
  })

  function goTo(index: number): void {
    const to = rows[index]
    if (!to) return
    setKey(keyOf(to))
    setMoves(moves + 1)
  }

  function enter(row: Row | undefined): void {
    if (!row) return
    setKey(keyOf(row))
    if (row.type === 'note') return void tree.more(row.folder)
    if (row.type === 'folder') void tree.toggle(row)
    onOpen(row)
  }

  function press(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const { key: pressed } = event
    if (event.ctrlKey || event.metaKey || event.altKey || pressed === '/') return
    const move = moveFor(pressed, rows, active)
    if (typeof move === 'number') goTo(move)
    else if (move) void tree.toggle(move)
    else if (pressed === 'Enter' || pressed === ' ') enter(rows[active])
    else if (pressed.length !== 1) return
    else goTo(typeAhead.current(pressed, rows, active, Date.now()))
    event.preventDefault()
  }

  const draw = (index: number, style: string) => {
    const row = rows[index]
    if (!row) return
    // The key must be a direct attribute: a spread key is ignored, and rows would be swapped with
    // their focus.
    const common = {
      tabIndex: index === active ? 0 : -1,
      onClick: () => enter(row),
    }
    return row.type === 'note' ? (
      <NoteRow key={keyOf(row)} {...common} {...row} style={style} more={tree.more} />
    ) : (
      <ItemRow
        key={keyOf(row)}
        {...common}
        item={row}
        style={style}
        chosen={row.path === chosen}
        dates={dates}
      />
    )
  }

  return (
    <div class="fill" ref={list}>
      <Rows
        count={rows.length}
        active={active}
        follow={moves + chosen}
        draw={draw}
        attributes={{ role: 'tree', 'aria-label': 'Files', onKeyDown: press }}
      />
    </div>
  )
}

/**
 * Returns the row that replaces a removed one. A removed note is replaced by the folder's last
 * entry.
 */
function placeOfGone(key: string, rows: readonly Row[], before: number): number {
  if (!key.endsWith('\n')) return before
  const folder = key.slice(0, -1)
  const last = rows.findLastIndex((row) => row.type !== 'note' && row.parent?.path === folder)
  return last < 0 ? before : last
}

interface RowProps {
  readonly style: string
  readonly tabIndex: number
  readonly onClick: () => void
}

interface ItemProps extends RowProps {
  readonly item: Item
  readonly chosen: boolean
  readonly dates: Dates
}

function ItemRow({ item, chosen, dates, style, tabIndex, onClick }: ItemProps) {
  const { name, path, level, index, parent, entry, type } = item
  const folder = item.type === 'folder'
  return (
    <div
      class="row"
      role="treeitem"
      aria-level={level}
      aria-posinset={index + 1}
      aria-setsize={parent ? (parent.next ? -1 : parent.children.length) : undefined}
      aria-selected={chosen}
      aria-expanded={folder ? item.open : undefined}
      style={`${style}--level:${level}`}
      tabIndex={tabIndex}
      title={name}
      data-path={path}
      onClick={onClick}
    >
      <span class="twist">{folder && <Icon name="chevron" />}</span>
      <Icon name={folder ? 'folder' : iconOf(entry?.mime ?? '')} />
      <span class="name">
        <Visible text={name} />
      </span>
      {entry && type === 'file' && (
        <span class="fact" title={dates.full(entry.modified)}>
          <span class="date">{dates.day(entry.modified)}</span> {sizeText(entry.size)}
        </span>
      )}
    </div>
  )
}

/** Returns the icon of a file by its media type. */
export function iconOf(mime: string): IconName {
  if (mime.startsWith('image/')) return 'image'
  return /^text\/|json|xml|script|yaml|toml|sql/.test(mime) ? 'text' : 'file'
}

interface NoteProps extends RowProps {
  readonly folder: Folder
  readonly more: (folder: Folder) => unknown
}

/** Loads the next page of its folder as soon as it is rendered. */
function NoteRow({ folder, more, style, tabIndex, onClick }: NoteProps) {
  const { state, next, children, error, level } = folder
  useEffect(() => {
    if (state === 'ready' && next) more(folder)
  })
  const failed = state === 'failed'
  const text = state === 'loading' || next ? `Loading… ${children.length || ''}` : 'Empty folder'
  return (
    <div
      class={failed ? 'row danger' : 'row hint'}
      role="treeitem"
      aria-level={level + 1}
      aria-selected={false}
      style={`${style}--level:${level + 1}`}
      tabIndex={tabIndex}
      onClick={onClick}
    >
      <span class="twist" />
      {failed ? <Visible text={`${error}. Press Enter to try again`} /> : text}
    </div>
  )
}

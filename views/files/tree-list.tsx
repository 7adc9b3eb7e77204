/**
 * Tree of folders and files, fully operable with the keyboard.
 *
 * It follows the ARIA tree view pattern with a roving tabindex. `tree-keys.ts` maps the keys.
 *
 * @module
 */

import { visible } from '#core/visible.ts'
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { SafePath } from '../safe-path.tsx'
import { SafeLine } from '../safe-text.tsx'
import type { Files } from './files.ts'
import { formatSize, type Dates } from './format.ts'
import { Icon, type IconName } from '../icons.tsx'
import { createTypeAhead, findMove } from './tree-keys.ts'
import { VirtualList } from '../virtual-list.tsx'
import type { Folder, Item, Row, Tree } from './tree.ts'

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
  const { list, active, moves, setKey, goTo } = useActiveRow(rows, chosen)
  const typeAhead = useRef(createTypeAhead())

  const enter = (row: Row | undefined) => {
    if (!row) return
    setKey(keyOf(row))
    if (row.type === 'note') return void tree.loadMore(row.folder)
    if (row.type === 'folder') void tree.toggle(row)
    onOpen(row)
  }
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || key === '/') return
    const move = findMove(key, rows, active)
    if (typeof move === 'number') goTo(move)
    else if (move) void tree.toggle(move)
    else if (key === 'Enter' || key === ' ') enter(rows[active])
    else if (key.length !== 1) return
    else goTo(typeAhead.current(key, rows, active, Date.now()))
    event.preventDefault()
  }
  const renderRow = (index: number, style: string) => {
    const row = rows[index]
    if (!row) return
    const props = { style, tabIndex: index === active ? 0 : -1, onClick: () => enter(row) }
    // The key must be a direct attribute: a spread key is ignored, and rows would be swapped with
    // their focus.
    return row.type === 'note' ? (
      <NoteRow key={keyOf(row)} {...props} folder={row.folder} tree={tree} />
    ) : (
      <ItemRow key={keyOf(row)} {...props} item={row} chosen={row.path === chosen} dates={dates} />
    )
  }
  return (
    <div class="fill" ref={list}>
      <VirtualList
        count={rows.length}
        active={active}
        scrollKey={moves + chosen}
        render={renderRow}
        attributes={{ role: 'tree', 'aria-label': 'Files', onKeyDown: press }}
      />
    </div>
  )
}

/**
 * Tracks the active row by its key, so that it stays active while rows are added and removed, and
 * moves the focus to it.
 */
function useActiveRow(rows: readonly Row[], chosen: string) {
  const [key, setKey] = useState(chosen)
  const [moves, setMoves] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(0)
  const found = rows.findIndex((each) => keyOf(each) === key)
  const active =
    found < 0 ? Math.min(findReplacement(key, rows, before.current), rows.length - 1) : found
  before.current = Math.max(0, active)
  const goTo = (index: number) => {
    const row = rows[index]
    if (!row) return
    setKey(keyOf(row))
    setMoves(moves + 1)
  }

  useLayoutEffect(() => setKey(chosen), [chosen])
  useLayoutEffect(() => {
    if (moves) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [moves])
  useLayoutEffect(() => {
    // The row with the focus was removed, and the focus with it.
    if (key && found < 0 && document.activeElement === document.body) goTo(active)
  })
  return { list, active, moves, setKey, goTo }
}

/**
 * Returns the row that replaces a removed one. A removed note is replaced by the folder's last
 * entry.
 */
function findReplacement(key: string, rows: readonly Row[], before: number): number {
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
      title={visible(name)}
      data-path={path}
      onClick={onClick}
    >
      <span class="twist">{folder && <Icon name="chevron" />}</span>
      <Icon name={folder ? 'folder' : chooseIcon(entry?.mime ?? '')} />
      <span class="name">
        <SafePath text={name} />
      </span>
      {entry && type === 'file' && (
        <span class="fact" title={dates.full(entry.modified)}>
          <span class="date">{dates.day(entry.modified)}</span> {formatSize(entry.size)}
        </span>
      )}
    </div>
  )
}

/** Returns the icon of a file by its media type. */
function chooseIcon(mime: string): IconName {
  if (mime.startsWith('image/')) return 'image'
  return /^text\/|json|xml|script|yaml|toml|sql/.test(mime) ? 'text' : 'file'
}

interface NoteProps extends RowProps {
  readonly folder: Folder
  readonly tree: Tree
}

/** Loads the next page of its folder as soon as it is rendered. */
function NoteRow({ folder, tree, style, tabIndex, onClick }: NoteProps) {
  const { state, next, children, error, level } = folder
  useEffect(() => {
    if (state === 'ready' && next) void tree.loadMore(folder)
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
      {failed ? <SafeLine text={`${error}. Press Enter to try again.`} /> : text}
    </div>
  )
}

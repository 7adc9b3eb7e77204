/**
 * State of the tree: open folders, their entries, and the rows to render.
 *
 * Folders are read on demand: the first page when a folder opens, later pages when its end becomes
 * visible. Rows are the entries themselves in one list, so a row costs nothing until it is
 * rendered. A folder of one page lists folders first; a longer one keeps the server's order,
 * because unread entries cannot be sorted. `test/views/files-tree.test.ts` has the table.
 *
 * @module
 */

import { ancestorsOf, isWithin, nameOf, resolvePath, type StorePath } from '#core/path.ts'
import type { Entry, Page } from './answers.ts'
import { PAGE, wordsOf } from './server.ts'

interface Placed {
  readonly path: StorePath
  readonly name: string
  readonly parent: Folder | null
  /** From 1. */
  readonly level: number
  /** Position among its siblings, from 0. */
  index: number
}

/** A file in the tree. */
export interface File extends Placed {
  readonly type: 'file'
  readonly entry: Entry
}

/** A folder in the tree. */
export interface Folder extends Placed {
  readonly type: 'folder'
  entry: Entry | null
  open: boolean
  state: 'new' | 'loading' | 'ready' | 'failed'
  error: string
  children: Item[]
  /** The name after which the next page begins; empty for none. */
  next: string
}

/** A row with a message about a folder: empty, loading, failed or continued. */
export interface Note {
  readonly type: 'note'
  readonly folder: Folder
}

/** An entry of the tree. */
export type Item = File | Folder
/** A row of the tree. */
export type Row = Item | Note
/** The state of the tree and its actions. */
export type Tree = ReturnType<typeof createTree>

/** Most pages read at once, to find a name or to refresh a folder. */
const MOST_PAGES = 10

type List = (path: StorePath, after: string, limit: number) => Promise<Page>

/**
 * Creates the state of the tree.
 *
 * @param list Reads a page of a folder.
 * @param changed Called after every change of the state.
 */
export function createTree(list: List, changed: () => void) {
  let tops: Folder[] = []
  let rows: Row[] | null = null

  function told(): void {
    rows = null
    changed()
  }

  /** Sets the roots. A single root is not shown as a row; several are listed side by side. */
  function setRoots(paths: readonly StorePath[]): void {
    const level = paths.length === 1 ? 0 : 1
    tops = paths.map((path, index) => newFolder(path, null, level, index))
    told()
  }

  async function read(folder: Folder, work: () => Promise<void>): Promise<void> {
    if (folder.state === 'loading') return
    folder.state = 'loading'
    told()
    try {
      await work()
      folder.state = 'ready'
    } catch (error) {
      folder.state = 'failed'
      folder.error = wordsOf(error)
    }
    told()
  }

  /** Reads the next page of a folder. */
  const more = (folder: Folder) =>
    read(folder, async () => {
      const first = folder.children.length === 0
      const limit = first ? PAGE.first : PAGE.next
      const page = await list(folder.path, folder.next, limit)
      folder.children = arranged([...folder.children, ...itemsOf(page, folder)], page.next)
      folder.next = page.next
    })

  async function open(folder: Folder): Promise<void> {
    folder.open = true
    if (folder.state === 'new') await more(folder)
    else told()
  }

  async function toggle(folder: Folder): Promise<void> {
    if (!folder.open) return open(folder)
    folder.open = false
    told()
  }

  /**
   * Reads the loaded part of a folder again. Entries beyond the page limit are kept as they are.
   */
  const reload = (folder: Folder) =>
    read(folder, async () => {
      const old = folder.children
      const fresh: Item[] = []
      let next = ''
      const limit = Math.max(PAGE.first, Math.min(PAGE.next, old.length))
      for (let pages = 0; pages < MOST_PAGES; pages++) {
        const page = await list(folder.path, next, limit)
        fresh.push(...itemsOf(page, folder))
        next = page.next
        if (next === '' || fresh.length >= old.length) break
      }
      const last = fresh.at(-1)?.name
      const behind = old.findIndex(({ name }) => name === last) + 1
      const keepsTail = next !== '' && behind > 0 && old.length > PAGE.first
      folder.children = arranged(keepsTail ? [...fresh, ...old.slice(behind)] : fresh, next)
      if (!keepsTail) folder.next = next
    })

  async function refresh(): Promise<void> {
    const stale = [...openFolders()].filter(({ state }) => state !== 'loading')
    for (const folder of stale) await reload(folder)
  }

  function* openFolders(from: readonly Item[] = tops): Iterable<Folder> {
    for (const item of from) {
      if (item.type !== 'folder' || !item.open) continue
      yield item
      yield* openFolders(item.children)
    }
  }

  /**
   * Opens all folders above a path and returns its entry; null if it is not found within the page
   * limit.
   */
  async function reveal(path: StorePath): Promise<Item | null> {
    const top = tops.find((each) => isWithin(path, each.path))
    if (!top) return null
    await open(top)
    if (path === top.path) return top
    let folder = top
    for (const step of [...ancestorsOf(path), path]) {
      if (step === top.path || !isWithin(step, top.path)) continue
      const item = await child(folder, nameOf(step))
      if (item?.type !== 'folder' || step === path) return item
      await open(item)
      folder = item
    }
    return folder
  }

  async function child(folder: Folder, name: string): Promise<Item | null> {
    for (let pages = 0; ; pages++) {
      const found = folder.children.find((item) => item.name === name)
      if (found || folder.next === '' || pages === MOST_PAGES) return found ?? null
      await more(folder)
    }
  }

  return {
    setRoots,
    open,
    toggle,
    more,
    refresh,
    reveal,
    get tops(): readonly Folder[] {
      return tops
    },
    get rows(): readonly Row[] {
      return (rows ??= rowsOf(tops))
    },
    get openPaths(): StorePath[] {
      return [...openFolders()].map(({ path }) => path)
    },
  }
}

function newFolder(path: StorePath, parent: Folder | null, level: number, index: number): Folder {
  const name = nameOf(path) || '/'
  const nothing = { entry: null, error: '', children: [], next: '' }
  return { type: 'folder', path, name, parent, level, index, open: false, state: 'new', ...nothing }
}

function itemsOf({ entries }: Page, folder: Folder): Item[] {
  return entries.flatMap((entry) => {
    const path = resolvePath(entry.name, folder.path)
    return path.ok ? [itemOf(entry, path.value, folder)] : []
  })
}

function itemOf(entry: Entry, path: StorePath, parent: Folder): Item {
  const level = parent.level + 1
  if (entry.type === 'file')
    return { type: 'file', path, name: entry.name, parent, level, index: 0, entry }
  const known = parent.children.find((item) => item.name === entry.name)
  const folder = known?.type === 'folder' ? known : newFolder(path, parent, level, 0)
  folder.entry = entry
  return folder
}

const byName = new Intl.Collator(undefined, { numeric: true })

function arranged(items: Item[], next: string): Item[] {
  const rank = ({ type }: Item) => (type === 'folder' ? 0 : 1)
  if (next === '' && items.length <= PAGE.first)
    items.sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name))
  for (const [index, item] of items.entries()) item.index = index
  return items
}

function rowsOf(tops: readonly Folder[]): Row[] {
  const rows: Row[] = []
  const add = (item: Item): void => {
    if (item.level > 0) rows.push(item)
    if (item.type !== 'folder' || !item.open) return
    for (const child of item.children) add(child)
    if (item.state === 'failed' || item.next !== '' || item.children.length === 0)
      rows.push({ type: 'note', folder: item })
  }
  for (const top of tops) add(top)
  return rows
}

/**
 * State of the tree: open folders, their entries, and the rows to render.
 *
 * Folders are read on demand: the first page when a folder opens, later pages when its end becomes
 * visible. Rows are the entries themselves in one list, so a row costs nothing until it is
 * rendered. A folder of one page lists folders first; a longer one keeps the server's order,
 * because unread entries cannot be sorted. `test/views/files/tree.test.ts` has the table.
 *
 * @module
 */

import { ancestorsOf, isWithin, nameOf, resolvePath, type StorePath } from '#core/path.ts'
import { errorMessage, PAGE } from './client.ts'
import type { Entry, Page } from './tool-results.ts'

interface Node {
  readonly path: StorePath
  readonly name: string
  readonly parent: Folder | null
  /** From 1. */
  readonly level: number
  /** Position among its siblings, from 0. */
  index: number
}

/** A file in the tree. */
export interface File extends Node {
  readonly type: 'file'
  readonly entry: Entry
}

/** A folder in the tree. */
export interface Folder extends Node {
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

/** Most pages read at once, to find a name or to refresh a folder. */
const MAX_PAGES = 10

type ListFolder = (path: StorePath, after: string, limit: number) => Promise<Page>

/** The state of the tree and its actions. */
export class Tree {
  readonly #listFolder: ListFolder
  readonly #onChange: () => void
  #roots: readonly Folder[] = []
  #rows: Row[] | null = null

  /**
   * Creates a tree without roots.
   *
   * @param listFolder Reads a page of a folder.
   * @param onChange Called after every change of the state.
   */
  constructor(listFolder: ListFolder, onChange: () => void) {
    this.#listFolder = listFolder
    this.#onChange = onChange
  }

  /** The roots, as folders. */
  get roots(): readonly Folder[] {
    return this.#roots
  }

  /** The rows to render, from top to bottom. */
  get rows(): readonly Row[] {
    return (this.#rows ??= collectRows(this.#roots))
  }

  /** The paths of all open folders. */
  get openPaths(): StorePath[] {
    return [...openFolders(this.#roots)].map(({ path }) => path)
  }

  /** Sets the roots. A single root is not shown as a row; several are listed side by side. */
  setRoots(paths: readonly StorePath[]): void {
    const level = paths.length === 1 ? 0 : 1
    this.#roots = paths.map((path, index) => newFolder(path, null, level, index))
    this.#changed()
  }

  /** Opens a folder and reads its first page, unless it has been read. */
  async open(folder: Folder): Promise<void> {
    folder.open = true
    if (folder.state === 'new') await this.loadMore(folder)
    else this.#changed()
  }

  /** Opens a closed folder, or closes an open one. */
  async toggle(folder: Folder): Promise<void> {
    if (!folder.open) return this.open(folder)
    folder.open = false
    this.#changed()
  }

  /** Reads the next page of a folder. */
  loadMore(folder: Folder): Promise<void> {
    return this.#load(folder, async () => {
      const limit = folder.children.length === 0 ? PAGE.first : PAGE.next
      const page = await this.#listFolder(folder.path, folder.next, limit)
      folder.children = arrange([...folder.children, ...itemsOf(page, folder)], page.next)
      folder.next = page.next
    })
  }

  /** Reads the loaded part of every open folder again. */
  async refresh(): Promise<void> {
    const stale = [...openFolders(this.#roots)].filter(({ state }) => state !== 'loading')
    for (const folder of stale) await this.#load(folder, () => this.#reload(folder))
  }

  /**
   * Opens all folders above a path and returns its entry; null if it is not found within the page
   * limit.
   */
  async reveal(path: StorePath): Promise<Item | null> {
    const root = this.#roots.find((each) => isWithin(path, each.path))
    if (!root) return null
    await this.open(root)
    if (path === root.path) return root
    let folder = root
    for (const step of [...ancestorsOf(path), path]) {
      if (step === root.path || !isWithin(step, root.path)) continue
      const item = await this.#findChild(folder, nameOf(step))
      if (item?.type !== 'folder' || step === path) return item
      await this.open(item)
      folder = item
    }
    return folder
  }

  #changed(): void {
    this.#rows = null
    this.#onChange()
  }

  /** Runs a read of a folder, with its state, one at a time. */
  async #load(folder: Folder, read: () => Promise<void>): Promise<void> {
    if (folder.state === 'loading') return
    folder.state = 'loading'
    this.#changed()
    try {
      await read()
      folder.state = 'ready'
    } catch (error) {
      folder.state = 'failed'
      folder.error = errorMessage(error)
    }
    this.#changed()
  }

  /** Reads the loaded part of a folder again. Entries beyond the page limit are kept as they are. */
  async #reload(folder: Folder): Promise<void> {
    const old = folder.children
    const fresh: Item[] = []
    let next = ''
    const limit = Math.max(PAGE.first, Math.min(PAGE.next, old.length))
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = await this.#listFolder(folder.path, next, limit)
      fresh.push(...itemsOf(page, folder))
      next = page.next
      if (next === '' || fresh.length >= old.length) break
    }
    const last = fresh.at(-1)?.name
    const end = old.findIndex(({ name }) => name === last) + 1
    const keepsTail = next !== '' && end > 0 && old.length > PAGE.first
    folder.children = arrange(keepsTail ? [...fresh, ...old.slice(end)] : fresh, next)
    if (!keepsTail) folder.next = next
  }

  async #findChild(folder: Folder, name: string): Promise<Item | null> {
    for (let pages = 0; ; pages++) {
      const found = folder.children.find((item) => item.name === name)
      if (found || folder.next === '' || pages === MAX_PAGES) return found ?? null
      await this.loadMore(folder)
    }
  }
}

function* openFolders(items: readonly Item[]): Iterable<Folder> {
  for (const item of items) {
    if (item.type !== 'folder' || !item.open) continue
    yield item
    yield* openFolders(item.children)
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
    return path.ok ? [newItem(entry, path.value, folder)] : []
  })
}

/** Creates the item of an entry; a known folder stays the same object, and open. */
function newItem(entry: Entry, path: StorePath, parent: Folder): Item {
  const level = parent.level + 1
  if (entry.type === 'file')
    return { type: 'file', path, name: entry.name, parent, level, index: 0, entry }
  const known = parent.children.find((item) => item.name === entry.name)
  const folder = known?.type === 'folder' ? known : newFolder(path, parent, level, 0)
  folder.entry = entry
  return folder
}

const byName = new Intl.Collator(undefined, { numeric: true })

function arrange(items: Item[], next: string): Item[] {
  const rank = ({ type }: Item) => (type === 'folder' ? 0 : 1)
  if (next === '' && items.length <= PAGE.first)
    items.sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name))
  for (const [index, item] of items.entries()) item.index = index
  return items
}

function collectRows(roots: readonly Folder[]): Row[] {
  const rows: Row[] = []
  const add = (item: Item): void => {
    if (item.level > 0) rows.push(item)
    if (item.type !== 'folder' || !item.open) return
    for (const child of item.children) add(child)
    if (item.state === 'failed' || item.next !== '' || item.children.length === 0)
      rows.push({ type: 'note', folder: item })
  }
  for (const root of roots) add(root)
  return rows
}

/**
 * The files that one link shows: those that it keeps, or those of now. Nothing else of the workspace is reached through it.
 *
 * `test/worker/page-links/scope.test.ts` tests it.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { createPageFilter } from '../access/page-scope.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Entry, FileEntry, FolderEntry, Pins } from '../store/store.ts'
import type { PageLink } from './table.ts'

/** The files of a link. */
export interface PageSource {
  /** Whether a path is shown, if there is anything at it. */
  readonly isShown: (path: StorePath) => boolean
  find(path: StorePath): Entry | null
  /** At most `limit` entries of a folder in order, after one of them. */
  list(folder: StorePath, page: { after: StorePath | null; limit: number }): Entry[]
}

/** What the files of links are read from. */
export interface SourceParts {
  /** The workspace as its owner sees it. */
  readonly store: ReadStore
  readonly pins: Pins
  readonly config: Config
}

/** Opens the files of a link. */
export function openSource(link: PageLink, { store, pins, config }: SourceParts): PageSource {
  const isShown = createPageFilter(link, config)
  const files = link.isLive ? readLive(store) : readPinned(link, pins)
  return {
    isShown,
    find(path) {
      if (!isShown(path)) return null
      const entry = files.find(path)
      // What took the place of the file, or of the folder, is something else than the owner has named.
      return path === link.path && entry?.type !== link.kind ? null : entry
    },
    list: (folder, { after, limit }) => {
      const shown: Entry[] = []
      for (const entry of files.list(folder, after)) {
        if (isShown(entry.path)) shown.push(entry)
        if (shown.length === limit) break
      }
      return shown
    },
  }
}

interface Files {
  find(path: StorePath): Entry | null
  list(folder: StorePath, after: StorePath | null): Iterable<Entry>
}

/** Entries that are read from a folder at once, and at most to fill a page. */
const READ = 500
const MAX_READ = 20 * READ

const readLive = (store: ReadStore): Files => ({
  find: (path) => store.stat(path),
  *list(folder, first) {
    let after = first
    for (let read = 0; read < MAX_READ; read += READ) {
      const page = store.list(folder, { limit: READ, ...(after && { after }) })
      yield* page
      after = page.at(-1)?.path ?? null
      if (page.length < READ) return
    }
  },
})

function readPinned({ id, version, created }: PageLink, pins: Pins): Files {
  const folderAt = (path: StorePath): FolderEntry => {
    return { type: 'folder', path, version, mtime: created }
  }
  return {
    find(path) {
      const [first] = pins.list(id, path)
      if (first === undefined) return null
      return first.path === path ? first : folderAt(path)
    },
    list: (folder, after) =>
      childrenOf(pins.list(id, folder), folder, folderAt).filter(
        ({ path }) => after === null || path > after,
      ),
  }
}

/** The direct children of a folder, of all files below it. */
function childrenOf(
  files: readonly FileEntry[],
  folder: StorePath,
  folderAt: (path: StorePath) => FolderEntry,
): Entry[] {
  const start = folder === ROOT ? 1 : folder.length + 1
  const children = new Map<string, Entry>()
  for (const file of files) {
    const end = file.path.indexOf('/', start)
    const path = resolvePath(end === -1 ? file.path : file.path.slice(0, end))
    if (path.ok && !children.has(path.value))
      children.set(path.value, end === -1 ? file : folderAt(path.value))
  }
  return [...children.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

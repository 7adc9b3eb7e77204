/**
 * The files as one caller sees them. Paths that it may not read look absent: they are not found, listed,
 * counted or measured, and no result of this view reveals them.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Search } from '../search/search.ts'
import type { Entry, Measure, Store, WalkOptions } from '../store/store.ts'
import type { Access } from './access.ts'

/** The operations of the store that read files. */
export type FileView = Pick<
  Store,
  | 'stat'
  | 'versionOf'
  | 'list'
  | 'walk'
  | 'measure'
  | 'bytes'
  | 'stream'
  | 'hold'
  | 'holdStream'
  | 'heldBytes'
>

/** Restricts the files of a store to those that are visible with `access`. */
export function viewFiles(store: Store, access: Access): FileView {
  const content = contentOf(store)
  if (access.unrestricted) {
    return {
      stat: (path) => store.stat(path),
      versionOf: (path) => store.versionOf(path),
      list: (folder, page) => store.list(folder, page),
      walk: (folder, from) => store.walk(folder, from),
      measure: (folder) => store.measure(folder),
      ...content,
    }
  }

  function* walk(folder: StorePath, options?: WalkOptions): Iterable<Entry> {
    for (const entry of store.walk(folder, options)) if (access.sees(entry)) yield entry
  }

  function list(
    folder: StorePath,
    { limit, after }: { limit: number; after?: StorePath },
  ): Entry[] {
    const seen: Entry[] = []
    let from = after
    while (seen.length < limit) {
      const page = store.list(folder, { limit, ...(from && { after: from }) })
      seen.push(...page.filter((entry) => access.sees(entry)))
      from = page.at(-1)?.path
      if (page.length < limit) break
    }
    return seen.slice(0, limit)
  }

  function stat(path: StorePath): Entry | null {
    const entry = store.stat(path)
    return entry && access.sees(entry) ? entry : null
  }

  /** The newest visible version below a folder, so that changes of hidden files are not revealed. */
  function versionOf(path: StorePath): number {
    const entry = stat(path)
    if (entry?.type !== 'folder') return entry?.version ?? 0
    if (access.isOpenBelow(path)) return store.versionOf(path)
    let newest = entry.version
    for (const below of walk(path)) newest = Math.max(newest, below.version)
    return newest
  }

  function measure(folder: StorePath): Measure {
    if (access.isOpenBelow(folder)) return store.measure(folder)
    const total = { files: 0, folders: 0, bytes: 0, longestPath: 0 }
    for (const entry of walk(folder)) {
      if (entry.type === 'file') total.files++
      else total.folders++
      total.bytes += entry.type === 'file' ? entry.size : 0
      const length = new TextEncoder().encode(entry.path).length
      total.longestPath = Math.max(total.longestPath, length)
    }
    return total
  }

  return { stat, versionOf, list, walk, measure, ...content }
}

/** Content needs no check: it is read through entries, and a caller gets these only from the view. */
function contentOf(
  store: Store,
): Pick<FileView, 'bytes' | 'stream' | 'hold' | 'holdStream' | 'heldBytes'> {
  return {
    bytes: (file) => store.bytes(file),
    stream: (file, range) => store.stream(file, range),
    hold: (bytes) => store.hold(bytes),
    holdStream: (stream, size) => store.holdStream(stream, size),
    heldBytes: (content) => store.heldBytes(content),
  }
}

/** The operations of the search, restricted to one caller. */
export type SearchView = Pick<Search, 'candidates' | 'text' | 'first'>

/** Restricts a search to files that are visible with `access`. */
export function viewSearch(search: Search, access: Access): SearchView {
  return {
    text: (file) => search.text(file),
    first: (work) => search.first(work),
    candidates: (folder, query) => {
      const files = search.candidates(folder, query)
      return access.unrestricted ? files : files.filter((file) => access.sees(file))
    },
  }
}

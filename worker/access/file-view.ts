/**
 * The files as one caller sees them: what it may not read does not exist. It is neither found, listed,
 * counted nor measured, because nothing that reads through the view can tell it from what is not there.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Search } from '../search/search.ts'
import type { Entry, Measure, Store, WalkOptions } from '../store/store.ts'
import type { Access } from './access.ts'

/** What can be read of the files. */
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

  /** A folder's newest version counts what is seen of it alone; that something hidden changed is not told. */
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

/** Content is reached through entries, which come from the view alone. */
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

/** The search as one caller sees it. */
export type SearchView = Pick<Search, 'candidates' | 'text' | 'first'>

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

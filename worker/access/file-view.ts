/**
 * The files as one caller sees them. Paths that it may not read look absent: they are not found, listed,
 * counted or measured, and no result of this view reveals them.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { BinaryFiles } from '../search/binary-files.ts'
import type { Candidates } from '../search/candidates.ts'
import type { Search } from '../search/search.ts'
import type { Entry, FileEntry, ListPage, Measure, Store, WalkOptions } from '../store/store.ts'
import type { Access } from './access.ts'

/** The operations of the store that read files. */
export type FileView = Pick<
  Store,
  | 'stat'
  | 'open'
  | 'versionOf'
  | 'resolveVersion'
  | 'list'
  | 'walk'
  | 'measure'
  | 'bytes'
  | 'stream'
  | 'hashesOf'
  | 'lineIndexes'
  | 'hold'
  | 'holdStream'
  | 'heldBytes'
  | 'contentOf'
  | 'documentText'
  | 'heldDocument'
>

/** A store, and the access with which its files are read. */
interface ViewContext {
  readonly store: Store
  readonly access: Access
}

/** Restricts the files of a store to those that are visible with `access`. */
export function viewFiles(store: Store, access: Access): FileView {
  const content = contentOf(store)
  if (access.unrestricted) {
    return {
      stat: (path) => store.stat(path),
      open: (path) => store.open(path),
      versionOf: (path) => store.versionOf(path),
      list: (folder, page) => store.list(folder, page),
      walk: (folder, from) => store.walk(folder, from),
      measure: (folder) => store.measure(folder),
      ...content,
    }
  }
  const view: ViewContext = { store, access }
  return {
    stat: (path) => stat(view, path),
    open: (path) => onlyVisible(view, store.open(path)),
    versionOf: (path) => findVersion(view, path),
    list: (folder, page) => list(view, folder, page),
    walk: (folder, from) => walk(view, folder, from),
    measure: (folder) => measure(view, folder),
    ...content,
  }
}

function* walk(view: ViewContext, folder: StorePath, options?: WalkOptions): Iterable<Entry> {
  const { store, access } = view
  const within = access.readable
  for (const entry of store.walk(folder, { ...options, within }))
    if (access.sees(entry)) yield entry
}

function list(view: ViewContext, folder: StorePath, { limit, after }: ListPage): Entry[] {
  const within = view.access.readable
  const seen: Entry[] = []
  let from = after
  while (seen.length < limit) {
    const page = view.store.list(folder, { limit, within, ...(from && { after: from }) })
    seen.push(...page.filter((entry) => view.access.sees(entry)))
    from = page.at(-1)?.path
    if (page.length < limit) break
  }
  return seen.slice(0, limit)
}

function stat(view: ViewContext, path: StorePath): Entry | null {
  return onlyVisible(view, view.store.stat(path))
}

function onlyVisible({ access }: ViewContext, entry: Entry | null): Entry | null {
  return entry && access.sees(entry) ? entry : null
}

/** The newest visible version below a folder, so that changes of hidden files are not revealed. */
function findVersion(view: ViewContext, path: StorePath): number {
  const entry = stat(view, path)
  if (entry?.type !== 'folder') return entry?.version ?? 0
  if (view.access.isOpenBelow(path)) return view.store.versionOf(path)
  let newest = entry.version
  for (const below of walk(view, path)) newest = Math.max(newest, below.version)
  return newest
}

function measure(view: ViewContext, folder: StorePath): Measure {
  if (view.access.isOpenBelow(folder)) return view.store.measure(folder)
  const total = { files: 0, folders: 0, bytes: 0, longestPath: 0 }
  for (const entry of walk(view, folder)) {
    if (entry.type === 'file') total.files++
    else total.folders++
    total.bytes += entry.type === 'file' ? entry.size : 0
    const length = new TextEncoder().encode(entry.path).length
    total.longestPath = Math.max(total.longestPath, length)
  }
  return total
}

/**
 * Content needs no check: it is read through entries, and a caller gets these only from the view. Which numbers of
 * changes there are is no secret.
 */
function contentOf(
  store: Store,
): Pick<
  FileView,
  | 'resolveVersion'
  | 'bytes'
  | 'stream'
  | 'hashesOf'
  | 'lineIndexes'
  | 'hold'
  | 'holdStream'
  | 'heldBytes'
  | 'contentOf'
  | 'documentText'
  | 'heldDocument'
> {
  return {
    resolveVersion: (version) => store.resolveVersion(version),
    bytes: (file) => store.bytes(file),
    stream: (file, range) => store.stream(file, range),
    hashesOf: (blobs) => store.hashesOf(blobs),
    lineIndexes: store.lineIndexes,
    hold: (bytes) => store.hold(bytes),
    holdStream: (stream, size) => store.holdStream(stream, size),
    heldBytes: (content) => store.heldBytes(content),
    contentOf: (file) => store.contentOf(file),
    documentText: (file, format) => store.documentText(file, format),
    heldDocument: (content) => store.heldDocument(content),
  }
}

/** The operations of the search, restricted to one caller. */
export interface SearchView extends Pick<Search, 'text' | 'first' | 'isText'> {
  /** Like the search; without a count where hidden files would be part of it. */
  candidates(folder: StorePath, query: string | null): Candidates
  /** The visible files that are not text. */
  binaries(folder: StorePath): BinaryFiles
}

/** Restricts a search to files that are visible with `access`. */
export function viewSearch(search: Search, access: Access): SearchView {
  const sees = (file: FileEntry) => access.sees(file)
  return {
    text: (file, mayExtract) => search.text(file, mayExtract),
    isText: (file) => search.isText(file),
    first: (work) => search.first(work),
    binaries: (folder) =>
      search.binaries(folder, access.unrestricted ? undefined : { within: access.readable, sees }),
    candidates: (folder, query) => {
      const { count, files } = search.candidates(folder, query, access.readable)
      // The count tells how many hidden files there are.
      return access.unrestricted
        ? { count, files }
        : { count: null, files: seenFiles(files, access) }
    },
  }
}

function* seenFiles<T extends FileEntry>(files: Iterable<T>, access: Access): Iterable<T> {
  for (const file of files) if (access.sees(file)) yield file
}

/**
 * Files and folders that were dropped on the page: walks the folders, within bounds of files, folders and depth, because
 * a folder of a device has no end that is known. `test/host/console/files/dropped.test.ts` has the cases.
 *
 * @module
 */

import { MAX_FILES, type LocalFile } from './tar.ts'

/** Most folders that are walked, and how deep. */
const MAX_FOLDERS = 20_000
const MAX_DEPTH = 64

/** What is used of an entry of the browser's file system. */
export type DroppedEntry = Pick<FileSystemEntry, 'isFile' | 'isDirectory' | 'name'>

/** What was dropped. */
export interface Dropped {
  readonly files: readonly LocalFile[]
  /** Whether there was more than the bounds allow, or something could not be read. */
  readonly isPartial: boolean
}

interface Walk {
  readonly files: LocalFile[]
  folders: number
  isPartial: boolean
}

/**
 * Returns what was dropped. It has to be called during the event: later it has none. What other programs drop can be a file
 * without an entry.
 */
export const entriesOf = (items: Iterable<DataTransferItem>): readonly (FileSystemEntry | File)[] =>
  [...items].flatMap((item) =>
    item.kind === 'file' ? (item.webkitGetAsEntry() ?? item.getAsFile() ?? []) : [],
  )

/** Reads the files of entries, and of the folders among them. */
export async function readDropped(entries: readonly (DroppedEntry | File)[]): Promise<Dropped> {
  const walk: Walk = { files: [], folders: 0, isPartial: false }
  for (const entry of entries) {
    if (entry instanceof File) walk.files.push({ file: entry, path: entry.name })
    else await readEntry(entry, { folder: '', depth: 0 }, walk)
  }
  return walk
}

interface At {
  readonly folder: string
  readonly depth: number
}

async function readEntry(entry: DroppedEntry, { folder, depth }: At, walk: Walk): Promise<void> {
  const path = folder + entry.name
  if (isFile(entry)) return readFile(entry, path, walk)
  if (!isFolder(entry)) return
  if (depth >= MAX_DEPTH || walk.folders >= MAX_FOLDERS) return void (walk.isPartial = true)
  walk.folders++
  const below = { folder: `${path}/`, depth: depth + 1 }
  for await (const child of childrenOf(entry, walk)) {
    if (walk.files.length >= MAX_FILES) return void (walk.isPartial = true)
    await readEntry(child, below, walk)
  }
}

const isFile = (entry: DroppedEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: DroppedEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

async function readFile(entry: FileSystemFileEntry, path: string, walk: Walk): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<File | null>()
  entry.file(resolve, () => resolve(null))
  const file = await promise
  if (file === null) walk.isPartial = true
  else walk.files.push({ file, path })
}

/** A reader returns about a hundred entries at a time, and none after the last. */
async function* childrenOf(folder: FileSystemDirectoryEntry, walk: Walk) {
  const reader = folder.createReader()
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<FileSystemEntry[] | null>()
    reader.readEntries(resolve, () => resolve(null))
    const entries = await promise
    if (entries === null) walk.isPartial = true
    if (entries === null || entries.length === 0) return
    yield* entries
  }
}

/**
 * The data of an app: the files that its patterns name, as far as the caller may read them.
 *
 * `test/worker/apps/app-tool.test.ts` has the cases.
 *
 * @module
 */

import { literalPrefix, matches, parseGlob, type Glob } from '#core/glob.ts'
import { relativeTo, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import type { FileView } from '../access/file-view.ts'
import { strictText } from '../texts/text.ts'
import type { FileEntry } from '../store/store.ts'
import { shownType } from '../access/shown-type.ts'
import {
  MAX_APP_DATA_BYTES,
  MAX_APP_DATA_FILES,
  MAX_APP_DATA_PATHS,
  MAX_APP_PART_BYTES,
} from './limits.ts'

/** One file of an app's data. */
export interface DataFile {
  readonly path: StorePath
  readonly version: number
  readonly mime: string
  readonly size: number
  readonly text?: string
  /** Why there is no text. */
  readonly omitted?: 'binary' | 'too_large'
  /** Where the next part begins, in bytes, if this is a part of a file and not its last one. */
  readonly next_offset?: number
}

/** The files of an app's data, in path order for each pattern. */
export interface AppData {
  readonly files: readonly DataFile[]
  /** Whether there are more files than these. */
  readonly isCut: boolean
}

/** Reads the data of an app through the view of its caller. */
export async function readData(patterns: readonly string[], store: FileView): Promise<AppData> {
  const { found, isCut } = findFiles(patterns, store)
  const files: DataFile[] = []
  let left = MAX_APP_DATA_BYTES
  for (const file of found) {
    const read = await readOne(file, left, store)
    left -= read.text === undefined ? 0 : file.size
    files.push(read)
  }
  return { files, isCut }
}

async function readOne(file: FileEntry, left: number, store: FileView): Promise<DataFile> {
  const { path, version, mime, size } = file
  if (size > left) return { path, version, mime, size, omitted: 'too_large' }
  const bytes = await store.bytes(file)
  const facts = { path, version, mime: shownType(file, bytes), size }
  const text = strictText(bytes)
  return text === null ? { ...facts, omitted: 'binary' } : { ...facts, text }
}

/** Returns the file at a path if it belongs to the data; null if it does not, or if the caller may not read it. */
export function findDataFile(
  patterns: readonly string[],
  path: StorePath,
  store: FileView,
): FileEntry | null {
  const entry = store.stat(path)
  const isNamed = patterns.some((pattern) => {
    const glob = parseGlob(pattern)
    return glob.ok && matches(glob.value, relativeTo(path, ROOT))
  })
  return entry?.type === 'file' && isNamed ? entry : null
}

/**
 * Reads the part of a text that begins at a byte offset and ends before a character that would be cut; null if it
 * would begin inside a character.
 */
export async function readPart(
  file: FileEntry,
  offset: number,
  store: FileView,
): Promise<DataFile | null> {
  const { path, version, mime, size } = file
  const facts = { path, version, mime, size }
  const length = Math.min(MAX_APP_PART_BYTES, Math.max(size - offset, 0))
  if (length === 0) return { ...facts, text: '' }
  const stream = await store.stream(file, { offset, length })
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const isLast = offset + length === size
  const part = isLast ? bytes : bytes.subarray(0, wholeCharacters(bytes))
  const text = strictText(part)
  if (text === null)
    return offset > 0 && beginsInside(part) ? null : { ...facts, omitted: 'binary' }
  return { ...facts, text, ...(!isLast && { next_offset: offset + part.length }) }
}

/** Whether bytes are text but for the end of a character, of up to three bytes, with which they begin. */
function beginsInside(bytes: Uint8Array): boolean {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  const cut = start === -1 ? bytes.length : start
  return cut > 0 && cut <= 3 && strictText(bytes.subarray(cut)) !== null
}

/** Returns the number of bytes before the last character, if that has several bytes and so may be cut. */
function wholeCharacters(bytes: Uint8Array): number {
  const start = bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80)
  return (bytes[start] ?? 0) < 0x80 ? bytes.length : start
}

/** Finds the files of all patterns at one moment, each of them once. */
function findFiles(patterns: readonly string[], store: FileView) {
  const found = new Map<StorePath, FileEntry>()
  const meter = { left: MAX_APP_DATA_PATHS }
  for (const pattern of patterns) {
    const glob = parseGlob(pattern)
    if (!glob.ok) continue
    for (const file of filesOf(glob.value, store, meter)) {
      if (found.has(file.path)) continue
      if (found.size === MAX_APP_DATA_FILES) return { found: [...found.values()], isCut: true }
      found.set(file.path, file)
    }
  }
  return { found: [...found.values()], isCut: meter.left < 0 }
}

function* filesOf(glob: Glob, store: FileView, meter: { left: number }): Iterable<FileEntry> {
  const start = resolvePath(`/${literalPrefix(glob)}`)
  if (!start.ok) return
  const at = store.stat(start.value)
  if (at?.type === 'file' && matches(glob, relativeTo(at.path, ROOT))) yield at
  if (at?.type === 'file') return
  // The folder itself may be hidden, and files below it visible.
  for (const entry of store.walk(start.value)) {
    if (--meter.left < 0) return
    if (entry.type === 'file' && matches(glob, relativeTo(entry.path, ROOT))) yield entry
  }
}

/**
 * A folder that the owner approves as a whole: its files with their hashes, and the seal over them.
 *
 * `test/worker/apps/apps.test.ts` and `test/worker/skills/skills.test.ts` test it through its two kinds.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import type { ReadStore } from '../access/workspace.ts'
import { toHex } from '../encoding/bytes.ts'
import type { FileEntry } from '../store/store.ts'

/** A file of such a folder. */
export interface SealedFile {
  readonly path: StorePath
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  readonly size: number
  /** The media type of its name. */
  readonly mime: string
}

/** A folder with all of its files. */
export interface SealedFolder {
  readonly name: string
  readonly path: StorePath
  readonly files: readonly SealedFile[]
  /** A text that two folders share only if all their files do. */
  readonly seal: string
}

/** How much a folder may have. */
export interface FolderLimits {
  readonly files: number
  readonly folders: number
  /** Bytes of all files together. */
  readonly bytes: number
}

/** The name and the path of a folder, and how much it may have. */
export interface Place {
  readonly name: string
  readonly path: StorePath
  readonly limits: FolderLimits
}

/** The seal of a folder that has too many files. It is that of no whole folder. */
export const NO_SEAL = ''

/** Whether a folder has files, and no more than it may have. */
export function isWhole(store: ReadStore, { path, limits }: Omit<Place, 'name'>): boolean {
  const listed = listFiles(store, path, limits)
  return listed.files.length > 0 && listed.isWhole
}

/** Reads a folder without its contents; null if it has no files, or more than it may have. */
export function sealFolder(store: ReadStore, { name, path, limits }: Place): SealedFolder | null {
  const read = readFiles(store, path, limits)
  if (read.files.length === 0 || !read.isWhole) return null
  const seal = sealOf(read.files.map((file) => [relativeTo(file.path, path), file.hash]))
  return { name, path, files: read.files, seal }
}

/** Reads the first files of a folder that has too many, or none. */
export function openBroken(store: ReadStore, { name, path, limits }: Place): SealedFolder {
  return { name, path, files: readFiles(store, path, limits).files, seal: NO_SEAL }
}

/** Whether a file of a folder has this path within it. */
export const hasFile = (
  { files, path: folder }: Omit<SealedFolder, 'seal' | 'name'>,
  name: string,
) => files.some(({ path }) => path === `${folder}/${name}`)

interface Listed<File> {
  readonly files: File[]
  /** Whether these are all. */
  readonly isWhole: boolean
}

function readFiles(store: ReadStore, path: StorePath, limits: FolderLimits): Listed<SealedFile> {
  const { files: entries, isWhole } = listFiles(store, path, limits)
  const files: SealedFile[] = []
  for (const entry of entries) {
    const hash = hashOf(store, entry)
    if (hash === null) return { files, isWhole: false }
    files.push({ path: entry.path, hash, size: entry.size, mime: entry.mime })
  }
  return { files, isWhole }
}

function listFiles(store: ReadStore, path: StorePath, limits: FolderLimits): Listed<FileEntry> {
  const files: FileEntry[] = []
  let [folders, bytes] = [0, 0]
  for (const entry of store.walk(path)) {
    if (entry.type === 'folder') {
      // Empty ones are no part of it, and would still be walked by every list.
      if (++folders > limits.folders) return { files, isWhole: false }
      continue
    }
    bytes += entry.size
    if (files.length === limits.files || bytes > limits.bytes) return { files, isWhole: false }
    files.push(entry)
  }
  return { files, isWhole: true }
}

/** Seals the hashes of files, by their paths within the folder. */
const sealOf = (hashes: readonly (readonly [path: string, hash: string])[]) =>
  JSON.stringify(hashes)

/** Returns the hashes that a seal was made of. */
export function hashesOf(seal: string): ReadonlyMap<string, string> {
  // Only this module makes seals.
  return new Map(JSON.parse(seal) as [string, string][])
}

/** Returns the hash of the content of a file; null if history has dropped it. */
export function hashOf(store: ReadStore, entry: FileEntry): string | null {
  const content = store.contentOf(entry)
  return content && toHex(content.hash)
}

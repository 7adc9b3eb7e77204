/**
 * What the changing tools have in common: the version that a caller relies on, and text to change.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../problem.ts'
import type { FileView } from '../access/file-view.ts'
import type { Entry, FileEntry } from '../store/store.ts'
import { decodeText, type TextFile } from '../text.ts'

/** Refuses unless the path is at the version that the caller has seen; 0 is "not there". */
export function checkVersion(
  store: FileView,
  path: StorePath,
  wanted: number | undefined,
): Result<null, Problem> {
  if (wanted === undefined) return ok(null)
  const current = store.versionOf(path)
  return wanted === current ? ok(null) : err({ reason: 'version_conflict', path, wanted, current })
}

/** What a folder holds, in words that follow its name and as numbers. Nothing for a file. */
export function folderSize(store: FileView, entry: Entry | null) {
  if (entry?.type !== 'folder') return { text: '', counts: {} }
  const { files, bytes } = store.measure(entry.path)
  const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
  return {
    text: ` with ${counted(files, 'file')}, ${counted(bytes, 'byte')}`,
    counts: { files, bytes },
  }
}

export async function loadText(
  store: FileView,
  file: FileEntry,
  limit: number,
): Promise<Result<TextFile, Problem>> {
  const { path, size, mime } = file
  if (size > limit) return err({ reason: 'too_large', path, size, limit })
  const text = decodeText(await store.bytes(file))
  return text ? ok(text) : err({ reason: 'is_binary', path, mime, size })
}

/** Helpers of the tools: the version check, the size of a folder, and the text of a file. @module */

import { isWithin, nameOf, resolvePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { Problem } from '../../errors/problem.ts'
import type { FileView } from '../../access/file-view.ts'
import type { Entry, FileEntry } from '../../store/store.ts'
import type { Extracted } from '../../texts/document.ts'
import { decodeText, type Text } from '../../texts/text.ts'

/** Refuses unless the path is at the wanted version; 0 means that it does not exist. */
export function checkVersion(
  store: FileView,
  path: StorePath,
  wanted: number | undefined,
): Result<null, Problem> {
  if (wanted === undefined) return ok(null)
  const current = store.versionOf(path)
  // The version of a change in a draft stays valid when it is approved.
  const isCurrent = wanted === current || store.resolveVersion(wanted) === current
  return isCurrent ? ok(null) : err({ reason: 'version_conflict', path, wanted, current })
}

/** Measures a folder, as text that follows its name and as numbers. Empty for a file. */
export function folderSize(store: FileView, entry: Entry | null) {
  if (entry?.type !== 'folder') return { text: '', counts: {} }
  const { files, bytes } = store.measure(entry.path)
  const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
  return {
    text: ` with ${counted(files, 'file')}, ${counted(bytes, 'byte')}`,
    counts: { files, bytes },
  }
}

/** Returns the problem of a target that exists. Where it is a folder, `from` can be placed inside it. */
export function targetExists({ path, type }: Entry, from: StorePath): Problem {
  const inside = resolvePath(nameOf(from), path)
  const isPossible = type === 'folder' && inside.ok && !isWithin(path, from)
  return { reason: 'exists', path, ...(isPossible && { inside: inside.value }) }
}

/** Builds the schema of a result that names two places, with the counts of {@link folderSize}. */
export const createPlacesSchema = () =>
  z.object({
    from: z.string(),
    to: z.string(),
    files: z.optional(z.int()),
    bytes: z.optional(z.int()),
  })

/** Loads a text file of at most `limit` bytes. */
export async function loadText(
  store: FileView,
  file: FileEntry,
  limit: number,
): Promise<Result<Text, Problem>> {
  const { path, size } = file
  if (size > limit) return err({ reason: 'too_large', path, size, limit })
  const text = decodeText(await store.bytes(file))
  if (text) return ok(text)
  const isDocument = store.contentOf(file)?.encoding === 'document'
  return err(isDocument ? { reason: 'is_document', path, mime: file.mime } : binaryProblem(file))
}

/** Returns the problem of a document without a text. */
export const noTextProblem = (file: FileEntry, { why, detail }: WithoutText): Problem =>
  why === 'unknown_format'
    ? binaryProblem(file)
    : { reason: 'no_text', path: file.path, why, detail }

/** A document without a text. */
type WithoutText = Extract<Extracted, { readonly ok: false }>

/** Returns the problem of a file that is not text; `named` is the type of its name, if its bytes are of another. */
export function binaryProblem({ path, mime, size }: FileEntry, named = mime): Problem {
  return { reason: 'is_binary', path, mime, size, ...(named !== mime && { named }) }
}

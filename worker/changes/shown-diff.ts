/**
 * Which differences are shown line by line. As JSON a line can take sixty times its bytes, so the lines of a
 * difference that has no room in an answer are left out, and approving the file takes a yes of its own. Both follow
 * from {@link diffShown}. `test/worker/drafts/long-diff.test.ts` tests it.
 *
 * @module
 */

import { diffTexts, type DiffStats, type Hunk } from '#core/diff/hunks.ts'
import { diffLines } from '#core/diff/lines.ts'
import type { FileView } from '../access/file-view.ts'
import type { ReadStore } from '../access/workspace.ts'
import { dropOldest } from '../drop-oldest.ts'
import { toBase64 } from '../encoding/base64.ts'
import { jsonBytes } from '../encoding/json-bytes.ts'
import type { Extracted } from '../texts/document.ts'
import { isUtf8 } from '../texts/encoding.ts'
import { comparedText, type ComparedText } from '../texts/text.ts'
import { MAX_COMPARED_BYTES, MAX_DIFF_BYTES, MAX_SHOWN_DIFF_BYTES } from '../limits.ts'
import type { FileEntry } from '../store/store.ts'

/** The states of one path at two moments; null where it is no file. */
export interface FileStates {
  readonly before: FileEntry | null
  readonly after: FileEntry | null
}

/** Bytes of JSON of a hunk, of a line and of a span beside the text, at most. */
const BYTES = { hunk: 80, line: 41, span: 16 }

/** Bytes of JSON that one byte of a text takes at most: a hunk of seven lines of one byte. */
const BYTES_PER_BYTE = 60

/** The lines of a difference, or only how many they are, if they are too long to be shown. */
type Shown =
  | { readonly hunks: readonly Hunk[]; readonly leftOut?: undefined }
  | { readonly leftOut: DiffStats }

/** Compares two texts. Hunks of more than {@link MAX_SHOWN_DIFF_BYTES} of JSON are left out. */
export function diffShown(before: string, after: string): Shown {
  // Millions of lines would need too much memory as hunks.
  const { changes } = diffLines(before, after)
  const removed = changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0)
  const added = changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0)
  if ((added + removed) * BYTES.line > MAX_SHOWN_DIFF_BYTES)
    return { leftOut: { added, removed, hunks: changes.length } }
  const { hunks: compared, stats } = diffTexts(before, after)
  const hunks = compared.map(withoutMarks)
  return hunksBytes(hunks) > MAX_SHOWN_DIFF_BYTES ? { leftOut: stats } : { hunks }
}

/** Shows damaged bytes as replacement characters, once they were compared. */
function withoutMarks(hunk: Hunk): Hunk {
  if (hunk.lines.every(({ text }) => text.isWellFormed())) return hunk
  return {
    ...hunk,
    lines: hunk.lines.map((line) => ({ ...line, text: line.text.toWellFormed() })),
  }
}

/** Counts the bytes of hunks as JSON: at least what they take, and no further than to the limit. */
export function hunksBytes(hunks: readonly Hunk[]): number {
  let bytes = 0
  for (const { lines } of hunks) {
    bytes += BYTES.hunk
    for (const { text, spans = [] } of lines) {
      bytes += BYTES.line + jsonBytes(text) + BYTES.span * spans.length
      if (bytes > MAX_SHOWN_DIFF_BYTES) return bytes
    }
  }
  return bytes
}

/** What is compared where there is no file. */
const NO_TEXT: ComparedText = { text: '', encoding: 'utf-8' }

/** What is compared: with `documentText`, documents as well. */
type Compared = Pick<FileView, 'bytes'> & Partial<Pick<FileView, 'documentText'>>

/** Reads a file as text; null if it is none, or too large to be compared. */
export async function readText(
  file: FileEntry | null,
  store: Compared,
): Promise<ComparedText | null> {
  if (file === null) return NO_TEXT
  const text = file.size > MAX_DIFF_BYTES ? null : comparedText(await store.bytes(file))
  return text ?? documentOf((await store.documentText?.(file)) ?? null)
}

/** Returns the text of a document to be compared; null if it has none, or too much. */
export const documentOf = (found: Extracted | null): ComparedText | null =>
  found?.ok && found.value.text.length <= MAX_DIFF_BYTES
    ? { text: found.value.text, encoding: 'utf-8', isExtracted: true }
    : null

/** Whether the difference of two contents is shown, by their hashes. It follows from the contents alone. */
const known = new Map<string, boolean>()

/** Maximum number of pairs of contents in memory. */
const MAX_KNOWN = 5_000

/** Reads what is known of a content. */
type Contents = Pick<ReadStore, 'contentOf'>

/** Names a pair of contents. */
export const keyOf = ({ before, after }: FileStates, store: Contents): string =>
  [before, after]
    .map((file) => toBase64((file && store.contentOf(file)?.hash) ?? new Uint8Array()))
    .join()

/** The bytes of both states. */
export const sizeOf = ({ before, after }: FileStates) => (before?.size ?? 0) + (after?.size ?? 0)

const isSmall = (states: FileStates) => sizeOf(states) * BYTES_PER_BYTE <= MAX_SHOWN_DIFF_BYTES

/** Whether the difference of two texts is shown. One that {@link learnShown} has not compared is not. */
export const isShown = (states: FileStates, store: Contents): boolean =>
  isSmall(states) || known.get(keyOf(states, store)) === true

/**
 * Whether a file is there afterwards, and both states are text that is compared and shown as it is: two damaged bytes, or
 * a text in two encodings, look the same.
 */
export function isReadable({ before, after }: FileStates, store: Contents): boolean {
  const isText = (file: FileEntry | null) =>
    file === null || (file.size <= MAX_DIFF_BYTES && isUtf8(store.contentOf(file)?.encoding))
  return after !== null && isText(before) && isText(after)
}

/**
 * Says of each difference of a list, in order, whether there is room to compare it: {@link MAX_COMPARED_BYTES} for all
 * of them. It follows from the sizes alone, so that a list and its approval agree, whatever was compared before.
 */
export function createComparedRoom(store: Contents): (states: FileStates) => boolean {
  let left = MAX_COMPARED_BYTES
  return (states) => {
    if (isSmall(states) || !isReadable(states, store)) return true
    left -= sizeOf(states)
    return left >= 0
  }
}

/** Compares pairs of texts for {@link isShown}. {@link createComparedRoom} says which have room. */
export async function learnShown(
  pairs: Iterable<FileStates>,
  store: Contents & Pick<FileView, 'bytes'>,
): Promise<void> {
  for (const states of pairs) {
    const key = isSmall(states) ? null : keyOf(states, store)
    if (key === null || known.has(key)) continue
    const before = await readText(states.before, store)
    const after = await readText(states.after, store)
    known.set(key, before !== null && after !== null && !diffShown(before.text, after.text).leftOut)
    dropOldest(known, MAX_KNOWN)
  }
}

/** Reading one file as numbered lines, for `read_file` and `read_multiple_files`. @module */

import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../../errors/problem.ts'
import type { FileView } from '../../access/file-view.ts'
import type { FileEntry } from '../../store/store.ts'
import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import type { DocumentFormat } from '../../texts/document.ts'
import { decodeText, shownText } from '../../texts/text.ts'
import { binaryProblem, noTextProblem } from './files.ts'
import { readLargeText } from './large-text.ts'
import { numberLines } from './line-counter.ts'
import type { CutLine, DocumentFacts, LineWindow, TextLines } from './lines.ts'

/** Largest file, in bytes, that is loaded as a whole; larger files are streamed. */
const ONE_PIECE = 1024 * 1024

/** Returns the file at a path, to be read; a missing path or a folder is a problem. */
export function findFile(store: FileView, path: StorePath): Result<FileEntry, Problem> {
  const entry = store.open(path)
  if (!entry) return err({ reason: 'not_found', path })
  return entry.type === 'file' ? ok(entry) : err({ reason: 'is_folder', path })
}

/** Reads the lines of a text file within a window; a binary file is a problem. */
export function readLines(
  store: FileView,
  file: FileEntry,
  window: LineWindow,
): MaybePromise<Result<TextLines, Problem>> {
  if (file.size > ONE_PIECE) return readStream(store, file, window)
  const bytes = store.bytes(file)
  const number = (read: ReadonlyBytes) => numberBytes(read, file, { store, window })
  return bytes instanceof Promise ? bytes.then(number) : number(bytes)
}

function numberBytes(
  bytes: ReadonlyBytes,
  file: FileEntry,
  { store, window }: Reading,
): MaybePromise<Result<TextLines, Problem>> {
  const decoded = decodeText(bytes)
  return decoded
    ? ok({ ...numberLines(shownText(decoded), window), encoding: decoded.encoding })
    : readDocument(store, file, () => window)
}

/** What lines are read from, and which. */
interface Reading {
  readonly store: FileView
  readonly window: LineWindow
}

async function readStream(
  store: FileView,
  file: FileEntry,
  window: LineWindow,
): Promise<Result<TextLines, Problem>> {
  const lines = await readLargeText({ store, file }, window)
  return lines ? ok(lines) : readDocument(store, file, () => window)
}

/**
 * Reads the lines of the text of a document. `windowIn` returns the window in it by the lines at which its
 * pages begin. `format` is that of a file that is text itself.
 */
export async function readDocument(
  store: FileView,
  file: FileEntry,
  windowIn: (pages: readonly number[]) => LineWindow,
  format: DocumentFormat | null = null,
): Promise<Result<TextLines, Problem>> {
  const found = await store.documentText(file, format)
  if (!found) return err(binaryProblem(file))
  if (!found.ok) return err(noTextProblem(file, found))
  const { text, pages, ...facts } = found.value
  const lines = numberLines(text, windowIn(pages))
  return ok({ ...lines, encoding: 'utf-8', document: { ...facts, pages: pages.length } })
}

/** What a reader has to know of lines that were extracted, in a list of notes after a semicolon. */
export const documentNote = (document: DocumentFacts | undefined): string =>
  document ? `; text of a document (${describeDocument(document)}), which edits cannot change` : ''

const describeDocument = ({ format, pages }: DocumentFacts): string =>
  `${format}${pages > 1 ? `, ${pages} ${UNITS[format] ?? 'pages'}` : ''}`

/** What the pages of some formats are called. */
const UNITS: Partial<Record<DocumentFormat, string>> = {
  xlsx: 'sheets',
  ods: 'sheets',
  pptx: 'slides',
  odp: 'slides',
  epub: 'chapters',
  ipynb: 'cells',
}

/** Builds the window of a read, with the line limit of the configuration. */
export function windowOf(
  { read_max_line_bytes: maxLineBytes }: Config,
  part: Omit<LineWindow, 'maxLineBytes'>,
): LineWindow {
  return { ...part, maxLineBytes }
}

/** Writes the arguments of `read_file` that read on in the lines that were cut; empty if none were. */
export function describeCutLines(cutLines: readonly CutLine[]): string {
  return cutLines
    .map((rest) => `start_line ${rest.start_line}, column ${rest.column}, limit ${rest.limit}`)
    .join('; ')
}

/** Reading one file as numbered lines, for `read_file` and `read_multiple_files`. @module */

import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../../errors/problem.ts'
import type { FileView } from '../../access/file-view.ts'
import type { FileEntry } from '../../store/store.ts'
import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { decodeText, shownText } from '../../texts/text.ts'
import { binaryProblem } from './files.ts'
import { readLargeText } from './large-text.ts'
import { numberLines } from './line-counter.ts'
import type { CutLine, LineWindow, TextLines } from './lines.ts'

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
  const number = (read: ReadonlyBytes) => numberBytes(read, file, window)
  return bytes instanceof Promise ? bytes.then(number) : number(bytes)
}

function numberBytes(
  bytes: ReadonlyBytes,
  file: FileEntry,
  window: LineWindow,
): Result<TextLines, Problem> {
  const decoded = decodeText(bytes)
  return decoded
    ? ok({ ...numberLines(shownText(decoded), window), encoding: decoded.encoding })
    : err(binaryProblem(file))
}

async function readStream(
  store: FileView,
  file: FileEntry,
  window: LineWindow,
): Promise<Result<TextLines, Problem>> {
  const lines = await readLargeText({ store, file }, window)
  return lines ? ok(lines) : err(binaryProblem(file))
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

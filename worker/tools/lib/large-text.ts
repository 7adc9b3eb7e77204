/**
 * Reading lines of a large text: the first read goes through all of it and remembers where some of its lines begin, so
 * that a later one reads only the part that it shows.
 *
 * `test/worker/tools/large-text.test.ts` compares every part with that of the whole text.
 *
 * @module
 */

import type { FileView } from '../../access/file-view.ts'
import type { LineIndex, Mark } from '../../store/line-index.ts'
import type { FileEntry } from '../../store/store.ts'
import { isTextEncoding, isUtf16 } from '../../texts/encoding.ts'
import { createStreamDecoder } from '../../texts/stream.ts'
import { withUnixLines } from '../../texts/text.ts'
import { createCounter } from './line-counter.ts'
import { linePieces, PIECE_BYTES } from './line-pieces.ts'
import type { LineWindow, TextLines } from './lines.ts'

/** What a text is read from. `piece` is the size in bytes of what is read at once. */
export interface TextSource {
  readonly store: Pick<FileView, 'stream' | 'lineIndexes'>
  readonly file: FileEntry
  readonly piece?: number
}

/** Maximum number of marks of a text; those of a larger one are further apart. */
export const MAX_MARKS = 1_024

/** Reads the lines within a window; null for content that is not text. */
export function readLargeText(source: TextSource, window: LineWindow): Promise<TextLines | null> {
  const index = source.store.lineIndexes.find(source.file)
  return index ? readPart(source, window, index) : readAll(source, window)
}

async function readAll(
  { store, file, piece = PIECE_BYTES }: TextSource,
  window: LineWindow,
): Promise<TextLines | null> {
  const decoder = createStreamDecoder()
  const counter = createCounter(window)
  const marks = createMarks(Math.max(piece / 2, file.size / MAX_MARKS))
  for await (const bytes of linePieces(await store.stream(file), piece)) {
    counter.push(withUnixLines(decoder.push(bytes)))
    // In UTF-16 the byte of a newline is only one half of it.
    if (!isUtf16(decoder.encoding())) marks.pass(bytes, counter.ended())
  }
  counter.push(decoder.end())
  const encoding = decoder.encoding()
  if (!isTextEncoding(encoding)) return null
  const lines = counter.end()
  store.lineIndexes.keep(file, { total: lines.total, encoding, marks: marks.list })
  return { ...lines, encoding }
}

/** Reads from the mark before the window to the one behind it. The content is known to be text. */
async function readPart(
  { store, file, piece = PIECE_BYTES }: TextSource,
  window: LineWindow,
  { total, encoding, marks }: LineIndex,
): Promise<TextLines> {
  const { start, limit } = window
  const from = marks.findLast(({ lines }) => lines < start) ?? START
  // One more line than is shown tells that there are more.
  const to = limit === 0 ? undefined : marks.find(({ lines }) => lines >= start + limit)
  const { offset } = from
  const range = { offset, length: (to?.offset ?? file.size) - offset }
  const decoder = createStreamDecoder(offset > 0)
  const counter = createCounter(window, from.lines)
  for await (const bytes of linePieces(await store.stream(file, range), piece)) {
    counter.push(withUnixLines(decoder.push(bytes)))
    if (!counter.wants(total)) break
  }
  counter.push(decoder.end())
  return { ...counter.end(), total, encoding }
}

const START: Mark = { lines: 0, offset: 0 }

const NEWLINE = 0x0a

/** Collects marks that are at least `apart` bytes apart. */
function createMarks(apart: number) {
  const list: Mark[] = [START]
  let offset = 0
  return {
    list,
    /** Goes on behind a piece, up to which `lines` lines have ended. */
    pass(bytes: Uint8Array, lines: number): void {
      offset += bytes.length
      const last = list.at(-1) ?? START
      if (bytes.at(-1) === NEWLINE && offset - last.offset >= apart) list.push({ lines, offset })
    },
  }
}

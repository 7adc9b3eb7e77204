/**
 * Reading lines of a large text: the first read goes through all of it and remembers where some of its lines begin, so
 * that a later one reads only the part that it shows.
 *
 * `test/worker/tools/large-text.test.ts` compares every part with that of the whole text.
 *
 * @module
 */

import { createStreamDecoder, createTextProbe, hasUnixLine } from '../../encoding/text.ts'
import type { FileView } from '../../access/file-view.ts'
import type { LineIndex, Mark } from '../../store/line-index.ts'
import type { FileEntry } from '../../store/store.ts'
import { createCounter } from './line-counter.ts'
import { linePieces, PIECE_BYTES } from './line-pieces.ts'
import type { Lines, LineWindow } from './lines.ts'

/** What a text is read from. `piece` is the size in bytes of what is read at once. */
export interface TextSource {
  readonly store: Pick<FileView, 'stream' | 'lineIndexes'>
  readonly file: FileEntry
  readonly piece?: number
}

/** Maximum number of marks of a text; those of a larger one are further apart. */
export const MAX_MARKS = 1_024

/** Reads the lines within a window; null for content that is not text. */
export function readLargeText(source: TextSource, window: LineWindow): Promise<Lines | null> {
  const index = source.store.lineIndexes.find(source.file)
  return index ? readPart(source, window, index) : readAll(source, window)
}

async function readAll(
  { store, file, piece = PIECE_BYTES }: TextSource,
  window: LineWindow,
): Promise<Lines | null> {
  const probe = createTextProbe()
  // Only the end tells whether every line ends in `\r\n`.
  const [asIs, unix] = [createCounter(window), createCounter(window)]
  let isCrlf = true
  const marks = createMarks(Math.max(piece / 2, file.size / MAX_MARKS))
  for await (const bytes of linePieces(await store.stream(file), piece)) {
    const text = probe.push(bytes)
    isCrlf &&= !hasUnixLine(text)
    if (isCrlf) unix.push(withUnixLines(text))
    asIs.push(text)
    marks.pass(bytes, asIs.ended())
  }
  if (!probe.end()) return null
  const lines = (isCrlf ? unix : asIs).end()
  store.lineIndexes.keep(file, { total: lines.total, isCrlf, marks: marks.list })
  return lines
}

/** Reads from the mark before the window to the one behind it. The content is known to be text. */
async function readPart(
  { store, file, piece = PIECE_BYTES }: TextSource,
  window: LineWindow,
  { total, isCrlf, marks }: LineIndex,
): Promise<Lines> {
  const { start, limit } = window
  const from = marks.findLast(({ lines }) => lines < start) ?? START
  // One more line than is shown tells that there are more.
  const to = limit === 0 ? undefined : marks.find(({ lines }) => lines >= start + limit)
  const { offset } = from
  const range = { offset, length: (to?.offset ?? file.size) - offset }
  const decode = createStreamDecoder(offset > 0)
  const counter = createCounter(window, from.lines)
  for await (const bytes of linePieces(await store.stream(file, range), piece)) {
    const text = decode(bytes)
    counter.push(isCrlf ? withUnixLines(text) : text)
    if (!counter.wants(total)) break
  }
  return { ...counter.end(), total }
}

const START: Mark = { lines: 0, offset: 0 }

const withUnixLines = (text: string) => text.replaceAll('\r\n', '\n')

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

/**
 * Looks through a PDF before the library reads it, where it runs in the isolate of the workspace: the library decompresses
 * without a limit.
 *
 * The streams of a PDF are found by their keyword, whatever its tables claim, and each is decompressed up to its limit.
 * What cannot be measured here, as it is encrypted or compressed in an old way, is refused: another isolate can read it.
 * `test/worker/texts/documents/hostile.test.ts` has the cases.
 *
 * @module
 */

import { hasBytes } from '../../encoding/bytes.ts'
import { MAX_PDF_BYTES, MAX_PICTURE_BYTES } from '../limits.ts'
import { createBudget, tooLarge, type Budget } from './budget.ts'
import { DocumentFault } from '../document.ts'
import { inflateZlib } from './inflate.ts'

/** Bytes before the keyword of a stream in which its dictionary is looked for. */
const DICTIONARY = 2_048

/** Filters of a stream inside of each other that are measured. */
const MAX_FILTERS = 4

/** What the dictionary of one stream takes, in objects. */
const WEIGHT = 150

/** Streams, and decompressed bytes, after which other requests get a turn: about 10 ms. */
const TURN_STREAMS = 8
const TURN_BYTES = 4 * 1024 * 1024

/** The part of a PDF that was scanned. */
interface Scan {
  readonly bytes: Uint8Array
  readonly budget: Budget
  /** Where the next stream ends that does; its length is that of the file where none does. */
  end: number
  pictures: number
}

/** Refuses a PDF that takes more than its limits, or may. */
export async function scanPdf(bytes: Uint8Array, whole: Budget): Promise<void> {
  if (bytes.length > MAX_PDF_BYTES) throw tooLarge(`${MAX_PDF_BYTES} bytes`)
  if (findText(bytes, '/Encrypt', 0) !== -1)
    throw new DocumentFault('encrypted', 'it is protected by a password or by rights')
  // The objects that are scanned are not those that are read afterwards.
  const budget = { ...whole, object: createBudget(whole.turn).object }
  const scan: Scan = { bytes, budget, end: 0, pictures: 0 }
  let [count, taken] = [0, 0]
  for (let at = 0; (at = findText(bytes, 'stream', at)) !== -1;) {
    const isEnd = hasBytes(bytes, at - 3, 'end')
    at += 'stream'.length
    if (isEnd) continue
    budget.object(WEIGHT)
    measure(scan, at)
    const now = budget.inflated() + scan.pictures
    if (++count % TURN_STREAMS > 0 && now - taken < TURN_BYTES) continue
    taken = now
    await budget.turn()
  }
}

/** Finds a text in bytes, from a place on; -1 if it is not there. */
function findText(bytes: Uint8Array, text: string, from: number): number {
  const first = text.charCodeAt(0)
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1))
    if (hasBytes(bytes, at, text)) return at
  return -1
}

function measure(scan: Scan, keyword: number): void {
  const { bytes, budget } = scan
  const dictionary = dictionaryBefore(bytes, keyword)
  if (/\/(?:LZW|RunLength|Crypt)|\/Filter\s*\d+\s+\d+\s+R/.test(dictionary))
    throw new DocumentFault('unknown_format', 'it is compressed in a way that cannot be measured')
  let start = keyword
  while (bytes[start] === 0x0d || bytes[start] === 0x0a || bytes[start] === 0x20) start++
  const data = bytes.subarray(start, endOfStream(scan, start))
  if (!isZlib(data)) return
  if (!/\/Subtype\s*\/Image/.test(dictionary)) return inflateAll(data, budget)
  // Pictures are not decoded for their text, so each has bytes of its own.
  const counted = { ...createBudget(budget.turn), object: budget.object }
  inflateAll(data, counted)
  scan.pictures += counted.inflated()
  if (scan.pictures > MAX_PICTURE_BYTES) throw tooLarge(`${MAX_PICTURE_BYTES} bytes of pictures`)
}

/** Finds the end of a stream. Each byte is looked at once, however many streams do not end. */
function endOfStream(scan: Scan, start: number): number {
  if (scan.end < start) {
    const found = findText(scan.bytes, 'endstream', start)
    scan.end = found === -1 ? scan.bytes.length : found
  }
  return scan.end
}

function inflateAll(packed: Uint8Array, budget: Budget): void {
  let data = packed
  for (let filters = 0; isZlib(data); filters++) {
    if (filters === MAX_FILTERS) throw tooLarge(`${MAX_FILTERS} filters inside each other`)
    const inflated = inflateZlib(data, budget)
    if (!inflated) return
    data = inflated
  }
}

/** The names in a dictionary may be written with escapes. */
function dictionaryBefore(bytes: Uint8Array, keyword: number): string {
  const part = bytes.subarray(Math.max(0, keyword - DICTIONARY), keyword)
  const text = String.fromCharCode(...part)
  const own = text.slice(text.lastIndexOf('obj') + 1)
  return own.replaceAll(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const isZlib = (bytes: Uint8Array): boolean => {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0
}

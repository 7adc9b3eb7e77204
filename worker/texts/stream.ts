/**
 * Decodes the chunks of a stream, and finds out how its content is encoded. `test/worker/texts/text.test.ts` compares it
 * with decoding the whole.
 *
 * @module
 */

import { decodeDamaged, incompleteEnd, looksBinary, SAMPLE_BYTES } from './damaged.ts'
import { isTextEncoding, isUtf16, type Encoding } from './encoding.ts'
import { mayBeDocument } from './sniff.ts'
import { isValidUtf16, strictText, withoutMarks } from './text.ts'
import { decodeUtf16, utf16Of } from './utf16.ts'

/** The byte order marks. */
const BOMS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xef, 0xbb, 0xbf],
]

const BOM = '\ufeff'

interface Stream {
  encoding: Encoding
  /** Whether the first bytes were looked at. */
  hasBegun: boolean
  /** Bytes that cannot be decoded before those that follow. */
  rest: Uint8Array
  /** The first bytes, from which follows whether what is no valid text is binary. */
  readonly sample: Uint8Array
  sampled: number
}

export type StreamDecoder = ReturnType<typeof createStreamDecoder>

/**
 * Creates a decoder. Its texts have no byte order mark and no marks, and a `\r\n` is never cut in UTF-16. `hasBegun` is
 * true for a stream that begins with a later line of a text that is not UTF-16.
 */
export function createStreamDecoder(hasBegun = false) {
  const stream: Stream = {
    encoding: 'utf-8',
    hasBegun,
    rest: new Uint8Array(0),
    sampled: 0,
    sample: new Uint8Array(hasBegun ? 0 : SAMPLE_BYTES),
  }
  return {
    /** Returns the text of the next bytes. */
    push: (bytes: Uint8Array): string => push(stream, bytes, false),
    /** Returns the text of the bytes that were held back; then `encoding` is final. */
    end: (): string => push(stream, new Uint8Array(0), true),
    encoding: () => stream.encoding,
  }
}

function push(stream: Stream, chunk: Uint8Array, isLast: boolean): string {
  if (!isTextEncoding(stream.encoding)) return ''
  addToSample(stream, chunk)
  const bytes = stream.rest.length === 0 ? chunk : joinBytes(stream.rest, chunk)
  if (!stream.hasBegun && !isLast && isPartOfBom(bytes)) {
    stream.rest = bytes.slice()
    return ''
  }
  const order = stream.hasBegun ? utf16Named(stream) : utf16Of(bytes)
  if (order) stream.encoding = order
  const end = bytes.length - (isLast ? 0 : heldBack(bytes, stream))
  const whole = bytes.subarray(0, end)
  stream.rest = bytes.slice(end)
  const text = order ? decodeUtf16Part(stream, whole) : decodePart(stream, whole)
  if (isLast && stream.encoding === 'damaged') decideDamaged(stream)
  return withoutBom(stream, isTextEncoding(encodingNow(stream)) ? text : '')
}

/** Read again, because decoding changes it. */
const encodingNow = ({ encoding }: Stream): Encoding => encoding

/** Whether the next bytes may complete a byte order mark. */
const isPartOfBom = (bytes: Uint8Array) =>
  BOMS.some((bom) => bytes.length < bom.length && bytes.every((byte, at) => byte === bom[at]))

const utf16Named = ({ encoding }: Stream) => (isUtf16(encoding) ? encoding : null)

function decodePart(stream: Stream, bytes: Uint8Array): string {
  const text = strictText(bytes)
  if (text !== null) return text
  stream.encoding = 'damaged'
  if (stream.sampled === stream.sample.length) decideDamaged(stream)
  return withoutMarks(decodeDamaged(bytes), 'damaged')
}

function decideDamaged(stream: Stream): void {
  const sample = stream.sample.subarray(0, stream.sampled)
  if (looksBinary(sample)) stream.encoding = mayBeDocument(sample) ? 'document' : 'binary'
}

function decodeUtf16Part(stream: Stream, bytes: Uint8Array): string {
  const order = utf16Named(stream)
  const text = order && bytes.length % 2 === 0 ? decodeUtf16(bytes, order) : null
  if (text !== null && isValidUtf16(text)) return text
  stream.encoding = 'binary'
  return ''
}

/** Counts the last bytes that are decoded with the next ones. */
function heldBack(bytes: Uint8Array, stream: Stream): number {
  const order = utf16Named(stream)
  if (!order) return incompleteEnd(bytes)
  const odd = bytes.length % 2
  const last = decodeUtf16(bytes.subarray(-2 - odd, odd === 0 ? undefined : -1), order)
  return odd + (/^[\r\ud800-\udbff]/.test(last) ? 2 : 0)
}

function withoutBom(stream: Stream, text: string): string {
  if (stream.hasBegun || text === '') return text
  stream.hasBegun = true
  if (!text.startsWith(BOM)) return text
  if (stream.encoding === 'utf-8') stream.encoding = 'utf-8-bom'
  return text.slice(1)
}

function addToSample(stream: Stream, chunk: Uint8Array): void {
  const { sample, sampled } = stream
  if (sampled === sample.length) return
  const part = chunk.subarray(0, sample.length - sampled)
  sample.set(part, sampled)
  stream.sampled += part.length
}

/** Joins two pieces of content. */
export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

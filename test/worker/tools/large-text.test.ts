/** Reading parts of large texts: each is that of the whole text, however it was cut into pieces. */

import { expect, it } from 'vitest'
import { parsePath } from '#core/path.ts'
import { MAX_INDEXED_TEXTS } from '#worker/limits.ts'
import { createLineIndexes } from '#worker/store/line-index.ts'
import type { ByteRange, FileEntry } from '#worker/store/store.ts'
import { decodeText, shownText } from '#worker/texts/text.ts'
import { MAX_MARKS, readLargeText, type TextSource } from '#worker/tools/lib/large-text.ts'
import { linePieces } from '#worker/tools/lib/line-pieces.ts'
import { numberLines } from '#worker/tools/lib/line-counter.ts'
import type { LineWindow } from '#worker/tools/lib/lines.ts'
import fc from '../../support/core/random.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const encoder = new TextEncoder()

/** Streams bytes in chunks of some size. */
const streamOf = (bytes: Uint8Array, chunk: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunk)
        controller.enqueue(bytes.subarray(at, at + chunk))
      controller.close()
    },
  })

/** A text as a file, and the ranges that were read of it. */
function sourceOf(text: string | Uint8Array, piece = 16, chunk = 7) {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  const size = bytes.length
  const facts = { type: 'file', blob: 1, mime: 'text/plain', version: 1, mtime: 0 } as const
  const file: FileEntry = { ...facts, path: parsePath('/a'), size }
  const ranges: ByteRange[] = []
  const stream = async (_file: FileEntry, range: ByteRange = { offset: 0, length: size }) => {
    ranges.push(range)
    return streamOf(bytes.subarray(range.offset, range.offset + range.length), chunk)
  }
  const source: TextSource = { store: { stream, lineIndexes: createLineIndexes() }, file, piece }
  return { source, ranges }
}

const ALL: LineWindow = { start: 1, column: 1, limit: 0, maxBytes: 0, maxLineBytes: 0 }

/** The lines as those of a small file. */
function expected(text: string, window: LineWindow) {
  const decoded = decodeText(encoder.encode(text))
  if (!decoded) throw new Error('No text')
  return { ...numberLines(shownText(decoded), window), encoding: decoded.encoding }
}

const words = fc.constantFrom(
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  'a',
  'é',
  '€',
  '😀',
  '\ufeff',
  'a longer line',
)
const mixed = fc.array(words, { maxLength: 60 }).map((found) => found.join(''))
const texts = fc.oneof(
  mixed,
  mixed.map((text) => text.replace(/(?<!\r)\n/g, '\r\n')),
)
const windows = fc.record({
  start: fc.integer({ min: 1, max: 30 }),
  column: fc.constantFrom(1, 1, 2, 5, 14),
  limit: fc.integer({ min: 0, max: 10 }),
  maxBytes: fc.constantFrom(0, 20, 60),
  maxLineBytes: fc.constantFrom(0, 5),
})
const sizes = fc.tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 50 }))

it('any part, read first or later, is that of the whole text', async () => {
  const check = async (
    text: string,
    [piece, chunk]: [number, number],
    parts: readonly LineWindow[],
  ) => {
    const { source } = sourceOf(text, piece, chunk)
    for (const window of parts)
      expect(await readLargeText(source, window)).toEqual(expected(text, window))
  }
  const some = fc.array(windows, { minLength: 2, maxLength: 5 })
  await fc.assert(fc.asyncProperty(texts, sizes, some, check), { numRuns: 500 })
})

it.each(['\n\ufeffa\n', '\ufeff\ufeff\n', 'a\r\nb\n', 'a\nb\r\nc\n', 'a\r\nb\r\n'])(
  '%j is read like a small text, whole and from its second line on',
  async (text) => {
    const { source } = sourceOf(text, 2)
    for (const start of [1, 2])
      expect(await readLargeText(source, { ...ALL, start })).toEqual(
        expected(text, { ...ALL, start }),
      )
  },
)

it('a later part is read from near its beginning to near its end', async () => {
  const text = Array.from({ length: 1_000 }, (_, line) => `line ${line + 1}\n`).join('')
  const { source, ranges } = sourceOf(text, 100, 100)
  await readLargeText(source, ALL)
  const window = { ...ALL, start: 500, limit: 10 }
  expect(await readLargeText(source, window)).toEqual(expected(text, window))
  const [whole, part] = ranges
  expect(whole?.length).toBe(text.length)
  expect(part?.offset).toBeGreaterThan(4_000)
  expect(part?.length).toBeLessThan(400)
  expect(await readLargeText(source, { ...ALL, start: 5_000 })).toEqual({
    ...{ content: '', count: 0, total: 1_000, cut: [], cutLines: [], encoding: 'utf-8' },
  })
  expect(ranges[2]?.length).toBeLessThan(200)
})

it('a text has at most MAX_MARKS marks beside its beginning', async () => {
  const { source } = sourceOf('a\n'.repeat(10_000), 2, 1_000)
  await readLargeText(source, ALL)
  const { marks = [] } = source.store.lineIndexes.find(source.file) ?? {}
  expect(marks.length).toBeGreaterThan(MAX_MARKS / 2)
  expect(marks.length).toBeLessThanOrEqual(MAX_MARKS + 1)
})

it('content that is not text is recognized each time', async () => {
  const bytes = encoder.encode('text\n'.repeat(16) + '\0\u0001'.repeat(10))
  const { source } = sourceOf(bytes)
  expect(await readLargeText(source, ALL)).toBeNull()
  expect(await readLargeText(source, { ...ALL, limit: 1 })).toBeNull()
})

it('pieces end with a line, and never within a line end', async () => {
  const check = async (text: string, [most, chunk]: [number, number]) => {
    const found: string[] = []
    for await (const piece of linePieces(streamOf(encoder.encode(text), chunk), most))
      found.push(new TextDecoder().decode(piece))
    expect(found.join('')).toBe(text)
    for (const piece of found.slice(0, -1)) {
      expect(piece.length).toBeGreaterThan(0)
      if (piece.includes('\n')) expect(piece.endsWith('\n')).toBe(true)
      expect(piece.endsWith('\r')).toBe(false)
    }
  }
  const ascii = fc.array(fc.constantFrom('\r\n', '\n', 'a', 'bcdefgh'), { maxLength: 50 })
  const joined = ascii.map((found) => found.join(''))
  await fc.assert(fc.asyncProperty(joined, sizes, check), { numRuns: 500 })
})

it('the lines of MAX_INDEXED_TEXTS texts are remembered, those read last', () => {
  const indexes = createLineIndexes()
  const index = { total: 1, encoding: 'utf-8', marks: [] } as const
  for (let blob = 1; blob <= MAX_INDEXED_TEXTS; blob++) indexes.keep({ blob }, index)
  expect(indexes.find({ blob: 1 })).toBe(index)
  indexes.keep({ blob: MAX_INDEXED_TEXTS + 1 }, index)
  expect(indexes.find({ blob: 2 })).toBeNull()
  expect(indexes.find({ blob: 1 })).toBe(index)
})

it('a file that is replaced is read from its new content', async () => {
  const { text, put } = freshWorkspace()
  const lines = (word: string) => `${word} of a text that is large\n`.repeat(60_000)
  for (const word of ['first', 'second']) {
    await put('/large.txt', lines(word))
    for (const start_line of [1, 50_000])
      expect(await text('read_file', { path: 'large.txt', start_line, limit: 1 })).toContain(
        `${start_line}: ${word} of`,
      )
  }
})

it('a read behind the last line finds none, also where a mark is at the end', async () => {
  const { text, put } = freshWorkspace()
  const size = 61_234
  await put('/large.txt', 'one line of a text that is large\n'.repeat(size))
  for (let time = 0; time < 2; time++)
    for (const start_line of [size + 1, 5_000_000])
      expect(await text('read_file', { path: 'large.txt', start_line })).toContain(
        `no lines from line ${start_line} on: the file has ${size} lines`,
      )
})

/**
 * Writes over a text and adds to it, and keeps how the file is encoded and how its lines end.
 *
 * `test/worker/texts/files.test.ts` tests it.
 *
 * @module
 */

import type { ReadonlyBytes } from '../encoding/bytes.ts'
import { decodeDamaged } from './damaged.ts'
import { isTextEncoding, isUtf16, type TextEncoding } from './encoding.ts'
import { endingKind, readLines, replacePart, writeLines, type EndingKind } from './endings.ts'
import { createStreamDecoder } from './stream.ts'
import { encodeText, type Text } from './text.ts'
import { decodeUtf16, utf16Of } from './utf16.ts'

/** What a text that is written over keeps, although it was sent without. */
export const KEPT = ['crlf', 'bom', 'utf-16le', 'utf-16be'] as const

/** One thing that a text keeps. */
export type Kept = (typeof KEPT)[number]

/** How a text is encoded, and how its lines end; null for one without line ends. */
export interface TextForm extends Pick<Text, 'bom' | 'encoding'> {
  readonly endings: EndingKind | null
}

const BOM = '\ufeff'

/** Returns the form of a text. */
export const formOf = ({ content, bom, encoding }: Text): TextForm => ({
  bom,
  encoding,
  endings: endingKind(content),
})

/** Returns the form of a text that is read piece by piece; null for content that is not text. */
export async function formOfStream(stream: ReadableStream<Uint8Array>): Promise<TextForm | null> {
  const decoder = createStreamDecoder()
  const kinds = new Set<EndingKind | null>()
  let rest = ''
  const look = (text: string) => {
    const all = rest + text
    // A `\n` may follow the last character.
    rest = all.endsWith('\r') ? '\r' : ''
    kinds.add(endingKind(rest === '' ? all : all.slice(0, -1)))
  }
  for await (const chunk of stream) look(decoder.push(chunk))
  look(decoder.end())
  kinds.delete(null)
  const encoding = decoder.encoding()
  if (!isTextEncoding(encoding)) return null
  const endings = kinds.size > 1 ? 'mixed' : ([...kinds][0] ?? null)
  return { encoding, bom: encoding === 'utf-8-bom' || isUtf16(encoding), endings }
}

/** Encodes a text that replaces another one. Without an old one, it is written as it was sent. */
export function rewriteText(
  sent: string,
  old: TextForm | null,
): { readonly bytes: ReadonlyBytes; readonly kept: readonly Kept[] } {
  if (!old) return { bytes: encodeText({ content: sent }), kept: [] }
  const hasBom = sent.startsWith(BOM)
  const isCrlf = old.endings === 'crlf' && endingKind(sent) === 'lf'
  const lines = isCrlf ? sent.replaceAll('\n', '\r\n') : sent
  const encoding: TextEncoding = isUtf16(old.encoding) ? old.encoding : 'utf-8'
  const bom = old.bom || hasBom
  const kept: Kept[] = isUtf16(encoding) ? [encoding] : old.bom && !hasBom ? ['bom'] : []
  const content = hasBom ? lines.slice(1) : lines
  return { bytes: encodeText({ content, encoding, bom }), kept: isCrlf ? ['crlf', ...kept] : kept }
}

/** Where a text is added. */
export type Side = 'append' | 'prepend'

/** Adds to a text, on lines of their own. A byte order mark before what is sent is none of the text. */
export function addText(old: Text, sent: string, side: Side): ReadonlyBytes {
  if (old.content === '' && !old.bom && old.encoding === 'utf-8')
    return encodeText({ content: sent })
  const added = addedPart(old.content, withoutBom(sent), side)
  const content = side === 'append' ? old.content + added : added + old.content
  return encodeText({ ...old, content })
}

const withoutBom = (sent: string) => (sent.startsWith(BOM) ? sent.slice(1) : sent)

/** Returns what is added to a text, with the endings of the lines beside it. */
function addedPart(near: string, sent: string, side: Side): string {
  const lines = readLines(near)
  const at = side === 'append' ? lines.text.length : 0
  const both = writeLines(replacePart(lines, at, at, apart(lines.text, sent, side)))
  return side === 'append' ? both.slice(near.length) : both.slice(0, both.length - near.length)
}

/** Adds a line break between a text and what is added, unless there is one. */
function apart(text: string, sent: string, side: Side): string {
  if (text === '' || sent === '') return sent
  if (side === 'append') return text.endsWith('\n') || /^\r?\n/.test(sent) ? sent : `\n${sent}`
  return sent.endsWith('\n') || text.startsWith('\n') ? sent : `${sent}\n`
}

/** A text that is too large to be loaded. */
export interface LargeText {
  readonly size: number
  readonly encoding: TextEncoding
  readonly read: (offset: number, length: number) => Promise<ReadableStream<Uint8Array>>
}

/** Bytes of a large text beside which something is added: an even number, for UTF-16. */
const NEAR_BYTES = 64 * 1024

/** Adds to a text without loading it. Returns the new content and its size. */
export async function addToLarge({ size, encoding, read }: LargeText, sent: string, side: Side) {
  const bom = bomLength(await bytesOf(await read(0, 3)))
  const behind = bom + NEAR_BYTES * Math.max(0, Math.ceil((size - bom) / NEAR_BYTES) - 2)
  const from = side === 'append' ? behind : bom
  const bytes = await bytesOf(await read(from, Math.min(2 * NEAR_BYTES, size - from)))
  const near = isUtf16(encoding) ? decodeUtf16(bytes, encoding) : decodeDamaged(bytes)
  const content = addedPart(near, withoutBom(sent), side)
  const added = encodeText({ content, encoding: isUtf16(encoding) ? encoding : 'utf-8' })
  const at = side === 'append' ? size : bom
  const parts = [() => read(0, at), () => streamOf(added), () => read(at, size - at)]
  return { stream: joinStreams(parts), size: size + added.length }
}

function bomLength(bytes: Uint8Array): number {
  if (utf16Of(bytes)) return 2
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream).arrayBuffer())

const streamOf = async (bytes: ReadonlyBytes) => new Blob([Uint8Array.from(bytes)]).stream()

/** Joins streams, each of which is opened when the one before has ended. */
function joinStreams(
  parts: readonly (() => Promise<ReadableStream<Uint8Array>>)[],
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  async function write() {
    for (const open of parts) await (await open()).pipeTo(writable, { preventClose: true })
    await writable.close()
  }
  // A reader gets the error of a part from the stream.
  write().catch((error: unknown) => writable.abort(error).catch(() => {}))
  return readable
}

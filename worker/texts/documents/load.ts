/**
 * Where documents are read: in another isolate or process where one is bound, otherwise in that of the workspace, with
 * readers that are loaded when a document is read first (`docs/decisions/0032-texts.md`).
 *
 * The other place answers to `POST /{format}` with the bytes as the body, and an {@link Extracted} as JSON. It is not
 * trusted more than a document: what it answers is parsed. `test/worker/texts/documents/load.test.ts` tests it.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import type { DocumentFormat, Extracted, NoText } from '../document.ts'
import { MAX_JSON_UNIT_BYTES } from '../../encoding/json-bytes.ts'
import { readMarkdown, type Markdown } from './markdown.ts'
import { MAX_DOCUMENT_PAGES, MAX_DOCUMENT_TEXT, MAX_EXTRACTOR_MS } from '../limits.ts'

/** Extracts the text of a document. The format is that of a file that is text, by its name. */
export type Extract = (bytes: Uint8Array, format: DocumentFormat | null) => Promise<Extracted>

const FORMATS = new Set<unknown>([
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'epub',
  'rtf',
  'ipynb',
  'html',
] satisfies DocumentFormat[])

const REASONS = new Set<unknown>([
  'encrypted',
  'scanned',
  'broken',
  'too_large',
  'unknown_format',
] satisfies NoText[])

/** Longest sentence of a reason. */
const MAX_DETAIL = 500

const isFormat = (value: unknown): value is DocumentFormat => FORMATS.has(value)
const isReason = (value: unknown): value is NoText => REASONS.has(value)
const isLine = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Parses an answer; null if it is none. */
function parseAnswer(json: unknown): Extracted | null {
  if (!isRecord(json)) return null
  const { ok, why, detail, value } = json
  if (ok === false)
    return isReason(why) && typeof detail === 'string'
      ? { ok, why, detail: detail.slice(0, MAX_DETAIL) }
      : null
  if (ok !== true || !isRecord(value)) return null
  const { format, text, pages } = value
  if (!isFormat(format) || typeof text !== 'string' || text.length > MAX_DOCUMENT_TEXT) return null
  if (!Array.isArray(pages) || pages.length > MAX_DOCUMENT_PAGES || !pages.every(isLine))
    return null
  return { ok, value: { format, text: text.toWellFormed(), pages } }
}

/** Creates the extraction of a workspace. Without another place, or while none answers, it reads here. */
export function createExtract(place: Fetcher | undefined, ai?: Markdown): Extract {
  return async (bytes, format) =>
    (ai && format === null && (await readMarkdown(ai, bytes))) ||
    ((place && (await readThere(place, bytes, format))) ?? readHere(bytes, format))
}

async function readThere(
  place: Fetcher,
  bytes: Uint8Array,
  format: DocumentFormat | null,
): Promise<Extracted | null> {
  try {
    const url = `http://texts/${format ?? ''}`
    const signal = AbortSignal.timeout(MAX_EXTRACTOR_MS)
    const response = await place.fetch(url, { method: 'POST', body: bytes.slice(), signal })
    const json = response.ok ? await readAnswer(response.body) : null
    return json === null ? null : parseAnswer(JSON.parse(json))
  } catch {
    return null
  }
}

/** Bytes of the longest answer: every character of a text may be escaped. */
const MAX_ANSWER = MAX_JSON_UNIT_BYTES * MAX_DOCUMENT_TEXT + 128 * 1024

async function readAnswer(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  const decoder = new TextDecoder()
  let [json, size] = ['', 0]
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER) return null
    json += decoder.decode(chunk, { stream: true })
  }
  return json + decoder.decode()
}

async function readHere(bytes: Uint8Array, format: DocumentFormat | null): Promise<Extracted> {
  const { extractText } = await import('./extract.ts')
  return extractText(bytes, { turn: () => scheduler.wait(0), format })
}

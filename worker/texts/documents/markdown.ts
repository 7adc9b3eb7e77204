/**
 * Reads PDFs with `toMarkdown` of Workers AI, where the operator has bound it as `MARKDOWN`: the bytes leave the object, and
 * the first line of the text says so. Its result is parsed like any untrusted input. Only PDFs are sent, because the other
 * formats are read here with little effort. `test/worker/texts/documents/markdown.test.ts` tests it with another binding.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { hasBytes } from '../../encoding/bytes.ts'
import type { Extracted } from '../document.ts'
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_TEXT, MAX_EXTRACTOR_MS } from '../limits.ts'

/** The part of Workers AI that reads documents. */
export interface Markdown {
  toMarkdown(
    file: { readonly name: string; readonly blob: Blob },
    options: { readonly conversionOptions: typeof OPTIONS },
  ): Promise<unknown>
}

/** Pictures are not described: models would write that text, and it costs for each. */
const OPTIONS = { pdf: { metadata: false, images: { convert: false } } }

/** The first line of a text that was read there. */
export const MARKDOWN_NOTE = '[text by Workers AI, to which this document was sent]'

/** Reads a PDF; null if it is none, or has no text there. */
export async function readMarkdown(ai: Markdown, bytes: Uint8Array): Promise<Extracted | null> {
  if (!hasBytes(bytes, 0, '%PDF-') || bytes.length > MAX_DOCUMENT_BYTES) return null
  const blob = new Blob([bytes.slice()], { type: 'application/pdf' })
  const ended = new AbortController()
  try {
    const late = scheduler.wait(MAX_EXTRACTOR_MS, { signal: ended.signal })
    const file = { name: 'document.pdf', blob }
    return parse(await Promise.race([ai.toMarkdown(file, { conversionOptions: OPTIONS }), late]))
  } catch {
    return null
  } finally {
    ended.abort()
  }
}

function parse(result: unknown): Extracted | null {
  if (!isRecord(result) || result['format'] !== 'markdown') return null
  const { data } = result
  if (typeof data !== 'string' || data.trim() === '' || data.length > MAX_DOCUMENT_TEXT) return null
  const text = `${MARKDOWN_NOTE}\n${data.toWellFormed().trimEnd()}\n`
  return { ok: true, value: { format: 'pdf', text, pages: [1] } }
}

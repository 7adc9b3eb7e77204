/**
 * PDF: the text of its pages, by the library pdf.js in the build of `unpdf`, which runs without a page and without a
 * thread of its own. It is half a megabyte, so this module is loaded late.
 *
 * Each page is read in pieces, released, and followed by a turn of other requests.
 * `test/worker/texts/documents/formats.test.ts` compares it with pdftotext.
 *
 * @module
 */

import { getDocumentProxy } from 'unpdf'
import { MAX_DOCUMENT_TEXT } from '../limits.ts'
import { tooLarge, type Budget } from './budget.ts'
import { DocumentFault, type DocumentText } from '../document.ts'
import { scanPdf } from './pdf-scan.ts'
import { createWriter } from './writer.ts'

/** A part of the text of a page. */
interface TextItem {
  readonly str: string
  readonly hasEOL: boolean
  readonly width: number
  readonly height: number
}

/** A gap of so many heights of a line is that between the columns of a table. */
const COLUMN_GAP = 1.5

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** Reads a PDF. Where it is not isolated, it is measured before. */
export async function readPdf(
  bytes: Uint8Array,
  budget: Budget,
  isIsolated: boolean,
): Promise<DocumentText> {
  if (!isIsolated) await scanPdf(bytes, budget)
  const pdf = await open(bytes)
  try {
    const writer = createWriter(budget)
    let hasText = false
    for (let number = 1; number <= pdf.numPages; number++) {
      await writer.page(`page ${number}`)
      const text = await readPage(pdf, number, budget)
      hasText ||= text.trim() !== ''
      writer.line(text)
    }
    if (!hasText) throw new DocumentFault('scanned', 'its pages are pictures without text')
    return writer.end('pdf', pdf.numPages > 1)
  } finally {
    await pdf.cleanup()
    await pdf.loadingTask.destroy()
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, {
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: 0,
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new DocumentFault('encrypted', 'it needs a password')
    throw error
  }
}

async function readPage(pdf: Pdf, number: number, budget: Budget): Promise<string> {
  const page = await pdf.getPage(number)
  const reader = page.streamTextContent({ includeMarkedContent: false }).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text
      for (const item of value.items) {
        if (budget.object()) await budget.turn()
        if ('str' in item) text += textOf(item)
      }
      if (text.length > MAX_DOCUMENT_TEXT) throw tooLarge(`${MAX_DOCUMENT_TEXT} characters of text`)
    }
  } finally {
    // A page that is not read to its end would be parsed on.
    await reader.cancel().catch(() => {})
    page.cleanup()
  }
}

function textOf({ str, hasEOL, width, height }: TextItem): string {
  const isGap = str.trim() === '' && str !== '' && height > 0 && width > COLUMN_GAP * height
  return (isGap ? '\t' : str) + (hasEOL ? '\n' : '')
}

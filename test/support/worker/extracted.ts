/** Extracts the text of documents in tests. @module */

import type { DocumentFormat, Extracted } from '#worker/texts/document.ts'
import { extractText } from '#worker/texts/documents/extract.ts'

/** Extracts a document, and counts the turns that it left to others. */
export async function extract(
  bytes: Uint8Array,
  {
    format = null,
    isIsolated = false,
  }: { format?: DocumentFormat | null; isIsolated?: boolean } = {},
): Promise<{ readonly found: Extracted; readonly turns: number; readonly longest: number }> {
  let [turns, longest, last] = [0, 0, performance.now()]
  const pass = () => {
    longest = Math.max(longest, performance.now() - last)
  }
  const turn = async () => {
    pass()
    turns++
    await scheduler.wait(0)
    last = performance.now()
  }
  const found = await extractText(Uint8Array.from(bytes), { turn, format, isIsolated })
  pass()
  return { found, turns, longest }
}

/** Returns the text of a document that has one. */
export async function textOf(
  bytes: Uint8Array,
  format: DocumentFormat | null = null,
): Promise<string> {
  const { found } = await extract(bytes, { format })
  if (!found.ok) throw new Error(`${found.why}: ${found.detail}`)
  return found.value.text
}

/** Returns why a document has no text; null if it has one. */
export async function whyNot(bytes: Uint8Array, isIsolated = false): Promise<string | null> {
  const { found } = await extract(bytes, { isIsolated })
  return found.ok ? null : found.why
}

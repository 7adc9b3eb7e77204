/**
 * Quotes: values of others in a sentence in plain text, so that nothing in them reads as words of the sentence.
 * `test/core/quote.test.ts` has the cases.
 *
 * @module
 */

import { visible } from './visible.ts'

/** Quotes a name that another party has chosen. */
export const quoteName = (name: string): string => JSON.stringify(visible(name))

/** Returns a value as it is if it is one word, path or scope, otherwise in quotes. */
export function quoteValue(text: string): string {
  const shown = visible(text)
  return /^[^\s"]*[^\s",:]$/.test(shown) ? shown : JSON.stringify(shown)
}

/** A piece of a sentence: words, or a value. */
export type SentencePiece = string | { readonly value: string }

/** Matches what {@link quoteValue} has quoted, and absolute paths, without the sign after one. */
const VALUE = /(?<=^|\s)(?:"(?:[^"\\]|\\.)*"|\/[^\s"]*?(?=[,:]?(?:\s|$)))/g

/** Splits a sentence into its words and the values in it, without their quotes. */
export function sentencePieces(sentence: string): SentencePiece[] {
  const pieces: SentencePiece[] = []
  let at = 0
  for (const { 0: found, index } of sentence.matchAll(VALUE)) {
    pieces.push(sentence.slice(at, index), {
      value: found.startsWith('"') ? unquote(found) : found,
    })
    at = index + found.length
  }
  return [...pieces, sentence.slice(at)].filter((piece) => piece !== '')
}

/** The text that was quoted; what only looks quoted stays as it is. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

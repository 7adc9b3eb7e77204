/**
 * Quotes: values of others in a sentence in plain text, so that nothing in them reads as words of the sentence, and no
 * two values are written alike: a hidden character is written by its name in brackets, and a bracket of the value that
 * could begin such a name by its escape, in quotes.
 * `test/core/quote.test.ts` has the cases.
 *
 * @module
 */

import { NAMES, visible, visiblePieces } from './visible.ts'

/** Quotes a name that another party has chosen. */
export function quoteName(name: string): string {
  const parts = visiblePieces(name).map((piece) =>
    typeof piece === 'string'
      ? replaceNames(
          JSON.stringify(piece).slice(1, -1),
          (_, written) => `\\u005b${written.slice(1)}`,
        )
      : `[${piece.name}]`,
  )
  return `"${parts.join('')}"`
}

/** Returns a value as it is if it is one word, path or scope, otherwise in quotes. */
export function quoteValue(text: string): string {
  const shown = visible(text)
  const isPlain = /^[^\s"]*[^\s",:]$/.test(shown) && restoreNames(shown) === text
  return isPlain ? shown : quoteName(text)
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
      value: found.startsWith('"') ? unquote(found) : restoreNames(found),
    })
    at = index + found.length
  }
  return [...pieces, sentence.slice(at)].filter((piece) => piece !== '')
}

/** The text that was quoted; what only looks quoted stays as it is. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(replaceNames(quoted, escapeUnits)))
  } catch {
    return quoted
  }
}

/** Replaces the names of hidden characters by the characters. */
const restoreNames = (text: string) => replaceNames(text, (char) => char)

const escapeUnits = (char: string) =>
  Array.from({ length: char.length }, (_, at) => `\\u${hexOf(char.charCodeAt(at))}`).join('')

const hexOf = (unit: number) => unit.toString(16).padStart(4, '0')

/** Matches what looks like the name of a character, as {@link visible} writes it. */
const NAME = /\[(?:[A-Z]+|U\+((?:10|[1-9A-F])?[\dA-F]{4}))\]/g

/** Replaces each name of a hidden character; `written` is the name with its brackets. */
function replaceNames(text: string, replace: (char: string, written: string) => string): string {
  return text.replace(NAME, (written, code?: string) => {
    const char = code ? String.fromCodePoint(parseInt(code, 16)) : CHARS.get(written.slice(1, -1))
    return char !== undefined && visible(char) === written ? replace(char, written) : written
  })
}

const CHARS = new Map(Object.entries(NAMES).map(([char, name]) => [name, char]))

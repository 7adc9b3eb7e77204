/**
 * Visible text: makes hidden characters visible in a text that a person has to judge.
 *
 * Characters without a form of their own, and those that change the direction of text, are replaced by
 * their names, so that no text can look like another one. Every name is unique, so nothing is lost.
 *
 * @module
 */

/** Plain text, or the name of one hidden character. */
export type Piece = string | { readonly name: string }

/**
 * Matches one hidden character, or as the first group an emoji whose hidden characters change its look, and which is
 * left unchanged: a sequence that is recommended for general interchange (RGI, UTS #51), an emoji that is text by
 * default, and a keycap. Its first lookahead saves trying the long list of sequences at each emoji. The last three
 * have no ink and no property that says so: the blank Braille pattern, the Khitan filler and the null notehead.
 */
export const HIDDEN =
  /((?=\p{ExtPict}[\ufe0f\p{EMod}]?\u200d\p{ExtPict})\p{RGI_Emoji_ZWJ_Sequence}|(?!\p{EPres})[\p{ExtPict}&&\p{Emoji}]\ufe0f(?!\p{EMod})|[0-9#*]\ufe0f\u20e3)|(?![ \t])(?:[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|\u{16FE4}|\u{1D159})/gv

// oxlint-disable-next-line no-control-regex -- most text is this, and hides nothing
const PLAIN = /^[\t\x20-\x7e]*$/

/** Names of hidden characters; all others are named by their code points. */
export const NAMES: Readonly<Record<string, string>> = {
  '\0': 'NUL',
  '\b': 'BS',
  '\n': 'LF',
  '\v': 'VT',
  '\f': 'FF',
  '\r': 'CR',
  '\u001b': 'ESC',
  '\u007f': 'DEL',
  '\u0085': 'NEL',
  '\u00a0': 'NBSP',
  '\u00ad': 'SHY',
  '\u061c': 'ALM',
  '\u200b': 'ZWSP',
  '\u200c': 'ZWNJ',
  '\u200d': 'ZWJ',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2060': 'WJ',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
}

/** Whether a text has a hidden character. */
export const hasHidden = (text: string): boolean =>
  visiblePieces(text).some((piece) => typeof piece !== 'string')

/** Splits a text at its hidden characters, in order. */
export function visiblePieces(text: string): Piece[] {
  if (PLAIN.test(text)) return [text]
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: found, 1: emoji, index } of text.matchAll(HIDDEN)) {
    if (emoji) continue
    pieces.push(text.slice(at, index), { name: NAMES[found] ?? numberOf(found) })
    at = index + found.length
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== '')
}

/** Formats the same as plain text, with names in brackets, for places that can show only text. */
export function visible(text: string): string {
  const parts = visiblePieces(text)
  return parts.map((part) => (typeof part === 'string' ? part : `[${part.name}]`)).join('')
}

/** The same for a text of several lines, whose `\n` stay. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** Formats the code point of a character as Unicode does, such as `U+200B`. */
export function numberOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

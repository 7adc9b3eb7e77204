/**
 * Syntax highlighting of both texts of a diff, by line number.
 *
 * Each text is tokenized as a whole, because a comment may begin many lines above. Every character
 * is kept: a token is a piece of the text, and is never parsed again.
 *
 * @module
 */

import { appendVisible, type WritePart } from '../../diff/diff-table.ts'
import { findLanguage } from '#core/highlight/languages.ts'
import { createTokenizer, type Token } from '#core/highlight/tokens.ts'
import type { TextPair } from '../data/diff-input.ts'
import { MAX_HIGHLIGHTED } from '../limits.ts'

/** Returns what appends colored parts of lines; undefined if the language is unknown or the texts are too long. */
export function highlightTexts(
  { original, modified }: TextPair,
  name: string,
): WritePart | undefined {
  const language = findLanguage(name.split('/').at(-1) ?? '')
  if (!language || original.length + modified.length > MAX_HIGHLIGHTED) return undefined
  const tokenize = createTokenizer(language)
  const tokensOf = (text: string): (readonly Token[])[] => {
    let state = 0
    return text.split('\n').map((line) => {
      const result = tokenize(line.replace(/\r$/, ''), state)
      state = result.state
      return result.tokens
    })
  }
  const left = tokensOf(original)
  const right = tokensOf(modified)
  return (parent, part, { oldNumber, newNumber }, from) => {
    const tokens = newNumber === null ? left[(oldNumber ?? 0) - 1] : right[newNumber - 1]
    if (tokens) appendTokens(parent, tokens, from, from + part.length)
    else appendVisible(parent, part)
  }
}

/** Appends the part of a line between two offsets, with a span for each token of a kind. */
function appendTokens(parent: Element, tokens: readonly Token[], from: number, to: number): void {
  let at = 0
  for (const [token, kind] of tokens) {
    const piece = token.slice(Math.max(0, from - at), Math.max(0, to - at))
    at += token.length
    if (piece === '') continue
    if (kind === null) appendVisible(parent, piece)
    else {
      const span = parent.appendChild(document.createElement('span'))
      span.className = kind
      appendVisible(span, piece)
    }
  }
}

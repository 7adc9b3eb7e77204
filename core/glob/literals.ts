/**
 * Literals: text that every match of a pattern starts with or contains, for a look-up in an index.
 *
 * @module
 */

import type { Piece } from './pieces.ts'

/** The part of a glob that this module needs. */
export interface Pattern {
  readonly caseSensitive: boolean
  readonly pieces: readonly Piece[]
}

/** Returns a path that every match equals or lies below, for a look-up by range; empty if there is none. */
export function literalPrefix(pattern: Pattern): string {
  const plain = literalRun(pattern, 0)
  const whole = plain.length === pattern.pieces.length
  const text = whole ? plain.join('') : plain.join('').replace(/[^/]*$/, '')
  return trimSlashes(text)
}

/** Returns the path that a pattern matches with everything below it, if it matches nothing else; otherwise null. */
export function literalFolder(pattern: Pattern): string | null {
  const run = literalRun(pattern, 0)
  const rest = pattern.pieces.slice(run.length)
  const isClosed = rest[0]?.type === 'deep' && (run.length === 0 || run.at(-1) === '/')
  const isAll = rest.every(({ type }, at) => type === (at % 2 === 0 ? 'deep' : 'slash'))
  return isClosed && isAll ? trimSlashes(run.join('')) : null
}

/**
 * Returns the longest text that every match contains, for a text index; null if there is none. Text
 * inside braces does not count.
 */
export function globToLiteral(pattern: Pattern): string | null {
  let longest = ''
  for (let at = 0; at < pattern.pieces.length; at++) {
    const run = literalRun(pattern, at)
    const text = trimSlashes(run.join(''))
    if (text.length > longest.length) longest = text
    at += run.length
  }
  return longest === '' ? null : longest
}

/** Returns the characters from a piece on, up to the first one that is not literal. */
function literalRun({ pieces, caseSensitive }: Pattern, from: number): string[] {
  const run: string[] = []
  for (const piece of pieces.slice(from)) {
    if (piece.type === 'slash') run.push('/')
    else if (piece.type !== 'char') break
    else {
      const char = String.fromCodePoint(piece.code)
      if (!caseSensitive && /\p{Changes_When_Casemapped}/u.test(char)) break
      run.push(char)
    }
  }
  return run
}

/** Joins repeated slashes, and drops one at either end, which may match nothing, as in `a/**`. */
function trimSlashes(text: string): string {
  return text.split('/').filter(Boolean).join('/')
}

/**
 * Literals: what every match of a pattern begins with, or holds, so that an index can be asked first.
 *
 * @module
 */

import type { Piece } from './pieces.ts'

/** As much of a pattern as has to be known. */
export interface Pattern {
  readonly caseSensitive: boolean
  readonly pieces: readonly Piece[]
}

/** A path that every match is or lies below, for a look-up by range; empty when there is none. */
export function literalPrefix(pattern: Pattern): string {
  const plain = literalRun(pattern, 0)
  const whole = plain.length === pattern.pieces.length
  const text = whole ? plain.join('') : plain.join('').replace(/[^/]*$/, '')
  return trimSlashes(text)
}

/**
 * The longest text that every match contains, for an index that finds texts; null when there is
 * none. Only what stands outside braces counts.
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

/** The characters from a piece on, as long as each stands for itself only. */
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

/** Slashes in a row are one, and one at an end may stand for nothing, as in `a/**`. */
function trimSlashes(text: string): string {
  return text.split('/').filter(Boolean).join('/')
}

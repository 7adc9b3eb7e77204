/**
 * Visible paths: pieces of a path that are drawn so that no two paths look alike.
 *
 * Beside hidden characters, spaces at an end of a name and in runs appear by name, and so do marks without a letter.
 * Letters that are written from right to left, and their digits, are pieces of their own: as isolates in text from left
 * to right, they turn nothing round but themselves. `test/host/console/path.test.tsx` compares what a browser draws.
 *
 * @module
 */

import { numberOf, visiblePieces, type Piece } from './visible.ts'

/** A piece of a visible text, or a run of a path with a direction of its own. */
export type PathPiece = Piece | { readonly run: string; readonly dir: 'ltr' | 'rtl' }

const SPECIAL = new RegExp(
  [
    '(?<space> (?=$| )|(?<=^|[/ ]) )',
    '(?<end> (?=/))',
    '(?<mark>(?<=^|[/ ])\\p{M})',
    '(?<digits>[\\u0660-\\u0669\\u066b\\u066c\\u06f0-\\u06f9]+)',
    '(?<letters>[\\u0590-\\u065f\\u066a\\u066d-\\u06ef\\u06fa-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]+)',
  ].join('|'),
  'gu',
)

/** Splits a path into its pieces, in order. */
export const pathPieces = (path: string): PathPiece[] => piecesOf(path, false)

/** Does the same for a sentence, in which a space before a slash begins a path. */
export const sentencePieces = (sentence: string): PathPiece[] => piecesOf(sentence, true)

const piecesOf = (text: string, isSentence: boolean): PathPiece[] =>
  visiblePieces(text).flatMap((piece) =>
    typeof piece === 'string' ? [...split(piece, isSentence)] : [piece],
  )

function* split(text: string, isSentence: boolean): Generator<PathPiece> {
  let at = 0
  for (const { 0: found, index, groups = {} } of text.matchAll(SPECIAL)) {
    if (index > at) yield text.slice(at, index)
    at = index + found.length
    if (groups['end'] && isSentence) yield found
    else if (groups['space'] ?? groups['end']) yield { name: 'SP' }
    else if (groups['mark']) yield { name: numberOf(found) }
    else yield { run: found, dir: groups['letters'] ? 'rtl' : 'ltr' }
  }
  if (at < text.length) yield text.slice(at)
}

/**
 * Visible paths: pieces of a path that are drawn so that no two paths look alike.
 *
 * Beside hidden characters, these appear by name: spaces at an end of a name and in runs, what looks like a slash, and
 * marks without a letter, or that the letter has already, or beyond the fourth.
 * Letters that are written from right to left, and their digits, are pieces of their own: as isolates in text from left
 * to right, they turn nothing round but themselves. `test/host/console/path.test.tsx` compares what a browser draws.
 *
 * @module
 */

import { numberOf, visiblePieces, type Piece } from './visible.ts'

/** A piece of a visible text, or a run of a path with a direction of its own. */
export type PathPiece = Piece | { readonly run: string; readonly dir: 'ltr' | 'rtl' }

/** Spaces that are not seen, what looks like a slash, and marks, each with the letter before them. */
const NAMED = new RegExp(
  [
    '(?<space> (?=$|[/ ])|(?<=^|[/ ]) )',
    '(?<slash>[\\u1735\\u2041\\u2044\\u2215\\u2571\\u27cb\\u29f8\\uff0f])',
    '(?<=^|[/ ]|(?<letter>.))(?<marks>\\p{M}+)',
  ].join('|'),
  'gsu',
)

/** Letters that are written from right to left, and their digits. */
const TURNED = new RegExp(
  [
    '(?<digits>[\\u0660-\\u0669\\u066b\\u066c\\u06f0-\\u06f9]+)',
    '(?<letters>[\\u0590-\\u065f\\u066a\\u066d-\\u06ef\\u06fa-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]+)',
  ].join('|'),
  'gu',
)

/** The marks that one letter has in a language that people write: Hebrew with points and accents has the most. */
const MAX_MARKS = 4

/** Splits a path into its pieces, in order. */
export const pathPieces = (path: string): PathPiece[] =>
  visiblePieces(path).flatMap((piece) =>
    typeof piece === 'string' ? [...nameUnseen(piece)] : [piece],
  )

/** Splits a text where something in it appears by name. */
function* nameUnseen(text: string): Generator<PathPiece> {
  let at = 0
  for (const { 0: found, index, groups = {} } of text.matchAll(NAMED)) {
    const { letter = '', marks = '', space, slash } = groups
    const seen = countSeen(letter, marks)
    if (seen > 0 && seen === marks.length) continue
    yield* isolateTurned(text.slice(at, index + seen))
    at = index + found.length
    if (slash) yield { name: numberOf(slash) }
    else if (space) yield { name: 'SP' }
    else for (const mark of marks.slice(seen)) yield { name: numberOf(mark) }
  }
  yield* isolateTurned(text.slice(at))
}

/** Counts the code units of marks that are seen: those before one that its letter has already. */
function countSeen(letter: string, marks: string): number {
  if (letter === '') return 0
  const has = new Set(Array.from(letter.normalize('NFD')).slice(1))
  let seen = 0
  for (const mark of Array.from(marks).slice(0, MAX_MARKS)) {
    if (has.has(mark)) break
    has.add(mark)
    seen += mark.length
  }
  return seen
}

/** Makes each run of letters from right to left, and each run of their digits, an isolate. */
function* isolateTurned(text: string): Generator<PathPiece> {
  let at = 0
  for (const { 0: run, index, groups = {} } of text.matchAll(TURNED)) {
    if (index > at) yield text.slice(at, index)
    at = index + run.length
    yield { run, dir: groups['letters'] ? 'rtl' : 'ltr' }
  }
  if (at < text.length) yield text.slice(at)
}

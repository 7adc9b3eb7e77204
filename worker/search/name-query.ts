/**
 * Names as the index has them, and the queries that find them.
 *
 * A block of paths is one text: the last segments of its paths in lower case, and the folders above them in upper case,
 * so that a name is not found in every path below a folder of that name. As in `trigrams.ts`, only printable ASCII counts.
 * `test/worker/search/names.laws.test.ts` tests this with random patterns.
 *
 * @module
 */

import type { Glob } from '#core/glob.ts'
import { foldForIndex, TRIGRAM, toMatchQuery, type Part } from './trigrams.ts'

type Piece = Glob['pieces'][number]

/** Maximum number of trigrams of a query; more would slow it down without narrowing the search. */
const MAX_TRIGRAMS = 24

/** Returns the text of a block of paths. */
export function textOfPaths(paths: readonly string[]): string {
  const segments = new Set<string>()
  let folder = ''
  for (const path of paths) {
    const end = path.lastIndexOf('/')
    if (path.slice(0, end) !== folder) {
      folder = path.slice(0, end)
      for (const segment of folder.split('/')) segments.add(foldForIndex(segment).toUpperCase())
    }
    segments.add(foldForIndex(path.slice(end + 1)))
  }
  return [...segments].join('/')
}

/** Returns an FTS5 query for names that may match a regular expression; null if none is certain. */
export function queryOfPattern({ parts }: { readonly parts: readonly Part[] }): string | null {
  return queryOf(parts, (text) => text)
}

/** Returns an FTS5 query for paths that may match a glob; null if none is certain. */
export function queryOfGlob({ pieces }: Pick<Glob, 'pieces'>): string | null {
  // A slash within braces makes a segment of what is around it, so only what follows is certain.
  const from = pieces.findLastIndex((piece) => piece.type === 'either' && hasSlash([piece]))
  const segments = splitAtSlashes(pieces.slice(from + 1))
  const queries = segments.map((segment, at) => {
    const parts = partsOf(segment)
    const name = queryOf(parts, (text) => text)
    if (at === segments.length - 1 || name === null) return name
    // Two stars after it may match nothing, and then it is the name.
    const folder = queryOf(parts, (text) => text.toUpperCase())
    return folder && `(${name} OR ${folder})`
  })
  return and(queries)
}

function splitAtSlashes(pieces: readonly Piece[]): Piece[][] {
  const segments: Piece[][] = [[]]
  for (const piece of pieces)
    if (piece.type === 'slash') segments.push([])
    else segments.at(-1)?.push(piece)
  return segments.filter((segment) => segment.length > 0)
}

function hasSlash(pieces: readonly Piece[]): boolean {
  return pieces.some(
    (piece) => piece.type === 'slash' || (piece.type === 'either' && piece.options.some(hasSlash)),
  )
}

function partsOf(pieces: readonly Piece[]): Part[] {
  return pieces.map((piece) => {
    if (piece.type === 'either') return { either: piece.options.map(partsOf) }
    if (piece.type !== 'char') return null
    const char = String.fromCodePoint(piece.code)
    return /[\x20-\x7e]/.test(char) ? char.toLowerCase() : null
  })
}

type Fold = (text: string) => string

/** Combines what is certain: every run of characters, and one of the alternatives of each group. */
function queryOf(parts: readonly Part[], fold: Fold): string | null {
  const queries: (string | null)[] = []
  let run = ''
  for (const part of [...parts, null]) {
    if (typeof part === 'string') {
      run += part
      continue
    }
    queries.push(queryOfRun(fold(run)))
    run = ''
    if (part !== null) queries.push(queryOfEither(part.either, fold))
  }
  return and(queries)
}

function queryOfRun(run: string): string | null {
  const trigrams = trigramsOf(run).slice(0, MAX_TRIGRAMS)
  return trigrams.length === 0 ? null : toMatchQuery(trigrams)
}

function queryOfEither(options: readonly (readonly Part[])[], fold: Fold): string | null {
  const queries = options.map((option) => queryOf(option, fold))
  return queries.includes(null) ? null : `(${queries.map((query) => `(${query})`).join(' OR ')})`
}

function and(queries: readonly (string | null)[]): string | null {
  const certain = queries.filter((query) => query !== null)
  return certain.length === 0 ? null : certain.map((query) => `(${query})`).join(' AND ')
}

function trigramsOf(text: string): string[] {
  const trigrams = new Set<string>()
  for (let at = 0; at + TRIGRAM <= text.length; at++) trigrams.add(text.slice(at, at + TRIGRAM))
  return [...trigrams]
}

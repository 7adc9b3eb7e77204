/**
 * Untrusted text as HTML of a page where a person decides: hidden characters appear by name, and two different paths
 * never look the same. The page draws a `.v` as the name of a character, and keeps the spaces of a `.filepath`
 * (`white-space: break-spaces`). `test/worker/encoding/visible-html.test.ts` tests it.
 *
 * @module
 */

import { sentencePieces } from '#core/quote.ts'
import { pathPieces, type PathPiece } from '#core/visible-path.ts'
import { numberOf, visible, visiblePieces } from '#core/visible.ts'
import { joinHtml, markup, type Html } from './html.ts'

/** Escapes text and shows invisible characters by name. */
export const visibleHtml = (text: string): Html => joinHtml(visiblePieces(text).map(pieceHtml))

/** Renders a path, or a part of one, from the same pieces as in the console. */
export const pathHtml = (path: string): Html =>
  markup`<bdi dir="ltr" class="filepath">${pathPieces(path).map(pieceHtml)}</bdi>`

/** Renders a sentence of the server: its values, which others have chosen, apart from its words. */
export const sentenceHtml = (sentence: string): Html =>
  joinHtml(
    sentencePieces(sentence).map((piece) =>
      typeof piece === 'string' ? visibleHtml(piece) : pathHtml(piece.value),
    ),
  )

/** Double quotes of all scripts; an apostrophe is a part of names. */
const QUOTES = /["\u00ab\u00bb\u201c-\u201f\u2e42\u301d-\u301f\uff02]/g

/**
 * Renders a name that another party has chosen, cut to a length, quoted, and in a box of its own (`.claimed`). A quote
 * in it is written by its name, because a name that closes its quotes would go on as a statement of the page.
 */
export function claimedNameHtml(name: string, most: number): Html {
  const shown = visible(name.slice(0, most).toWellFormed())
  const text = shown.replace(QUOTES, (quote) => `[${numberOf(quote)}]`)
  return markup`<bdi class="claimed">“${text}${name.length > most ? '…' : ''}”</bdi>`
}

/** Renders one piece of a text or of a path. */
export function pieceHtml(piece: PathPiece): Html {
  if (typeof piece === 'string') return markup`${piece}`
  return 'run' in piece
    ? markup`<bdi dir="${piece.dir}">${piece.run}</bdi>`
    : markup`<span class="v">${piece.name}</span>`
}

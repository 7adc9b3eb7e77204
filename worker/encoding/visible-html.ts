/**
 * Untrusted text as HTML of a page where a person decides: hidden characters appear by name, and two different paths
 * never look the same. The page draws a `.v` as the name of a character, and keeps the spaces of a `.filepath`
 * (`white-space: break-spaces`). `test/worker/encoding/visible-html.test.ts` tests it.
 *
 * @module
 */

import { sentencePieces } from '#core/quote.ts'
import { pathPieces, type PathPiece } from '#core/visible-path.ts'
import { visiblePieces } from '#core/visible.ts'
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

/** Renders one piece of a text or of a path. */
export function pieceHtml(piece: PathPiece): Html {
  if (typeof piece === 'string') return markup`${piece}`
  return 'run' in piece
    ? markup`<bdi dir="${piece.dir}">${piece.run}</bdi>`
    : markup`<span class="v">${piece.name}</span>`
}

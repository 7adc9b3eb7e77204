/**
 * The name that a client gives itself, as HTML of the consent page. It is drawn in a box of its own, and a quote in it
 * by its name: a name that closes its quotes and goes on would read as a statement of the page.
 * `test/worker/auth/client-name.test.ts` tests it.
 *
 * @module
 */

import { numberOf, visiblePieces, type Piece } from '#core/visible.ts'
import { markup, type Html } from '../encoding/html.ts'
import { pieceHtml } from '../encoding/visible-html.ts'
import { MAX_CLIENT_NAME_LENGTH } from './limits.ts'

/** Double quotes of all scripts; an apostrophe is a part of names. */
const QUOTES = /(["\u00ab\u00bb\u201c-\u201f\u2e42\u301d-\u301f\uff02])/

/** Renders a client's own name: boxed, quoted, cut, isolated, and with invisible characters and quotes shown. */
export function nameHtml(name: string): Html {
  const shown = name.slice(0, MAX_CLIENT_NAME_LENGTH).toWellFormed()
  const pieces = visiblePieces(shown).flatMap(nameQuotes)
  const rest = name.length > MAX_CLIENT_NAME_LENGTH ? '…' : ''
  return markup`<bdi class="claimed">“${pieces.map(pieceHtml)}${rest}”</bdi>`
}

const nameQuotes = (piece: Piece): Piece[] =>
  typeof piece === 'string'
    ? piece.split(QUOTES).map((part, at) => (at % 2 === 0 ? part : { name: numberOf(part) }))
    : [piece]

/**
 * What a client names, as HTML of a page where a person decides: two different texts never look the same.
 * The page has to keep white space (`white-space: pre-wrap`). `test/worker/auth/untrusted-html.test.ts` tests it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { pathPieces, type PathPiece } from '#core/visible-path.ts'
import { visible } from '#core/visible.ts'
import { markup, type Html } from '../encoding/html.ts'
import { MAX_CLIENT_NAME_LENGTH } from './limits.ts'

/** Renders a client's own name: quoted, cut, isolated, and with invisible characters shown. */
export function nameHtml(name: string): Html {
  const shown = visible(name.slice(0, MAX_CLIENT_NAME_LENGTH).toWellFormed())
  return markup`<bdi>“${shown}${name.length > MAX_CLIENT_NAME_LENGTH ? '…' : ''}”</bdi>`
}

/** Renders a path from the same pieces as in the console. */
export const pathHtml = (path: StorePath): Html =>
  markup`<bdi dir="ltr" class="path">${pathPieces(path).map(pieceHtml)}</bdi>`

function pieceHtml(piece: PathPiece): Html {
  if (typeof piece === 'string') return markup`${piece}`
  return 'run' in piece
    ? markup`<bdi dir="${piece.dir}">${piece.run}</bdi>`
    : markup`<span class="hidden">${piece.name}</span>`
}

/**
 * A path as HTML for a page where a person decides, so that two different paths never look the same.
 *
 * Characters without a form are named, and so are spaces that an edge or another space would hide. Runs of
 * right-to-left letters are isolated, so that `/א1` and `/1א` differ; the page has to keep white space
 * (`white-space: pre-wrap`). `test/worker/encoding/path-html.test.ts` tests it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { visiblePieces } from '#core/visible.ts'
import { joinHtml, markup, type Html } from './html.ts'

/** Renders a path. */
export function pathHtml(path: StorePath): Html {
  return markup`<bdi dir="ltr" class="path">${path.split(UNSEEN_SPACE).map(partHtml)}</bdi>`
}

/** Matches one space at the start or the end of a name, or beside another one. */
const UNSEEN_SPACE = /((?<=[ /]) | (?=[ /]|$))/u

const partHtml = (part: string): Html => (part === ' ' ? named('SP') : joinHtml(piecesOf(part)))

const piecesOf = (part: string): Html[] =>
  visiblePieces(part).flatMap((piece) =>
    typeof piece === 'string' ? piece.split(RIGHT_TO_LEFT).map(runHtml) : [named(piece.name)],
  )

/** Matches a run of characters of the blocks for right-to-left scripts. */
const RIGHT_TO_LEFT =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)/u

// `split` puts what the group has matched at odd places.
const runHtml = (run: string, at: number): Html =>
  at % 2 === 1 ? markup`<bdi>${run}</bdi>` : markup`${run}`

const named = (name: string): Html => markup`<span class="hidden">${name}</span>`

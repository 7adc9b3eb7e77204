/** Shows untrusted text safely: invisible and bidirectional characters appear by name. @module */

import { cutEnd } from '#core/cut-middle.ts'
import { HIDDEN, visiblePieces } from '#core/visible.ts'
import { formatCount } from './format.ts'

/**
 * Most characters of a text that are drawn, and how many of them may be hidden ones: the page would stop at a text of megabytes, which a
 * server may have anywhere. A request to answer for a model, of which nothing may be cut, has no more (`sampling.ts`).
 */
const MAX_LENGTH = 200_000
const MAX_HIDDEN_SHARE = 0.05

interface Props {
  readonly text: string
  /** Most characters that are drawn, where a text is one of many. */
  readonly most?: number
}

/** Shows untrusted text; of one that is too long to draw, the beginning and how much is left out. */
export function Visible({ text, most = MAX_LENGTH }: Props) {
  const beginning = cutEnd(text, most)
  const shown = beginning.slice(0, endOf(beginning, most * MAX_HIDDEN_SHARE))
  return (
    <>
      {visiblePieces(shown).map((piece, index) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <span key={index} class="hidden-char">
            {piece.name}
          </span>
        ),
      )}
      <MoreCharacters count={text.length - shown.length} />
    </>
  )
}

/** Shows how many characters of a text are not drawn; nothing if all are. */
export const MoreCharacters = ({ count }: { readonly count: number }) =>
  count === 0 ? null : <span class="hidden-char">{formatCount(count, 'more character')}</span>

/** Returns where a text has too many hidden characters, or its end. */
function endOf(text: string, most: number): number {
  let count = 0
  // The first group is an emoji, which is drawn as it is.
  for (const { index, 1: emoji } of text.matchAll(HIDDEN))
    if (emoji === undefined && ++count > most) return index
  return text.length
}

/**
 * Draws a path, or a sentence with paths in it, so that two different ones never look alike, as in the console. Every
 * path of a view is drawn here: `test/drawn-names.test.ts` finds others.
 *
 * @module
 */

import { cutMiddle } from '#core/cut-middle.ts'
import { sentencePieces } from '#core/quote.ts'
import { pathPieces } from '#core/visible-path.ts'
import { drawPiece, MAX_SHORT_TEXT, pluralize, SafeLine } from './safe-text.tsx'

interface Props {
  readonly text: string
}

/** Renders a path, or a part of one. */
export const SafePath = ({ text }: Props) => (
  <bdi class="filepath" dir="ltr">
    {pathPieces(text).map(drawPiece)}
  </bdi>
)

/** Renders a value from a call: all of it as a path, without the middle if it is long. */
export function ShortPath({ text }: Props) {
  const cut = cutMiddle(text, MAX_SHORT_TEXT)
  if (!cut) return <SafePath text={text} />
  return (
    <>
      <SafePath text={cut.head} />…{' '}
      <span class="note">{pluralize(cut.left, 'character')} left out</span> …
      <SafePath text={cut.tail} />
    </>
  )
}

/** Renders a sentence that the server wrote: its values, which others have chosen, apart from its words. */
export const SafeSentence = ({ text }: Props) =>
  sentencePieces(text).map((piece) =>
    typeof piece === 'string' ? <SafeLine text={piece} /> : <SafePath text={piece.value} />,
  )

/**
 * Draws a path, or a sentence with paths in it, so that two different ones never look alike. Every path of the console
 * is drawn here: `test/drawn-names.test.ts` finds others.
 *
 * @module
 */

import { cutMiddle } from '#core/cut-middle.ts'
import { sentencePieces } from '#core/quote.ts'
import { pathPieces, type PathPiece } from '#core/visible-path.ts'
import { formatCount } from './format.ts'
import { Visible } from './visible.tsx'

interface Props {
  readonly text: string
}

/** Shows a path. */
export const Path = ({ text }: Props) => (
  <code class="filepath" dir="ltr">
    <Pieces of={pathPieces(text)} />
  </code>
)

/** Most characters of a value of a call. */
const MAX_LENGTH = 400

/** Shows a value of a call as a path, without the middle if it is long: two paths can differ at either end. */
export function CallValue({ text, name }: Props & { readonly name: string }) {
  const cut = cutMiddle(text, MAX_LENGTH)
  return (
    <mark class="filepath" dir="ltr" title={name}>
      <Pieces of={pathPieces(cut ? cut.head : text)} />
      {cut && <span class="leftout">… {formatCount(cut.left, 'character')} left out …</span>}
      {cut && <Pieces of={pathPieces(cut.tail)} />}
    </mark>
  )
}

/** Shows a sentence that a person decides by: its values, which others have chosen, apart from its words. */
export const Sentence = ({ text }: Props) => (
  <span class="sentence">
    {sentencePieces(text).map((piece, index) =>
      typeof piece === 'string' ? (
        <Visible key={index} text={piece} />
      ) : piece.value.startsWith('/') ? (
        <Path key={index} text={piece.value} />
      ) : (
        <span key={index} class="claimed" dir="ltr">
          “<Pieces of={pathPieces(piece.value)} />”
        </span>
      ),
    )}
  </span>
)

/** Shows what another one wrote, so that it stays in its place: marks in a stack are named, as in paths. */
export const Quoted = ({ text }: Props) => <Pieces of={pathPieces(text)} />

const Pieces = ({ of: pieces }: { readonly of: readonly PathPiece[] }) =>
  pieces.map((piece, index) => {
    if (typeof piece === 'string') return piece
    return 'run' in piece ? (
      <bdi key={index} dir={piece.dir}>
        {piece.run}
      </bdi>
    ) : (
      <span key={index} class="hidden-char">
        {piece.name}
      </span>
    )
  })

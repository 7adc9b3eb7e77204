/** Shows sentences about permissions, with code and icons. @module */

import type { Piece, Sentence } from './config-sentences.ts'
import { Icon, type IconName } from '../ui/icons.tsx'
import { Path } from '../ui/path.tsx'

/** Shows the pieces of one sentence. */
export const Pieces = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <>
    {pieces.map((piece, index) =>
      typeof piece === 'string' ? piece : <Path key={index} text={piece.code} />,
    )}
  </>
)

const ICONS: Readonly<Record<Sentence['tone'], IconName>> = {
  may: 'check',
  not: 'lock',
  plain: 'info',
}

/** Shows sentences as a list with icons. */
export function Sentences({ list }: { readonly list: readonly Sentence[] }) {
  return (
    <ul class="sentences">
      {list.map((sentence, index) => (
        <li key={index} class={sentence.tone}>
          <Icon name={ICONS[sentence.tone]} />
          <span>
            <Pieces pieces={sentence.pieces} />
          </span>
        </li>
      ))}
    </ul>
  )
}

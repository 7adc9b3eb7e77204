/** Shows untrusted text safely: invisible and bidirectional characters appear by name. @module */

import { visiblePieces } from '#core/visible.ts'

/** Shows untrusted text. */
export function Visible({ text }: { readonly text: string }) {
  return visiblePieces(text).map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={index} class="hidden-char">
        {piece.name}
      </span>
    ),
  )
}

/** Texts of strangers in which nothing hides: what has no form, or turns text round, is named. @module */

import { visiblePieces } from '#core/visible.ts'

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

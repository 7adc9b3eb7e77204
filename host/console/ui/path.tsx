/**
 * Draws a path, so that two different paths never look alike. Every path of the console is drawn here:
 * `test/drawn-names.test.ts` finds others.
 *
 * @module
 */

import { pathPieces } from '#core/visible-path.ts'

/** Shows a path. */
export const Path = ({ text }: { readonly text: string }) => (
  <code class="filepath" dir="ltr">
    {pathPieces(text).map((piece, index) => {
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
    })}
  </code>
)

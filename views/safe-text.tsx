/** Untrusted text as children, with hidden characters made visible. @module */

import type { PathPiece } from '#core/visible-path.ts'
import { visiblePieces } from '#core/visible.ts'

/** Renders one line with its hidden characters visible. */
export function SafeLine({ text }: { readonly text: string }) {
  return visiblePieces(text).map(drawPiece)
}

/** Renders one piece of a text or of a path. */
export function drawPiece(piece: PathPiece) {
  if (typeof piece === 'string') return piece
  return 'run' in piece ? (
    <bdi dir={piece.dir}>{piece.run}</bdi>
  ) : (
    <span class="hidden-char">{piece.name}</span>
  )
}

/** Renders several lines; the parent has to preserve line breaks. */
export function SafeText({ text }: { readonly text: string }) {
  return text.split('\n').map((line, index) => (
    <>
      {index > 0 && '\n'}
      <SafeLine text={line} />
    </>
  ))
}

/** Most UTF-16 code units of a text that is shortened. */
export const MAX_SHORT_TEXT = 1_000

interface ShortTextProps {
  readonly text: string
  /** What draws the line. */
  readonly as?: typeof SafeLine
}

/** Renders a line, shortened so that it cannot push other content away. */
export function ShortText({ text, as: Line = SafeLine }: ShortTextProps) {
  if (text.length <= MAX_SHORT_TEXT) return <Line text={text} />
  return (
    <>
      <Line text={text.slice(0, MAX_SHORT_TEXT).toWellFormed()} />…{' '}
      <span class="note">{pluralize(text.length - MAX_SHORT_TEXT, 'more character')}</span>
    </>
  )
}

/** Formats a number with its noun, in the plural if needed. */
export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Untrusted text as children, with hidden characters made visible. @module */

import { visiblePieces } from '#core/visible.ts'

/** Renders one line with its hidden characters visible. */
export function SafeLine({ text }: { readonly text: string }) {
  return visiblePieces(text).map((piece) =>
    typeof piece === 'string' ? piece : <span class="hidden-char">{piece.name}</span>,
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

/** Most UTF-16 code units of a text that {@link ShortText} shows. */
const MAX_SHORT_TEXT = 1_000

/** Renders a line, shortened so that it cannot push other content away. */
export function ShortText({ text }: { readonly text: string }) {
  if (text.length <= MAX_SHORT_TEXT) return <SafeLine text={text} />
  return (
    <>
      <SafeLine text={text.slice(0, MAX_SHORT_TEXT).toWellFormed()} />…{' '}
      <span class="note">{pluralize(text.length - MAX_SHORT_TEXT, 'more character')}</span>
    </>
  )
}

/** Formats a number with its noun, in the plural if needed. */
export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

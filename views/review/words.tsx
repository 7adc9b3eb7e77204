/** Untrusted text as children, with hidden characters made visible and values marked. @module */

import { visiblePieces } from '#core/visible.ts'
import type { Sentence } from './intent.ts'

/** Renders a line with its hidden characters visible. */
export function Visible({ text }: { readonly text: string }) {
  return visiblePieces(text).map((piece) =>
    typeof piece === 'string' ? piece : <span class="hidden-char">{piece.name}</span>,
  )
}

/** Renders several lines; the parent has to preserve line breaks. */
export function Passage({ text }: { readonly text: string }) {
  return text.split('\n').map((line, index) => (
    <>
      {index > 0 && '\n'}
      <Visible text={line} />
    </>
  ))
}

/** Most UTF-16 code units of an intent or a value that are shown. */
const MOST_SHOWN = 1_000

/** Renders a text, shortened so that it cannot push other content away. */
export function Shortened({ text }: { readonly text: string }) {
  if (text.length <= MOST_SHOWN) return <Visible text={text} />
  return (
    <>
      <Visible text={text.slice(0, MOST_SHOWN).toWellFormed()} />…{' '}
      <span class="note">{counted(text.length - MOST_SHOWN, 'more character')}</span>
    </>
  )
}

/** Renders an intent, with its values marked. */
export function Intent({ sentence }: { readonly sentence: Sentence }) {
  return sentence.map((part) =>
    part.type === 'text' ? (
      <Shortened text={part.text} />
    ) : (
      <span class={part.type}>
        <Shortened text={part.text} />
      </span>
    ),
  )
}

/** Formats a number with its noun, in the plural if needed. */
export function counted(number: number, thing: string): string {
  return `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`
}

/** Number of changed lines. */
export interface LineCounts {
  readonly added: number
  readonly removed: number
}

/** Renders the number of added and removed lines. */
export function Counts({ added, removed }: LineCounts) {
  return (
    <span class="counts">
      {added > 0 && <Count of={added} sign="+" name="a" says="added" />}
      {removed > 0 && <Count of={removed} sign="−" name="r" says="removed" />}
    </span>
  )
}

interface CountProps {
  readonly of: number
  readonly sign: string
  readonly name: string
  readonly says: string
}

function Count({ of, sign, name, says }: CountProps) {
  return (
    <span class={name}>
      <span aria-hidden="true">
        {sign}
        {of.toLocaleString('en')}
      </span>
      <span class="visually-hidden">
        {' '}
        {counted(of, 'line')} {says}
      </span>
    </span>
  )
}

/** Texts of strangers as children: nothing hidden in them, and values told from words. @module */

import { visiblePieces } from '#core/visible.ts'
import type { Sentence } from './intent.ts'

export function Visible({ text }: { readonly text: string }) {
  return visiblePieces(text).map((piece) =>
    typeof piece === 'string' ? piece : <span class="hidden-char">{piece.name}</span>,
  )
}

/** Several lines, in a place that keeps their breaks. */
export function Passage({ text }: { readonly text: string }) {
  return text.split('\n').map((line, index) => (
    <>
      {index > 0 && '\n'}
      <Visible text={line} />
    </>
  ))
}

/** UTF-16 code units of a sentence or of one value that are shown. */
const MOST_SHOWN = 1_000

/** Text that is cut where it would push everything else away. */
export function Shortened({ text }: { readonly text: string }) {
  if (text.length <= MOST_SHOWN) return <Visible text={text} />
  return (
    <>
      <Visible text={text.slice(0, MOST_SHOWN).toWellFormed()} />…{' '}
      <span class="note">{counted(text.length - MOST_SHOWN, 'more character')}</span>
    </>
  )
}

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

/** A number with what it counts. */
export function counted(number: number, thing: string): string {
  return `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`
}

export interface LineCounts {
  readonly added: number
  readonly removed: number
}

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

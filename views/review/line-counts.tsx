/** Numbers of added and removed lines, as signs and as text for assistive technology. @module */

import { pluralize } from '../safe-text.tsx'

export interface LineCountsProps {
  readonly added: number
  readonly removed: number
}

/** Renders the number of added and removed lines; a number of zero is left out. */
export function LineCounts({ added, removed }: LineCountsProps) {
  return (
    <span class="counts">
      {added > 0 && <Count value={added} sign="+" name="a" verb="added" />}
      {removed > 0 && <Count value={removed} sign="−" name="r" verb="removed" />}
    </span>
  )
}

interface CountProps {
  readonly value: number
  readonly sign: string
  /** The class of the element. */
  readonly name: string
  readonly verb: string
}

function Count({ value, sign, name, verb }: CountProps) {
  return (
    <span class={name}>
      <span aria-hidden="true">
        {sign}
        {value.toLocaleString('en')}
      </span>
      <span class="visually-hidden">
        {' '}
        {pluralize(value, 'line')} {verb}
      </span>
    </span>
  )
}

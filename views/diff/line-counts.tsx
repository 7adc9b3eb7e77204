/**
 * Numbers of added and removed lines, as signs and as text for assistive technology. The console and the review view
 * share them. `test/views/review/review.test.ts` reads them.
 *
 * @module
 */

import { pluralize } from '../safe-text.tsx'

interface Props {
  readonly added: number
  readonly removed: number
}

/** Shows the numbers that are not zero. */
export const LineCounts = ({ added, removed }: Props) => (
  <span class="linecounts">
    {added > 0 && <Count value={added} sign="+" verb="added" />}
    {removed > 0 && <Count value={removed} sign="−" verb="removed" />}
  </span>
)

const Count = (props: { readonly value: number; readonly sign: string; readonly verb: string }) => (
  <span class={props.verb}>
    <span aria-hidden="true">
      {props.sign}
      {props.value.toLocaleString('en')}
    </span>
    <span class="spoken">
      {' '}
      {pluralize(props.value, 'line')} {props.verb}{' '}
    </span>
  </span>
)

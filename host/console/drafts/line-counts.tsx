/** Numbers of added and removed lines, as signs and as text for assistive technology. @module */

import { formatCount, formatNumber } from '../ui/format.ts'

interface Props {
  readonly added: number
  readonly removed: number
}

/** Shows the numbers that are not zero. */
export const LineCounts = ({ added, removed }: Props) => (
  <span class="linecounts numbers">
    {added > 0 && <Count value={added} sign="+" verb="added" />}
    {removed > 0 && <Count value={removed} sign="−" verb="removed" />}
  </span>
)

const Count = (props: { readonly value: number; readonly sign: string; readonly verb: string }) => (
  <span class={props.verb}>
    <span aria-hidden="true">
      {props.sign}
      {formatNumber(props.value)}
    </span>
    <span class="unseen">
      {formatCount(props.value, 'line')} {props.verb}{' '}
    </span>
  </span>
)

/** A list of changes: each with its author and time, and links to the diff and undo; one row for each approval. @module */

import { ActorName } from '../ui/claimed-name.tsx'
import { formatUntil } from '../ui/format.ts'
import { ApprovedChanges } from './approved-changes.tsx'
import {
  touchesFiles,
  nameApprover,
  describeChange,
  groupApproved,
  type Change,
} from './changes.ts'
import { linkTo } from '../shell/route.ts'
import { features } from '../connect/workspace.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Sentence } from '../ui/path.tsx'
import { When } from '../ui/parts.tsx'
import { undo } from './undo.tsx'

interface Props {
  readonly changes: readonly Change[]
  /** More changes of the history, to find the one that an undo names. */
  readonly among?: readonly Change[]
  /** Most rows that are shown; default all. */
  readonly most?: number
  /** Whether the history has older changes than those. */
  readonly hasOlder?: boolean
  /** Whether each change has a row of its own, although it was approved with others. */
  readonly isFlat?: boolean
}

/** Shows changes as a list. Those that were approved together are one row. */
export function Changes({ changes, among = changes, most, hasOlder = false, isFlat }: Props) {
  const rows = isFlat ? changes : groupApproved(changes)
  const oldest = among.at(-1)?.approval ?? null
  return (
    <ol class="changes">
      {rows.slice(0, most).map((row) =>
        'changes' in row ? (
          <ApprovedChanges
            key={row.approval}
            approved={row}
            isCut={hasOlder && row.approval === oldest}
          >
            <Changes changes={row.changes} among={among} isFlat />
          </ApprovedChanges>
        ) : (
          <Entry
            key={`${row.id}-${row.version}`}
            change={row}
            sentence={describeChange(row, among)}
          />
        ),
      )}
    </ol>
  )
}

interface EntryProps {
  readonly change: Change
  readonly sentence: string
}

function Entry({ change, sentence }: EntryProps) {
  const { id, tool, at, actor, version, approvedBy, trust } = change
  return (
    <li>
      <a href={linkTo(['activity', tool, id])}>
        <Sentence text={sentence} />
      </a>
      <span class="by">
        <ActorName actor={actor} /> · <When at={at} /> ·{' '}
        {trust !== undefined && `passed by trust until ${formatUntil(trust)} · `}
        {approvedBy !== null && `approved by ${nameApprover(approvedBy)} · `}
        <span class="numbers">#{version}</span>
      </span>
      {features.value.undo && touchesFiles(change) && (
        <DecisionButton
          shown={id}
          look="quiet small"
          named={{ 'aria-label': `Undo: ${sentence}` }}
          onDecide={() => undo(change, sentence)}
        >
          <Icon name="undo" /> Undo
        </DecisionButton>
      )}
    </li>
  )
}

/** A list of changes: each with its author and time, and links to the diff and undo. @module */

import { ActorName } from '../ui/claimed-name.tsx'
import { touchesFiles, nameApprover, describeChange, type Change } from './changes.ts'
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
  /** The id of the open change. */
  readonly open?: string | undefined
}

/** Shows changes as a list. */
export function Changes({ changes, among = changes, open }: Props) {
  return (
    <ol class="changes">
      {changes.map((change) => (
        <Entry
          key={`${change.id}-${change.version}`}
          change={change}
          sentence={describeChange(change, among)}
          isOpen={change.id === open}
        />
      ))}
    </ol>
  )
}

interface EntryProps {
  readonly change: Change
  readonly sentence: string
  readonly isOpen: boolean
}

function Entry({ change, sentence, isOpen }: EntryProps) {
  const { id, tool, at, actor, version, approvedBy } = change
  return (
    <li class={isOpen ? 'open' : ''}>
      <a href={linkTo(['activity', tool, id])} aria-current={isOpen ? 'true' : undefined}>
        <Sentence text={sentence} />
      </a>
      <span class="by">
        <ActorName actor={actor} /> · <When at={at} /> ·{' '}
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

/** A list of changes: what was done, by whom and when, with links to the diff and undo. @module */

import { isDeed, nameOf, sentenceOf, type Change } from '../state/changes.ts'
import { linkTo } from '../state/route.ts'
import { offers } from '../state/workspace.ts'
import { Icon } from './icons.tsx'
import { Marked } from './marked.tsx'
import { When } from './parts.tsx'
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
          sentence={sentenceOf(change, among)}
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
  const { id, tool, at, actor, version } = change
  return (
    <li class={isOpen ? 'open' : ''}>
      <a href={linkTo(['activity', tool, id])} aria-current={isOpen ? 'true' : undefined}>
        <Marked text={sentence} />
      </a>
      <span class="by">
        {nameOf(actor)} · <When at={at} /> · <span class="numbers">#{version}</span>
      </span>
      {offers.value.undo && isDeed(change) && (
        <button
          type="button"
          class="button quiet small"
          aria-label={`Undo: ${sentence}`}
          onClick={() => undo(change, sentence)}
        >
          <Icon name="undo" /> Undo
        </button>
      )}
    </li>
  )
}

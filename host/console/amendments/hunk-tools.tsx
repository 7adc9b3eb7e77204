/** The button that leaves a hunk of a draft out, or takes it again, and the words for a hunk that is left out. @module */

import type { HunkFrame } from '#views/diff/file-lines.tsx'
import { Icon } from '../ui/icons.tsx'
import { LEFT_OUT, nameHunk } from './words.ts'

interface Props {
  readonly at: number
  readonly count: number
  readonly isLeftOut: boolean
  /** Whether Tab stops at the button. */
  readonly isTabStop: boolean
  readonly onToggle: () => void
}

/** Returns what is drawn around a hunk. */
export const frameHunk = (props: Props): HunkFrame => ({
  label: nameHunk(props.at, props.count, props.isLeftOut),
  look: props.isLeftOut ? 'hunkout' : '',
  head: <HunkTools {...props} />,
})

function HunkTools({ at, count, isLeftOut, isTabStop, onToggle }: Props) {
  return (
    <div class="hunktools">
      <span class="hunkoutnote" role="status">
        {isLeftOut && LEFT_OUT}
      </span>
      <button
        type="button"
        class="button small"
        data-leave-out
        tabIndex={isTabStop ? 0 : -1}
        onClick={onToggle}
      >
        <Icon name={isLeftOut ? 'undo' : 'cross'} />
        {isLeftOut ? 'Take again' : 'Leave out'}
        <span class="unseen"> {nameHunk(at, count, false)}</span>
      </button>
    </div>
  )
}

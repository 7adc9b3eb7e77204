/**
 * The bar of a draft: approve or turn down all of it, or the selected files. Its buttons accept only real clicks
 * and key presses, half a second after what they decide on is shown.
 *
 * @module
 */

import { byHand } from '../ui/by-hand.ts'
import { formatCount, formatNumber } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { useSettled } from '../ui/settled.ts'
import { chooseAll, countChanges, countFiles } from './groups.ts'
import type { PartProps } from './proposed-changes.tsx'
import { askForNote, TurnDown } from './turn-down.tsx'
import { UnseenQuestion } from './unseen.tsx'

/** Shows the buttons for all changes or, while files are selected, for those. */
export function DecisionBar(props: PartProps) {
  const isAll = props.draft.selected.size === 0
  return (
    <section class="decisionbar" aria-label="Decision">
      {isAll ? <All key="all" {...props} /> : <Selected key="selected" {...props} />}
      <TurnDown />
      <UnseenQuestion />
    </section>
  )
}

function All({ draft, contents, groups }: PartProps) {
  const { changes, changesLeft, revision } = contents
  const total = changes.length + changesLeft
  const own = countChanges(groups.single, groups)
  const isPart = own > 0
  const fitting = total - own
  return (
    <>
      <p class="small faint">
        {isPart
          ? formatCount(own, 'change needs its own decision.', 'changes need their own decisions.')
          : 'Nothing is selected.'}
      </p>
      <Buttons
        draft={draft}
        revision={revision}
        canApprove={chooseAll(groups) !== null}
        approveLabel={
          isPart && fitting > 0 ? `Approve the other ${formatNumber(fitting)}` : 'Approve all'
        }
        turnDownLabel="Turn down all…"
        onApprove={() => void draft.approveAll()}
        onTurnDown={() =>
          askForNote({ count: total, send: (note) => draft.decide('turn-down', {}, note) })
        }
      />
    </>
  )
}

function Selected({ draft, contents, groups }: PartProps) {
  const { selected } = draft
  const choice = { groups: [...selected] }
  const count = countChanges(selected, groups)
  return (
    <>
      <p class="small" role="status">
        {formatCount(countFiles(contents.files, selected), 'file')}
        {contents.filesLeft > 0 && ' or more'} selected{' '}
        <button type="button" class="button quiet small" onClick={draft.clear}>
          Clear
        </button>
      </p>
      <Buttons
        draft={draft}
        revision={contents.revision}
        canApprove
        approveLabel="Approve selected"
        turnDownLabel="Turn down selected…"
        onApprove={() => void draft.approveGroups(choice.groups)}
        onTurnDown={() =>
          askForNote({ count, send: (note) => draft.decide('turn-down', choice, note) })
        }
      />
    </>
  )
}

interface ButtonsProps extends Pick<PartProps, 'draft'> {
  /** The revision that is shown. */
  readonly revision: string
  readonly canApprove: boolean
  readonly approveLabel: string
  readonly turnDownLabel: string
  readonly onApprove: () => void
  readonly onTurnDown: () => void
}

function Buttons(props: ButtonsProps) {
  const { draft, revision, canApprove, approveLabel, turnDownLabel } = props
  const isSettled = useSettled(revision)
  const isOff = !isSettled || draft.isBusy
  return (
    <div class="row">
      <button
        type="button"
        class="button danger"
        data-turn-down
        aria-disabled={isOff}
        onClick={byHand(() => {
          if (!isOff) props.onTurnDown()
        })}
      >
        {turnDownLabel}
      </button>
      <button
        type="button"
        class="button primary"
        data-approve
        aria-disabled={isOff || !canApprove}
        onClick={byHand(() => {
          if (!isOff && canApprove) props.onApprove()
        })}
      >
        <Icon name="check" /> {approveLabel}
      </button>
    </div>
  )
}

/**
 * The bar of a draft: approve or turn down all of it, or the selected files.
 *
 * @module
 */

import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount, formatNumber } from '../ui/format.ts'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { countMarks } from '../amendments/words.ts'
import { countAmendedFiles, countLost, nameAmendments, nameDraft } from '../amendments/work.ts'
import { Icon } from '../ui/icons.tsx'
import { chooseAll, countChanges, countFiles } from './groups.ts'
import type { PartProps } from './proposed-changes.tsx'
import type { ShownMarks } from './use-marks.ts'
import { askForNote, TurnDown } from './turn-down.tsx'
import { UnseenQuestion } from './unseen.tsx'

interface Props extends PartProps {
  readonly marks: ShownMarks
}

/**
 * Shows the buttons for all changes or, while files are selected, for those, in another place: a press that is meant for
 * the selected ones never approves all.
 */
export function DecisionBar(props: Props) {
  const isAll = props.draft.selected.size === 0
  return (
    <section class="decisionbar" aria-label="Decision">
      <NoticeLine draft={props.draft} />
      {isAll ? <All key="all" {...props} /> : <Selected key="selected" {...props} />}
      <TurnDown />
      <UnseenQuestion />
    </section>
  )
}

/** What the person has to know before the next decision, beside the buttons that wait for it. */
function NoticeLine({ draft: { notice, reload, goOn } }: Pick<PartProps, 'draft'>) {
  if (notice === null) return null
  return (
    <div class="noticeline">
      <p role="alert">{notice.text}</p>
      {notice.is === 'old' && (
        <button type="button" class="button small" onClick={reload}>
          Show the current state
        </button>
      )}
      {notice.is === 'rest' && (
        <button type="button" class="button small" onClick={goOn}>
          Decide on the rest
        </button>
      )}
    </div>
  )
}

function All({ draft, contents, groups, marks }: Props) {
  const { changes, changes_left_out } = contents
  const total = changes.length + changes_left_out
  const own = countChanges(groups.single, groups)
  const isPart = own > 0
  const fitting = total - own
  const files = contents.files.filter(({ group }) => !groups.single.has(group))
  return (
    <>
      <p class="small faint">
        {isPart
          ? formatCount(own, 'change needs its own decision.', 'changes need their own decisions.')
          : 'Nothing is selected.'}
      </p>
      <Buttons
        draft={draft}
        contents={contents}
        isOff={draft.notice?.is === 'rest'}
        canApprove={chooseAll(groups) !== null}
        approveLabel={
          isPart && fitting > 0 ? `Approve the other ${formatNumber(fitting)}` : 'Approve all'
        }
        files={files}
        unviewed={contents.files_left_out + marks.countUnviewed(files)}
        turnDownLabel="Turn down all…"
        onApprove={() => void draft.approveAll()}
        onTurnDown={() =>
          askForNote({
            count: total,
            lost: countLost(nameDraft(contents.id), contents.files),
            send: (note) => draft.decide('turn-down', {}, note),
          })
        }
      />
    </>
  )
}

function Selected({ draft, contents, groups, marks }: Props) {
  const { selected } = draft
  const choice = { groups: [...selected] }
  const count = countChanges(selected, groups)
  const files = contents.files.filter(({ group }) => selected.has(group))
  return (
    <>
      <Buttons
        draft={draft}
        contents={contents}
        canApprove
        approveLabel="Approve selected"
        files={files}
        unviewed={marks.countUnviewed(files)}
        turnDownLabel="Turn down selected…"
        onApprove={() => void draft.approveGroups(choice.groups)}
        onTurnDown={() =>
          askForNote({
            count,
            lost: countLost(nameDraft(contents.id), files),
            send: (note) => draft.decide('turn-down', choice, note),
          })
        }
      />
      <p class="small" role="status">
        {formatCount(countFiles(contents.files, selected), 'file')}
        {contents.files_left_out > 0 && ' or more'} selected{' '}
        <button type="button" class="button quiet small" onClick={draft.clear}>
          Clear
        </button>
      </p>
    </>
  )
}

interface ButtonsProps extends Pick<PartProps, 'draft'> {
  readonly contents: PartProps['contents']
  /** The files that an approval is of. */
  readonly files: readonly ChangedFile[]
  readonly isOff?: boolean
  readonly canApprove: boolean
  readonly approveLabel: string
  readonly turnDownLabel: string
  /** The number of its files that were not viewed. */
  readonly unviewed: number
  readonly onApprove: () => void
  readonly onTurnDown: () => void
}

function Buttons(props: ButtonsProps) {
  const { draft, contents, files, canApprove, approveLabel, turnDownLabel, unviewed } = props
  const { id, revision } = contents
  const amended = countAmendedFiles(nameDraft(id), files)
  const isOff = draft.isOff || props.isOff === true
  return (
    <div class="row">
      <DecisionButton
        shown={revision}
        look="danger"
        named={{ 'data-turn-down': true }}
        isOff={isOff}
        onDecide={props.onTurnDown}
      >
        {turnDownLabel}
      </DecisionButton>
      <DecisionButton
        shown={`${revision} ${nameAmendments(nameDraft(id), files)}`}
        look="primary"
        named={{ 'data-approve': true }}
        isOff={isOff || !canApprove}
        onDecide={props.onApprove}
      >
        <Icon name="check" /> {approveLabel}
        <small class="unviewed">{countMarks({ amended, unviewed })}</small>
      </DecisionButton>
    </div>
  )
}

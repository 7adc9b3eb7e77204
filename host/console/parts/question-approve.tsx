/** The dialog that asks whether a call may be made, with its preview if there is one. @module */

import { changeOf } from '../../connection/facts.ts'
import { NoButton, YesButton } from './answer-buttons.tsx'
import { Modal } from './modal.tsx'
import { Note } from './parts.tsx'
import { About, type Of } from './question-about.tsx'
import { Review } from './review.tsx'
import { Visible } from './visible.tsx'

/** Asks for approval of a call. */
export function Approve({ one: { asker, question, answer } }: Of<'approve'>) {
  const { preview, previewProblem, stale } = question
  const review = preview && changeOf(preview)?.review
  return (
    <Modal
      role="alertdialog"
      wide={!!review}
      title={<Visible text={`Shall “${question.title}” be done?`} />}
      intro="Nothing has been changed yet."
      onClose={() => answer(false)}
      foot={
        <>
          <NoButton onNo={() => answer(false)}>Deny</NoButton>
          <YesButton onYes={() => answer(true)}>
            {review ? 'Apply what is shown' : 'Allow'}
          </YesButton>
        </>
      }
    >
      {stale && (
        <Note tone="warning" title="The files have changed since the last preview.">
          This is a new one.
        </Note>
      )}
      <About asker={asker} subject={question} />
      {previewProblem && <Note tone="warning">There is no preview: {previewProblem.message}</Note>}
      {review && <Review uri={review} title={question.title} result={preview} />}
    </Modal>
  )
}

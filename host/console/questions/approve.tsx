/** The dialog that asks whether a call may be made, with its preview if there is one. @module */

import { quoteName } from '#core/quote.ts'
import { useEffect, useState } from 'preact/hooks'
import { changeOf } from '../../mcp/tool-facts.ts'
import { NoButton, type QuestionProps, QuestionSubject, YesButton } from './dialog.tsx'
import { Modal } from '../ui/modal.tsx'
import { Note } from '../ui/parts.tsx'
import { Review } from '../activity/review.tsx'
import { Sentence } from '../ui/path.tsx'

/** Longest time in milliseconds that Allow waits for the preview to be drawn. */
const MAX_DRAWING_MS = 15_000

/** Asks for approval of a call, which can be allowed once its preview is drawn. */
export function ApprovalDialog({ one: { asker, question, answer } }: QuestionProps<'approve'>) {
  const { preview, previewProblem, stale } = question
  const review = preview && changeOf(preview)?.review
  const [isDrawn, setDrawn] = useState(!review)
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(true), MAX_DRAWING_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Modal
      role="alertdialog"
      wide={!!review}
      title={<Sentence text={`Allow ${quoteName(question.title)}?`} />}
      intro="Nothing has been changed yet."
      onClose={() => answer(false)}
      foot={
        <>
          <NoButton onNo={() => answer(false)}>Deny</NoButton>
          <YesButton onYes={() => answer(true)} disabled={!isDrawn}>
            {review ? 'Apply this preview' : 'Allow'}
          </YesButton>
        </>
      }
    >
      {stale && (
        <Note tone="warning" title="The files have changed since the last preview.">
          This is a new preview.
        </Note>
      )}
      <QuestionSubject asker={asker} subject={question} isPreviewed={!!review} />
      {previewProblem && <Note tone="warning">No preview: {previewProblem.message}</Note>}
      {review && (
        <Review
          uri={review}
          title={question.title}
          result={preview}
          onDrawn={() => setDrawn(true)}
        />
      )}
    </Modal>
  )
}

/**
 * Shows the questions as dialogs, one at a time. App frames cannot reach them, and Escape declines.
 *
 * @module
 */

import { Fragment } from 'preact'
import { queue, type QueuedQuestion } from './queue.ts'
import { CallStatement, NoButton, type QuestionProps, YesButton } from './dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { ApprovalDialog } from './approve.tsx'
import { ReadRequest } from './read-request.tsx'
import { ScopeRequest } from './scope-request.tsx'
import { ElicitationDialog } from './elicitation.tsx'
import { SamplingDialog } from './sampling.tsx'
import { Sentence } from '../ui/path.tsx'

/** Shows the first question in the queue, and above it the first one of an app in its dialog. */
export function Questions() {
  const [first, ...others] = queue.value
  const above = others.find((one) => first?.kind === 'server' && isOfDialog(one))
  return [first, above].map((one) => one && <Question key={one.id} one={one} />)
}

const isOfDialog = (one: QueuedQuestion) => 'asker' in one && one.asker.isInDialog === true

function Question({ one }: { readonly one: QueuedQuestion }) {
  switch (one.kind) {
    case 'approve':
      return <ApprovalDialog one={one} />
    case 'read':
      return <ReadRequest one={one} />
    case 'grant':
      return <ScopeRequest one={one} />
    case 'server':
      return <ElicitationDialog one={one} />
    case 'sampling':
      return <SamplingDialog one={one} />
    case 'yes':
      return <ConfirmDialog one={one} />
  }
}

function ConfirmDialog({ one: { question, answer } }: QuestionProps<'yes'>) {
  const { title, text, detail, subject, yes, danger = false } = question
  return (
    <Modal
      role="alertdialog"
      title={<Sentence text={title} />}
      intro={<Sentence text={text} />}
      onClose={() => answer(false)}
      foot={
        <>
          <NoButton onNo={() => answer(false)}>Cancel</NoButton>
          <YesButton onYes={() => answer(true)} danger={danger}>
            {danger && <Icon name="trash" />} {yes}
          </YesButton>
        </>
      }
    >
      {subject && <CallStatement subject={subject} />}
      {detail !== undefined && (
        <pre class="plainbox">
          {detail.split('\n').map((line, index) => (
            <Fragment key={index}>
              {index > 0 && '\n'}
              <Sentence text={line} />
            </Fragment>
          ))}
        </pre>
      )}
    </Modal>
  )
}

/**
 * Shows the questions as dialogs, one at a time. App frames cannot reach them, and Escape declines.
 *
 * @module
 */

import { waiting, type Waiting } from '../state/questions.ts'
import { NoButton, YesButton } from './answer-buttons.tsx'
import { Icon } from './icons.tsx'
import { Modal } from './modal.tsx'
import type { Of } from './question-about.tsx'
import { Approve } from './question-approve.tsx'
import { Grant } from './question-grant.tsx'
import { ServerQuestion } from './question-server.tsx'
import { Visible } from './visible.tsx'

/** Shows the first question in the queue. */
export function Questions() {
  const first = waiting.value[0]
  return first ? <Question key={first.id} one={first} /> : null
}

function Question({ one }: { readonly one: Waiting }) {
  switch (one.kind) {
    case 'approve':
      return <Approve one={one} />
    case 'grant':
      return <Grant one={one} />
    case 'server':
      return <ServerQuestion one={one} />
    case 'yes':
      return <Yes one={one} />
  }
}

function Yes({ one: { question, answer } }: Of<'yes'>) {
  const { title, text, detail, yes, danger = false } = question
  return (
    <Modal
      role="alertdialog"
      title={<Visible text={title} />}
      intro={<Visible text={text} />}
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
      {detail !== undefined && (
        <pre class="plainbox">
          <Visible text={detail} />
        </pre>
      )}
    </Modal>
  )
}

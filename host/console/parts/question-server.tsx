/**
 * The dialogs of an elicitation: a form, or a page to visit. The server is named by its host,
 * because everything else that it declares is untrusted.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { isRecord } from '#core/json.ts'
import { formModel } from '../../forms/model.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { formOf, proposedAnswer } from '../state/answer-form.ts'
import { openPage, webAddress } from '../state/open-link.ts'
import { waiting } from '../state/questions.ts'
import { NoButton, YesButton } from './answer-buttons.tsx'
import { Modal } from './modal.tsx'
import { Note } from './parts.tsx'
import type { Of } from './question-about.tsx'
import { Visible } from './visible.tsx'

/** Asks a question of the server. */
export function ServerQuestion({ one }: Of<'server'>) {
  return one.question.mode === 'url' ? <PageQuestion one={one} /> : <FormQuestion one={one} />
}

const PREFIX = 'question'

function FormQuestion({ one: { server, question, answer } }: Of<'server'>) {
  const { message } = question
  const [schema] = useState(() => question.schema && formOf(question.schema))
  const [value, setValue] = useState<unknown>(() => (schema ? proposedAnswer(schema) : {}))
  const [isValid, setValid] = useState(() => !schema || formModel(schema, value).valid)
  const [showsAll, setShowsAll] = useState(false)
  const accept = () => {
    if (isValid) return answer({ action: 'accept', content: isRecord(value) ? value : {} })
    setShowsAll(true)
    // The fields show their problems after the next render.
    requestAnimationFrame(focusOnFault)
  }
  return (
    <Modal
      title={<>{server} asks you something</>}
      intro={<Visible text={message} />}
      onClose={() => answer({ action: 'cancel' })}
      foot={
        <>
          <More />
          <NoButton onNo={() => answer({ action: 'decline' })}>Decline</NoButton>
          <YesButton onYes={accept}>Send the answer</YesButton>
        </>
      }
    >
      {schema && (
        <SchemaForm
          schema={schema}
          value={value}
          idPrefix={PREFIX}
          label="Your answer"
          showProblems={showsAll ? 'all' : 'touched'}
          onChange={(next, valid) => {
            setValue(next)
            setValid(valid)
          }}
        />
      )}
      <p class="faint small">
        What you answer goes to {server}. Give no password, and nothing that it need not know.
      </p>
    </Modal>
  )
}

function focusOnFault(): void {
  const form = document.querySelector('dialog[open] .sf')
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

function PageQuestion({ one: { server, question, answer } }: Of<'server'>) {
  const { url, message } = question
  const page = url === null ? null : webAddress(url)
  const accept = () => {
    if (!page) return
    openPage(page)
    answer({ action: 'accept', content: {} })
  }
  return (
    <Modal
      title={<>{server} asks you to visit a page</>}
      intro={<Visible text={message} />}
      onClose={() => answer({ action: 'cancel' })}
      foot={
        <>
          <More />
          <NoButton onNo={() => answer({ action: 'decline' })}>Decline</NoButton>
          <YesButton onYes={accept} disabled={!page}>
            Open the page
          </YesButton>
        </>
      }
    >
      <Destination url={url ?? ''} page={page} />
    </Modal>
  )
}

/** Shows how many other questions are waiting. */
function More() {
  const others = waiting.value.length - 1
  if (others === 0) return null
  return (
    <p class="faint small">{others === 1 ? 'One more question waits.' : `${others} more wait.`}</p>
  )
}

interface DestinationProps {
  readonly url: string
  readonly page: URL | null
}

/** Shows where a link leads, the host first, because the rest of an address can imitate one. */
const Destination = ({ url, page }: DestinationProps) =>
  page ? (
    <Note tone="warning" title={`A page of ${page.host} opens in another tab:`}>
      <code>{page.href}</code>
    </Note>
  ) : (
    <Note tone="danger" title="This is no address of a web page, so it is not opened:">
      <code>
        <Visible text={url} />
      </code>
    </Note>
  )

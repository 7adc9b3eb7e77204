/**
 * The dialogs of an elicitation: a form, or a page to visit. The server is named by its host,
 * because everything else that it declares is untrusted.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { formModel } from '../../forms/model.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { openPage, parseWebAddress } from '../apps/open-link.ts'
import { AppQuestion } from './app-question.tsx'
import { NoButton, OtherQuestions, YesButton, type QuestionProps } from './dialog.tsx'
import { Modal } from '../ui/modal.tsx'
import { Note } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { readDefaults } from '../rules/config-diff.ts'

/** Asks a question of the server; an app that shows it gives way to the form if it fails. */
export function ElicitationDialog({ one }: QuestionProps<'server'>) {
  const [fault, setFault] = useState<string | null>(null)
  if (one.question.mode === 'url') return <PageQuestion one={one} />
  const { app } = one.question
  if (app === null || fault !== null) return <FormQuestion one={one} fault={fault ?? ''} />
  return <AppQuestion one={one} uri={app} onFail={setFault} />
}

const PREFIX = 'question'

interface FormProps extends QuestionProps<'server'> {
  /** Why an app does not show the question; empty if none was to show it, or the person chose the form. */
  readonly fault: string
}

function FormQuestion({ one: { server, question, answer }, fault }: FormProps) {
  const { message } = question
  const [schema] = useState(() => question.schema && prepareForm(question.schema))
  const [value, setValue] = useState<unknown>(() => (schema ? readDefaults(schema) : {}))
  const [isValid, setValid] = useState(() => !schema || formModel(schema, value).valid)
  const [showsAll, setShowsAll] = useState(false)
  const accept = () => {
    if (isValid) return answer({ action: 'accept', content: isRecord(value) ? value : {} })
    setShowsAll(true)
    // The fields show their problems after the next render.
    requestAnimationFrame(focusInvalidField)
  }
  return (
    <Modal
      title={<>{server} asks you for information</>}
      intro={<Visible text={message} />}
      asksToDiscard="if-edited"
      onClose={() => answer({ action: 'cancel' })}
      foot={
        <>
          <OtherQuestions />
          <NoButton onNo={() => answer({ action: 'decline' })}>Decline</NoButton>
          <YesButton onYes={accept}>Send the answer</YesButton>
        </>
      }
    >
      {fault !== '' && <Note tone="warning">{fault}</Note>}
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
        Your answer is sent to {server}. Do not enter passwords or other secrets.
      </p>
    </Modal>
  )
}

function focusInvalidField(): void {
  const form = document.querySelector('dialog[open] .sf')
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

function PageQuestion({ one: { server, question, answer } }: QuestionProps<'server'>) {
  const { url, message } = question
  const page = url === null ? null : parseWebAddress(url)
  const accept = () => {
    if (!page) return
    openPage(page)
    answer({ action: 'accept', content: {} })
  }
  return (
    <Modal
      title={<>{server} asks you to open a page</>}
      intro={<Visible text={message} />}
      onClose={() => answer({ action: 'cancel' })}
      foot={
        <>
          <OtherQuestions />
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
    <Note tone="danger" title="Not a web address, so it cannot be opened:">
      <code>
        <Visible text={url} />
      </code>
    </Note>
  )

/** Marks the lists of a schema as sets, so that the form shows them as choices. */
function prepareForm(schema: JsonRecord): JsonRecord {
  const properties = Object.entries(recordOf(schema['properties']))
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, field]) => [name, markAsSet(field)])),
  }
}

const markAsSet = (field: unknown) =>
  isRecord(field) && field['type'] === 'array' ? { ...field, uniqueItems: true } : field

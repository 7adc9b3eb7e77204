/** What a server wants to know, as a form, or as a page to visit. @module */

import { useState } from 'preact/hooks'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { isRecord } from '../state/storage.ts'
import { NoButton, YesButton } from './answer-buttons.tsx'
import { Modal } from './modal.tsx'
import { Note } from './parts.tsx'
import type { Of } from './question-about.tsx'

export function ServerQuestion({ one: { question, answer } }: Of<'server'>) {
  const [value, setValue] = useState<unknown>({})
  const [isValid, setValid] = useState(question.schema === null)
  const { url, schema, message } = question
  const accept = () => {
    if (url !== null) window.open(url, '_blank', 'noopener,noreferrer')
    answer({ action: 'accept', content: isRecord(value) ? value : {} })
  }
  return (
    <Modal
      title="The server asks you something"
      intro={message}
      onClose={() => answer({ action: 'cancel' })}
      foot={
        <>
          <NoButton onNo={() => answer({ action: 'decline' })}>Decline</NoButton>
          <YesButton onYes={accept} disabled={!isValid}>
            {url === null ? 'Answer' : 'Open the page'}
          </YesButton>
        </>
      }
    >
      {url !== null && (
        <Note tone="warning" title="This opens in another tab:">
          <code>{url}</code>
        </Note>
      )}
      {schema && (
        <SchemaForm
          schema={schema}
          value={value}
          idPrefix="question"
          onChange={(next, valid) => {
            setValue(next)
            setValid(valid)
          }}
        />
      )}
    </Modal>
  )
}

/** The dialog that asks whether an app may read with a tool, until the app is closed. @module */

import { quoteName } from '#core/quote.ts'
import { useState } from 'preact/hooks'
import type { ReadQuestion } from '../../consent/types.ts'
import { Checkbox } from '../ui/fields.tsx'
import { truncate } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import { Note } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'
import {
  NoButton,
  QuestionSubject,
  VisibleLines,
  YesButton,
  type QuestionProps,
} from './dialog.tsx'
import type { AppReadQuestion } from './queue.ts'

/** Most characters of a description that are shown. */
const MAX_DESCRIPTION = 2_000

/** Why it is a read. What the server claims, nothing here can check. */
const CLAIMS: Readonly<Record<ReadQuestion['claim'], string>> = {
  reads: 'The server says that this tool only reads (readOnlyHint). Nothing here can check that.',
  protocol: 'A request for resources or prompts only reads, by the protocol (MCP).',
  previews:
    'The server says that a preview by this tool changes nothing. Nothing here can check that.',
}

/** Asks whether an app may read. */
export function ReadRequest({ one: { asker, question, answer } }: QuestionProps<'read'>) {
  const [eachTime, setEachTime] = useState(question.eachTime)
  const decide = (allow: boolean) => answer({ allow, eachTime })
  return (
    <Modal
      role="alertdialog"
      title={<Sentence text={`Let the app read with ${quoteName(question.title)}?`} />}
      intro={
        eachTime
          ? 'Your answer is for this call only.'
          : 'Your answer is for all calls of this kind, with any arguments, until the app is closed.'
      }
      onClose={() => decide(false)}
      foot={
        <>
          <div class="durations">
            <Checkbox checked={eachTime} onChange={setEachTime}>
              Ask each time this app reads
            </Checkbox>
          </div>
          <NoButton onNo={() => decide(false)}>Deny</NoButton>
          <YesButton onYes={() => decide(true)}>Allow</YesButton>
        </>
      }
    >
      <QuestionSubject asker={asker} subject={question} />
      <WhatItSees question={question} />
    </Modal>
  )
}

function WhatItSees({ question: { claim, intent, description, reaches } }: Props) {
  return (
    <>
      {description !== '' && description !== intent.text && (
        <figure class="unsaid">
          <figcaption class="label">Description by the server</figcaption>
          <p>
            <VisibleLines text={truncate(description, MAX_DESCRIPTION)} />
          </p>
        </figure>
      )}
      <Note>{CLAIMS[claim]}</Note>
      {reaches.length > 0 && (
        <Note tone="warning" title="The app can send what it reads to these addresses:">
          <Sentence text={reaches.join(', ')} />
        </Note>
      )}
    </>
  )
}

interface Props {
  readonly question: AppReadQuestion
}

/** The button that sends a test to this device, and says what became of it. @module */

import type { Answer } from '#core/owner/answers.ts'
import { useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { describeError } from '../ui/errors.ts'
import { endSentence } from '../ui/format.ts'
import type { Tone } from '../ui/parts.tsx'

interface Outcome {
  readonly tone: Tone
  readonly text: string
}

interface Props {
  /** The id of this device. */
  readonly device: string
  /** Called after a test, which changes what the server knows of the device. */
  readonly onSent: () => void
}

/** Shows the button, with the outcome of the last test beside it. */
export function TestButton({ device, onSent }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const send = async () => {
    if (isBusy) return
    setBusy(true)
    setOutcome(null)
    const segments = { device }
    setOutcome(
      await sendAct(basePath.value, 'test_device', { segments }).then(describeTest, (error) => ({
        tone: 'danger' as const,
        text: endSentence(describeError(error).message),
      })),
    )
    setBusy(false)
    onSent()
  }
  return (
    <>
      <button type="button" class="button" aria-disabled={isBusy} onClick={() => void send()}>
        {isBusy ? 'Sending…' : 'Send a test'}
      </button>
      <span class={`testoutcome ${outcome?.tone ?? ''}`} role="status">
        {outcome?.text}
      </span>
    </>
  )
}

/** Says what became of a test. */
export function describeTest({ outcome, status }: Answer<'test_device'>): Outcome {
  switch (outcome) {
    case 'delivered':
      return {
        tone: 'success',
        text: 'Sent. If it does not appear within a few seconds, look at the notification settings of this device.',
      }
    case 'gone':
      return {
        tone: 'danger',
        text: 'The push service does not know this device any more. Turn notifications off and on again.',
      }
    case 'failed':
      return {
        tone: 'danger',
        text:
          status === null
            ? 'The server did not reach the push service. Try again in a moment.'
            : `The push service refused the test (HTTP ${status}).`,
      }
  }
}

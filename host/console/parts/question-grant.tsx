/** The dialog that asks for scopes that a call lacks: how much, and for how long. @module */

import { useState } from 'preact/hooks'
import type { Duration, PromptOption } from '../../consent/types.ts'
import { NoButton, YesButton } from './answer-buttons.tsx'
import { Modal } from './modal.tsx'
import { About, type Of } from './question-about.tsx'
import { Visible } from './visible.tsx'

const DURATIONS: readonly (readonly [Duration, string, string])[] = [
  ['call', 'This call only', 'It will be asked again next time.'],
  ['session', 'Until this tab is closed', 'Remembered for as long as the console is open.'],
  ['always', 'Always', 'Remembered in this browser. You can forget it under Rules.'],
]

/** Asks for scopes. */
export function Grant({ one: { asker, question, answer } }: Of<'grant'>) {
  const { options, scopes } = question
  const best =
    options.find(({ suggested }) => suggested) ?? options.findLast(({ enough }) => enough)
  const [scope, setScope] = useState(best?.scope)
  const [duration, setDuration] = useState<Duration>('call')
  const several = scopes.length > 1
  const decide = (allow: boolean) =>
    answer({
      allow,
      scopes: scope === undefined || (several && scope === best?.scope) ? null : [scope],
      duration,
    })
  return (
    <Modal
      role="alertdialog"
      title="May it touch this?"
      intro="The call reaches outside the folders that may be used. Nothing has been done."
      onClose={() => answer({ allow: false, scopes: null, duration: 'call' })}
      foot={
        <>
          <NoButton onNo={() => decide(false)}>Deny</NoButton>
          <YesButton onYes={() => decide(true)}>Allow</YesButton>
        </>
      }
    >
      <About asker={asker} subject={question} />
      {several && (
        <p class="small">
          It asks for{' '}
          {scopes.map((text, index) => (
            <>
              {index > 0 && ', '}
              <code>
                <Visible text={text} />
              </code>
            </>
          ))}
          .
        </p>
      )}
      <fieldset class="choices">
        <legend class="label">How much</legend>
        {options.map((option) => (
          <Option key={option.scope} option={option} chosen={scope} onChoose={setScope} />
        ))}
      </fieldset>
      <fieldset class="choices">
        <legend class="label">For how long</legend>
        {DURATIONS.map(([value, text, help]) => (
          <label key={value} class="choice">
            <input
              type="radio"
              name="duration"
              checked={duration === value}
              onChange={() => setDuration(value)}
            />
            <span>
              {text}
              <small>{help}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </Modal>
  )
}

function Option({
  option: { scope, label, enough },
  chosen,
  onChoose,
}: {
  readonly option: PromptOption
  readonly chosen: string | undefined
  readonly onChoose: (scope: string) => void
}) {
  return (
    <label class="choice">
      <input
        type="radio"
        name="scope"
        checked={scope === chosen}
        onChange={() => onChoose(scope)}
      />
      <span>
        <Visible text={label} />
        <small>
          <code>
            <Visible text={scope} />
          </code>
          {!enough && ' · covers only a part of what was asked'}
        </small>
      </span>
    </label>
  )
}

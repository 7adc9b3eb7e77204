/** The dialog that asks for scopes that a call lacks: which access, and for how long. @module */

import { useState } from 'preact/hooks'
import type { Duration, PromptOption } from '../../consent/types.ts'
import { Radio } from '../ui/fields.tsx'
import { Modal } from '../ui/modal.tsx'
import { Segments } from '../ui/segments.tsx'
import { Path, Sentence } from '../ui/path.tsx'
import { NoButton, QuestionSubject, YesButton, type QuestionProps } from './dialog.tsx'

const DURATIONS: readonly (readonly [Duration, string, string])[] = [
  ['call', 'This call only', 'You are asked again next time.'],
  ['session', 'Until reload', 'Forgotten when you reload this page or close its tab.'],
  ['always', 'For 90 days', 'Remembered in this browser. You can forget it under Rules.'],
]

/** Asks for scopes. */
export function ScopeRequest({ one: { asker, question, answer } }: QuestionProps<'grant'>) {
  const { options, scopes } = question
  const best =
    options.find(({ suggested }) => suggested) ?? options.findLast(({ enough }) => enough)
  const [scope, setScope] = useState(best?.scope)
  const [duration, setDuration] = useState<Duration>('call')
  const isDefault = scopes.length > 1 && scope === best?.scope
  const decide = (allow: boolean) =>
    answer({ allow, scopes: scope === undefined || isDefault ? null : [scope], duration })
  return (
    <Modal
      role="alertdialog"
      title="Allow this access?"
      intro="The call needs access outside the permitted folders. Nothing has been changed yet."
      onClose={() => answer({ allow: false, scopes: null, duration: 'call' })}
      foot={
        <>
          <Durations chosen={duration} onChoose={setDuration} />
          <NoButton onNo={() => decide(false)}>Deny</NoButton>
          <YesButton onYes={() => decide(true)}>Allow</YesButton>
        </>
      }
    >
      <QuestionSubject asker={asker} subject={question} />
      {scopes.length > 1 && <RequestedScopes scopes={scopes} />}
      <fieldset class="choices compact">
        <legend class="label">Access</legend>
        {fromNarrowToWide(options).map((option) => (
          <Option key={option.scope} option={option} chosen={scope} onChoose={setScope} />
        ))}
      </fieldset>
    </Modal>
  )
}

/** The narrowest choice first; those that cover only a part of the request come last. */
const fromNarrowToWide = (options: readonly PromptOption[]) =>
  options.toReversed().toSorted((a, b) => Number(b.enough) - Number(a.enough))

interface DurationProps {
  readonly chosen: Duration
  readonly onChoose: (duration: Duration) => void
}

/** The durations stay beside the buttons, so that a long request scrolls none of them away. */
const Durations = ({ chosen, onChoose }: DurationProps) => (
  <div class="durations">
    <Segments
      label="Duration"
      value={chosen}
      options={DURATIONS.map(([value, text]) => [value, text])}
      onChange={onChoose}
    />
    <small role="status">{DURATIONS.find(([value]) => value === chosen)?.[2]}</small>
  </div>
)

const RequestedScopes = ({ scopes }: { readonly scopes: readonly string[] }) => (
  <p class="small">
    Requested scopes:{' '}
    {scopes.map((text, index) => (
      <>
        {index > 0 && ', '}
        <Path text={text} />
      </>
    ))}
    .
  </p>
)

interface OptionProps {
  readonly option: PromptOption
  readonly chosen: string | undefined
  readonly onChoose: (scope: string) => void
}

function Option({ option: { scope, label, enough }, chosen, onChoose }: OptionProps) {
  const help = (
    <>
      <Path text={scope} />
      {!enough && ' · covers only part of the request'}
    </>
  )
  return (
    <Radio name="scope" checked={scope === chosen} onChoose={() => onChoose(scope)} help={help}>
      <Sentence text={label} />
    </Radio>
  )
}

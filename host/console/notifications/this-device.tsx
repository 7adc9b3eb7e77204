/** Whether this device is notified, with the one switch for it, and a test. @module */

import { useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { allowNotifications, stopNotifications } from '../drafts/notifications.ts'
import { toFailure } from '../passkeys/passkeys-api.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Badge, Fault, Note } from '../ui/parts.tsx'
import { turnOff, turnOn, type DeviceState, type TurnOnProblem } from './device.ts'
import { TestButton } from './test-button.tsx'

interface Props {
  /** Null until it is known. */
  readonly state: DeviceState | null
  /** The public key of the server. */
  readonly serverKey: string
  readonly onChange: () => void
}

/** Shows the section of this device. */
export function ThisDevice({ state, serverKey, onChange }: Props) {
  const { isBusy, failure, problem, run } = useSwitch(onChange)
  const on = () => run(() => turnOn(basePath.value, serverKey))
  return (
    <section class="card thisdevice" aria-labelledby="this-device">
      <header>
        <h2 id="this-device">This device</h2>
        {state && <StateBadge state={state} />}
      </header>
      <div class="stack tight">
        <p class="devicestate" role="status">
          {state && describeState(state)}
        </p>
        {state?.is === 'home-screen' && <HomeScreenSteps />}
        {state && (
          <Switch state={state} isBusy={isBusy} onTurnOn={on} run={run} onChange={onChange} />
        )}
        {problem && <Problem problem={problem} run={run} />}
        {failure ? <Fault what="Cannot turn on notifications" error={failure} /> : null}
      </div>
    </section>
  )
}

type Run = (
  work: () => Promise<{ readonly ok: boolean; readonly error?: TurnOnProblem }>,
) => Promise<void>

/** Runs what the switch does, one at a time, and keeps why it failed. */
function useSwitch(onChange: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [problem, setProblem] = useState<TurnOnProblem | null>(null)
  const run: Run = async (work) => {
    setBusy(true)
    setFailure(null)
    setProblem(null)
    await work().then(
      (done) => setProblem(done.error ?? null),
      (error: unknown) => setFailure(toFailure(error)),
    )
    setBusy(false)
    onChange()
  }
  return { isBusy, failure, problem, run }
}

const BADGES = {
  on: ['On', 'success'],
  tab: ['On in this tab', 'info'],
  off: ['Off', 'plain'],
  blocked: ['Blocked', 'warning'],
  insecure: ['Needs https', 'warning'],
  'home-screen': ['Home screen first', 'info'],
  none: ['Not available', 'plain'],
} as const

function StateBadge({ state }: { readonly state: DeviceState }) {
  const [text, tone] = BADGES[state.is]
  return <Badge tone={tone}>{text}</Badge>
}

/** Says what the state means. */
function describeState(state: DeviceState): string {
  switch (state.is) {
    case 'on':
      return 'This device is notified, also while the console is closed. If the console is installed, its icon shows how much waits.'
    case 'tab':
      return state.canPush
        ? 'This browser notifies you only while the console is open in a tab.'
        : 'This browser notifies you while the console is open in a tab. It has no notifications of closed pages.'
    case 'off':
      return describeOff(state)
    case 'blocked':
      return 'The browser blocks notifications of this page. Allow them in its settings for this site, and come back.'
    case 'insecure':
      return 'Browsers notify only of pages with a secure address. Open the console over https, or at localhost on the machine that serves it.'
    case 'home-screen':
      return 'An iPhone or iPad notifies only of pages on its home screen:'
    case 'none':
      return 'This browser has no notifications. Use another one, or one of the other channels below.'
  }
}

function describeOff({ canPush, isForgotten }: DeviceState & { readonly is: 'off' }): string {
  if (isForgotten)
    return 'The server does not notify this device any more: it was removed here, its address has expired, or the owner’s secret was changed.'
  return canPush
    ? 'Turn notifications on to learn of what waits also while the console is closed.'
    : 'This browser can notify you while the console is open in a tab.'
}

const HomeScreenSteps = () => (
  <ol class="steps">
    <li>
      Press <strong>Share</strong> in Safari.
    </li>
    <li>
      Choose <strong>Add to Home Screen</strong>.
    </li>
    <li>Open Edgewise from the home screen, and turn notifications on at this page.</li>
  </ol>
)

interface SwitchProps {
  readonly state: DeviceState
  readonly isBusy: boolean
  readonly onTurnOn: () => void
  readonly run: Run
  readonly onChange: () => void
}

/** Shows the buttons of a state: what is off can be turned on, and the other way round. */
function Switch({ state, isBusy, onTurnOn, run, onChange }: SwitchProps) {
  const canTurnOn = state.is === 'off' || (state.is === 'tab' && state.canPush)
  const press = state.is === 'off' && !state.canPush ? () => void run(turnOnInTab) : onTurnOn
  return (
    <div class="row">
      {canTurnOn && (
        <DecisionButton shown={state.is} look="primary" isOff={isBusy} onDecide={press}>
          <Icon name="bell" />
          {isBusy ? 'Turning on…' : state.is === 'tab' ? 'Notify also while closed' : 'Turn on'}
        </DecisionButton>
      )}
      {state.is === 'on' && <TestButton device={state.id} onSent={onChange} />}
      {(state.is === 'on' || state.is === 'tab') && (
        <DecisionButton
          shown={state.is}
          isOff={isBusy}
          onDecide={() => void run(() => turnOffHere(state))}
        >
          Turn off
        </DecisionButton>
      )}
    </div>
  )
}

async function turnOffHere(state: DeviceState) {
  if (state.is === 'tab') stopNotifications()
  else await turnOff(basePath.value)
  return { ok: true }
}

async function turnOnInTab() {
  return (await allowNotifications()) ? { ok: true } : { ok: false, error: 'dismissed' as const }
}

const PROBLEMS: Readonly<Record<TurnOnProblem, string>> = {
  dismissed: 'The browser did not get your permission. Turn on again, and choose “Allow”.',
  blocked: 'The browser does not allow notifications of this page.',
  'no-worker': 'The service worker of the console did not start. Reload the page, and try again.',
  'no-push': 'The browser did not reach its push service, or has none.',
}

/** Says why notifications are not on. Without a push service there is another way. */
function Problem({ problem, run }: { readonly problem: TurnOnProblem; readonly run: Run }) {
  return (
    <Note tone="warning" role="alert" title={PROBLEMS[problem]}>
      {problem === 'no-push' && (
        <>
          You can still be notified while the console is open in a tab.
          <div class="row">
            <DecisionButton shown="tab" look="small" onDecide={() => void run(turnOnInTab)}>
              Notify while open
            </DecisionButton>
          </div>
        </>
      )}
    </Note>
  )
}

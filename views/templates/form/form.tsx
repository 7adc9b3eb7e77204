/**
 * T1, the form: fields with their types, checked before they are sent.
 *
 * It calls `submitTool` with `submitArgs` and the values, or appends them to the file that the app
 * may write. What was entered stays after a failure.
 *
 * @module
 */

import type { FormField, SettingsOf } from '#core/apps/templates.ts'
import { useRef, useState } from 'preact/hooks'
import { SafeText } from '../../safe-text.tsx'
import { targetFile } from '../app.ts'
import { messageOf, type Dashboard, type Outcome } from '../dashboard.ts'
import { planAppend, type FormValues } from './append.ts'
import { Field } from './field.tsx'
import { findFault, initialValue, typedValue, type Entered } from './values.ts'

export interface FormProps {
  readonly dashboard: Dashboard
  readonly settings: SettingsOf<'form'>
}

/** Renders the form. */
export function Form({ dashboard, settings }: FormProps) {
  const { fields, description, cancelable } = settings
  const [entered, setEntered] = useEntered(fields)
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const canSubmit =
    dashboard.canCall && (settings.submitTool !== null || targetFile(dashboard.app) !== null)

  const enter = (field: string, value: Entered) =>
    setEntered(new Map(entered.current).set(field, value))
  const reset = () => {
    setEntered(initialValues(fields))
    setFaults(new Map())
    dashboard.notify(null)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy || !canSubmit) return
    const found = findFaults(fields, entered.current)
    setFaults(found)
    if (found.size > 0) return focusField(form.current, [...found.keys()][0])
    setBusy(true)
    const outcome = await send(dashboard, settings, typedValues(fields, entered.current))
    setBusy(false)
    if (outcome.kind !== 'failed') setEntered(initialValues(fields))
  }
  return (
    // A sandbox without allow-forms has no submit event, so the button and Enter send the form.
    <form
      class="form"
      ref={form}
      noValidate
      aria-busy={isBusy}
      onKeyDown={(event) => isEnter(event) && void submit(event)}
    >
      {description !== '' && (
        <p class="hint">
          <SafeText text={description} />
        </p>
      )}
      <Fields {...{ fields, faults }} entered={entered.current} onEnter={enter} />
      {!canSubmit && <p class="hint">This form cannot be sent from here.</p>}
      <div class="actions">
        <Submit isEnabled={canSubmit} isBusy={isBusy} onSubmit={submit} />
        {cancelable && (
          <button type="button" onClick={reset}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly fields: readonly FormField[]
  readonly entered: AllEntered
  readonly faults: ReadonlyMap<string, string>
  readonly onEnter: (field: string, value: Entered) => void
}

const Fields = ({ fields, entered, faults, onEnter }: FieldsProps) => (
  <>
    {fields.map((field) => (
      <Field
        key={field.name}
        field={field}
        value={entered.get(field.name) ?? ''}
        fault={faults.get(field.name) ?? ''}
        onEnter={(value) => onEnter(field.name, value)}
      />
    ))}
    <p class="visually-hidden" role="alert">
      {faults.size > 0 && [...faults.values()].join('. ')}
    </p>
  </>
)

interface SubmitProps {
  readonly isEnabled: boolean
  readonly isBusy: boolean
  readonly onSubmit: (event: Event) => void
}

const Submit = ({ isEnabled, isBusy, onSubmit }: SubmitProps) => (
  <button
    type="button"
    class="primary"
    disabled={!isEnabled}
    aria-disabled={isBusy}
    onClick={onSubmit}
  >
    {isBusy ? 'Sending…' : 'Submit'}
  </button>
)

/** Whether a key press sends a form: Enter in a field of one line, and not the one that ends a composed word. */
const isEnter = ({ key, target, repeat, isComposing }: KeyboardEvent) =>
  key === 'Enter' && !repeat && !isComposing && target instanceof HTMLInputElement

type AllEntered = ReadonlyMap<string, Entered>

/**
 * Keeps what was entered. A reference has it at once: several fields may be filled, and the form
 * sent, before the page is rendered again.
 */
function useEntered(fields: readonly FormField[]) {
  const entered = useRef<AllEntered | null>(null)
  const [, redraw] = useState(0)
  const current = (entered.current ??= initialValues(fields))
  const set = (next: AllEntered) => {
    entered.current = next
    redraw((count) => count + 1)
  }
  const reader = {
    get current() {
      return entered.current ?? current
    },
  }
  return [reader, set] as const
}

const initialValues = (fields: readonly FormField[]): AllEntered =>
  new Map(fields.map((field) => [field.name, initialValue(field)]))

function findFaults(
  fields: readonly FormField[],
  entered: AllEntered,
): ReadonlyMap<string, string> {
  const found = fields.map((field): [string, string] => [
    field.name,
    findFault(field, entered.get(field.name) ?? ''),
  ])
  return new Map(found.filter(([, fault]) => fault !== ''))
}

const typedValues = (fields: readonly FormField[], entered: AllEntered): FormValues =>
  new Map(fields.map((field) => [field.name, typedValue(field, entered.get(field.name) ?? '')]))

function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  const controls = [...(form?.elements ?? [])]
  const control = controls.find((each) => each.getAttribute('name') === name)
  if (control instanceof HTMLElement) control.focus()
}

/** Sends the values to the tool of the settings, or to the file of the app. */
async function send(
  dashboard: Dashboard,
  { submitTool, submitArgs }: SettingsOf<'form'>,
  values: FormValues,
): Promise<Outcome> {
  if (submitTool !== null)
    return dashboard.act(submitTool, { ...submitArgs, ...Object.fromEntries(values) }, 'Submitted')
  const outcome = await append(dashboard, values)
  // Another row was added in between: the file is read again, and this row added to it.
  return outcome.code === 'VERSION_CONFLICT' ? append(dashboard, values) : outcome
}

async function append(dashboard: Dashboard, values: FormValues): Promise<Outcome> {
  const path = targetFile(dashboard.app) ?? ''
  try {
    const call = planAppend(path, await dashboard.read(path), values)
    if (call.ok) return await dashboard.act(call.value.tool, call.value.args, `Added to ${path}`)
    return fail(dashboard, call.error)
  } catch (error) {
    return fail(dashboard, messageOf(error))
  }
}

function fail(dashboard: Dashboard, text: string): Outcome {
  const outcome: Outcome = { kind: 'failed', text, code: '' }
  dashboard.notify(outcome)
  return outcome
}

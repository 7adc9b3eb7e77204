/** The form for the arguments of a template or a prompt. @module */

import { useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { Icon } from '../ui/icons.tsx'
import { CompletionField } from './completion-field.tsx'

export interface Argument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

interface Props {
  readonly label: string
  readonly fields: readonly Argument[]
  /** The `ref` for completion. */
  readonly reference: JsonRecord
  readonly initial: Readonly<Record<string, string>>
  /** The text of the button. */
  readonly action: string
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void
}

/** Shows a field for each argument; values that are empty are left out. */
export function ArgumentsForm({ label, fields, reference, initial, action, onSubmit }: Props) {
  const [values, setValues] = useState(initial)
  const submit = (event: Event) => {
    event.preventDefault()
    onSubmit(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))
  }
  return (
    <form class="stack" aria-label={label} onSubmit={submit}>
      {fields.map(({ name, description, required }) => (
        <CompletionField
          key={name}
          name={name}
          help={description}
          isRequired={required}
          reference={reference}
          values={values}
          onInput={(value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      ))}
      <div class="row">
        <button type="submit" class="button primary">
          <Icon name="play" /> {action}
        </button>
      </div>
    </form>
  )
}

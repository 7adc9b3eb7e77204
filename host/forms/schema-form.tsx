/**
 * A form for a JSON Schema: renders `formModel`, or the same value as JSON.
 *
 * The caller owns the value; `form-state.ts` keeps everything else. `test/host/forms/view.test.tsx`
 * fills in forms.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { FieldView } from './field-view.tsx'
import { FormProvider } from './form-context.ts'
import { useFormState, type FormOptions } from './form-state.ts'
import { JsonInput } from './inputs.tsx'
import { buildJson } from './leaf-fields.ts'

export interface SchemaFormProps extends FormOptions {
  /** Initial mode; a button switches it. */
  readonly mode?: 'form' | 'json'
}

/** Shows a form for a schema, with a button to edit the value as JSON instead. */
export function SchemaForm(props: SchemaFormProps): JSX.Element {
  const { value, label = 'Value' } = props
  const [mode, setMode] = useState(props.mode ?? 'form')
  const { model, context, dropDrafts } = useFormState(props, FieldView)
  const whole = { pointer: '', label, required: false, depth: 0 }
  const changeMode = () => {
    // Unfinished JSON is not part of the value and is dropped with its editor.
    dropDrafts()
    setMode(mode === 'form' ? 'json' : 'form')
  }
  return (
    <FormProvider value={context}>
      <div
        class="sf"
        data-mode={mode}
        {...(mode === 'form' && { role: 'group', 'aria-label': label })}
      >
        <div class="sf-bar">
          <button
            type="button"
            class="button small quiet"
            aria-pressed={mode === 'json'}
            onClick={changeMode}
          >
            As JSON
          </button>
        </div>
        {mode === 'form' ? (
          <FieldView field={model.root} />
        ) : (
          <JsonInput field={buildJson({}, value, whole)} />
        )}
      </div>
    </FormProvider>
  )
}

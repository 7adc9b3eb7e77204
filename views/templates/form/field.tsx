/** A field of a form, with its label, its control and what is wrong with it. @module */

import type { FormField } from '#core/apps/templates.ts'
import type { TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'
import { SafeLine } from '../../safe-text.tsx'
import type { Entered } from './values.ts'

export interface FieldProps {
  readonly field: FormField
  readonly value: Entered
  readonly fault: string
  readonly onEnter: (value: Entered) => void
}

export function Field({ field, value, fault, onEnter }: FieldProps) {
  const id = useId()
  const { label, type, required } = field
  const isCheckbox = type === 'checkbox'
  return (
    <div class={isCheckbox ? 'field box' : 'field'}>
      <label for={id}>
        <SafeLine text={label} />
        {required && <span class="required"> (required)</span>}
      </label>
      <Control {...{ field, value, fault, onEnter, id }} />
      {fault !== '' && (
        <p class="fault" id={`${id}-fault`}>
          <SafeLine text={fault} />
        </p>
      )}
    </div>
  )
}

function Control({ field, value, fault, onEnter, id }: FieldProps & { readonly id: string }) {
  const { name, type, required, placeholder, options } = field
  const common = {
    id,
    name,
    'aria-required': required,
    'aria-invalid': fault !== '',
    'aria-describedby': fault === '' ? undefined : `${id}-fault`,
  }
  const text = typeof value === 'string' ? value : ''
  if (type === 'checkbox')
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onEnter(currentTarget.checked)}
      />
    )
  if (type === 'select')
    return (
      <select {...common} onChange={({ currentTarget }) => onEnter(currentTarget.value)}>
        {!required && <option value="">{placeholder || '–'}</option>}
        {options.map((option) => (
          <option value={option.value} selected={option.value === text}>
            {option.label}
          </option>
        ))}
      </select>
    )
  if (type === 'textarea')
    return (
      <textarea
        {...common}
        rows={4}
        placeholder={placeholder}
        value={text}
        onInput={({ currentTarget }) => onEnter(currentTarget.value)}
      />
    )
  const entry = {
    ...common,
    placeholder,
    value: text,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
      onEnter(currentTarget.value),
  }
  if (type === 'password') return <input {...entry} type="password" autocomplete="off" />
  if (type === 'email') return <input {...entry} type="email" />
  // A browser empties a number field whose text is not a number; then it could not be checked.
  return <input {...entry} type="text" inputMode={type === 'number' ? 'decimal' : undefined} />
}

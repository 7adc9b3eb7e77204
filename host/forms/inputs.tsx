/**
 * Inputs for text and numbers.
 *
 * An empty input means not set, if the field is optional. Text stays as typed until it means
 * another value.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Act } from './acts.tsx'
import { shown } from './base.ts'
import { useDesk } from './desk.ts'
import { Frame, placeholderFor, useTies } from './parts.tsx'
import type { Field } from './types.ts'

type Of<K extends Field['kind']> = Extract<Field, { kind: K }>

/** Shows a text field, on one line or several. */
export function TextInput({ field }: { field: Of<'text'> }): JSX.Element {
  const desk = useDesk()
  const ties = useTies(field)
  const { pointer, required, value, readOnly } = field
  const common = {
    ...ties,
    value: typeof value === 'string' ? value : '',
    placeholder: placeholderFor(field),
    readOnly: readOnly || desk.readOnly,
    spellcheck: false,
  }
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => {
    const text = currentTarget.value
    desk.set(pointer, text === '' && !required ? undefined : text)
  }
  return (
    <Frame
      field={field}
      tools={
        required &&
        !field.isSet && <Act label="Leave empty" onClick={() => desk.set(pointer, '')} />
      }
    >
      {field.long ? (
        <textarea {...common} rows={2} onInput={onInput} />
      ) : field.input === 'date' ? (
        <input {...common} type="date" onInput={onInput} />
      ) : field.input === 'password' ? (
        <input {...common} type="password" autocomplete="off" onInput={onInput} />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={field.input}
          autocomplete="off"
          onInput={onInput}
        />
      )}
    </Frame>
  )
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Converts text to a number; undefined if empty, the text itself if it is not a number. */
export function numberIn(text: string): unknown {
  const typed = text.trim()
  if (typed === '') return undefined
  const number = NUMBER.test(typed) ? Number(typed) : NaN
  return Number.isFinite(number) ? number : typed
}

/** Shows a number field. */
export function NumberInput({ field }: { field: Of<'number'> }): JSX.Element {
  const desk = useDesk()
  const ties = useTies(field)
  const { pointer, value } = field
  const [draft, setDraft] = useState('')
  // "1." and "1.0" are both 1: the typed text stays until the value differs.
  const text = numberIn(draft) === (value ?? undefined) ? draft : shown(value ?? undefined)
  return (
    <Frame field={field}>
      <input
        {...ties}
        type="text"
        inputMode={field.integer && (field.minimum ?? -1) >= 0 ? 'numeric' : 'decimal'}
        autocomplete="off"
        value={text}
        placeholder={placeholderFor(field)}
        readOnly={field.readOnly || desk.readOnly}
        onInput={(event) => {
          setDraft(event.currentTarget.value)
          desk.set(pointer, numberIn(event.currentTarget.value))
        }}
      />
    </Frame>
  )
}

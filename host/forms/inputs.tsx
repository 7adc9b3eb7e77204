/**
 * Inputs for fields without fields inside: text, number, boolean, choices and JSON.
 *
 * An empty input means not set, if the field is optional. Text stays as typed until it means
 * another value. JSON text that is not valid yet is kept separately and leaves the value unchanged.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ActionButton, Frame, Group, placeholderFor, useInputLinks } from './controls.tsx'
import { useForm } from './form-context.ts'
import { formatValue } from './leaf-fields.ts'
import type { Choice, Field, FieldOf } from './types.ts'
import { isSameJson } from './value.ts'

/** Shows a text field, on one line or several. */
export function TextInput({ field }: { field: FieldOf<'text'> }): JSX.Element {
  const form = useForm()
  const links = useInputLinks(field)
  const { pointer, required, value, readOnly } = field
  const common = {
    ...links,
    value: typeof value === 'string' ? value : '',
    placeholder: placeholderFor(field),
    readOnly: readOnly || form.readOnly,
    spellcheck: false,
  }
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => {
    const text = currentTarget.value
    form.set(pointer, text === '' && !required ? undefined : text)
  }
  return (
    <Frame
      field={field}
      tools={
        required &&
        !field.isSet &&
        mayBeEmpty(field) && (
          <ActionButton label="Leave empty" onClick={() => form.set(pointer, '')} />
        )
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

/** Whether an empty text can be valid: it is too short for a least length, and no date, address or URL. */
const mayBeEmpty = ({ minLength, input }: FieldOf<'text'>) =>
  (minLength ?? 0) === 0 && (input === 'text' || input === 'password')

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Converts text to a number; undefined if empty, the text itself if it is not a number. */
function parseNumber(text: string): unknown {
  const typed = text.trim()
  if (typed === '') return undefined
  const number = NUMBER.test(typed) ? Number(typed) : NaN
  return Number.isFinite(number) ? number : typed
}

export function NumberInput({ field }: { field: FieldOf<'number'> }): JSX.Element {
  const form = useForm()
  const links = useInputLinks(field)
  const { pointer, value } = field
  const [draft, setDraft] = useState('')
  // "1." and "1.0" are both 1: the typed text stays until the value differs.
  const text = parseNumber(draft) === (value ?? undefined) ? draft : formatValue(value ?? undefined)
  return (
    <Frame field={field}>
      <input
        {...links}
        type="text"
        inputMode={field.integer && (field.minimum ?? -1) >= 0 ? 'numeric' : 'decimal'}
        autocomplete="off"
        value={text}
        placeholder={placeholderFor(field)}
        readOnly={field.readOnly || form.readOnly}
        onInput={(event) => {
          setDraft(event.currentTarget.value)
          form.set(pointer, parseNumber(event.currentTarget.value))
        }}
      />
    </Frame>
  )
}

/** Shows a boolean as radio buttons, with one for not set if it is optional. */
export function BooleanInput({ field }: { field: FieldOf<'boolean'> }): JSX.Element {
  const form = useForm()
  const { pointer, value, required, defaultValue } = field
  const suffix = typeof defaultValue === 'boolean' ? ` (${defaultValue ? 'yes' : 'no'})` : ''
  const options = [
    ...(required ? [] : [{ label: `Not set${suffix}`, value: undefined }]),
    { label: 'Yes', value: true },
    { label: 'No', value: false },
  ]
  return (
    <Group field={field}>
      <div class="sf-segments segments">
        {options.map((option, index) => (
          <label key={option.label}>
            <input
              type="radio"
              name={form.id(pointer)}
              id={index === 0 ? form.id(pointer) : form.id(pointer, `option${index}`)}
              checked={value === option.value}
              disabled={field.readOnly || form.readOnly}
              onChange={() => form.set(pointer, option.value)}
              onBlur={() => form.touch(pointer)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </Group>
  )
}

const UNSET = ''

/** Shows a choice as a select element; an invalid value stays visible. */
export function ChoiceInput({ field }: { field: FieldOf<'choice'> }): JSX.Element {
  const form = useForm()
  const links = useInputLinks(field)
  const { choices, value, isSet, required } = field
  const index = choices.findIndex((choice) => isSameJson(choice.value, value))
  const preset = formatValue(field.defaultValue)
  return (
    <Frame field={field}>
      <select
        {...links}
        disabled={field.readOnly || form.readOnly}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          form.set(field.pointer, chosen === UNSET ? undefined : choices[Number(chosen)]?.value)
        }}
      >
        {(!required || !isSet) && (
          <option value={UNSET} selected={!isSet}>
            {preset === '' || preset.length > 60 ? 'Not set' : `Not set (${preset})`}
          </option>
        )}
        {isSet && index < 0 && (
          <option value="other" selected disabled>
            {formatValue(value).slice(0, 100)}
          </option>
        )}
        {choices.map((choice, at) => (
          <option key={at} value={String(at)} selected={at === index}>
            {choice.description === '' ? choice.label : `${choice.label}: ${choice.description}`}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** Shows multiple choices as checkboxes. */
export function ChoicesInput({ field }: { field: FieldOf<'choices'> }): JSX.Element {
  const form = useForm()
  const values: readonly unknown[] = Array.isArray(field.value) ? field.value : []
  const isChosen = (choice: Choice) => values.some((value) => isSameJson(value, choice.value))
  const toggle = (choice: Choice) => {
    const others = values.filter((value) => !isSameJson(value, choice.value))
    const next = isChosen(choice) ? others : [...values, choice.value]
    form.set(field.pointer, next.length === 0 && !field.required ? undefined : next)
  }
  return (
    <Group field={field}>
      <div class="sf-choices">
        {field.choices.map((choice, index) => (
          <label key={index} class="check">
            <input
              type="checkbox"
              id={form.id(field.pointer, index === 0 ? 'input' : `option${index}`)}
              checked={isChosen(choice)}
              disabled={field.readOnly || form.readOnly}
              onChange={() => toggle(choice)}
              onBlur={() => form.touch(field.pointer)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    </Group>
  )
}

/** Shows a field as editable JSON. */
export function JsonInput({ field }: { field: Field }): JSX.Element {
  const form = useForm()
  const { pointer, value } = field
  const links = useInputLinks(field)
  const broken = form.getDraft(pointer)
  const [typed, setTyped] = useState('')
  const text = broken ?? (isSameJson(parseJson(typed)?.value, value) ? typed : printJson(value))
  const write = (next: string) => {
    setTyped(next)
    const read = next.trim() === '' ? { value: undefined } : parseJson(next)
    form.setDraft(pointer, read ? null : next)
    if (read) form.set(pointer, read.value)
  }
  const problemId = broken === null ? null : form.id(pointer, 'draft')
  return (
    <Frame field={field}>
      <textarea
        {...links}
        {...(problemId && {
          'aria-invalid': 'true',
          'aria-describedby': `${links['aria-describedby'] ?? ''} ${problemId}`.trim(),
        })}
        class="code"
        rows={Math.min(20, Math.max(3, text.split('\n', 21).length))}
        spellcheck={false}
        value={text}
        placeholder={placeholderFor(field) || 'JSON, such as "text", 12 or {"name": true}'}
        readOnly={field.readOnly || form.readOnly}
        onInput={(event) => write(event.currentTarget.value)}
      />
      {problemId && (
        <p class="sf-problem" id={problemId}>
          This is not valid JSON yet.
        </p>
      )}
    </Frame>
  )
}

function printJson(value: unknown): string {
  return value === undefined ? '' : (JSON.stringify(value, null, 2) ?? '')
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Inputs for booleans, single choices and multiple choices. @module */

import type { JSX } from 'preact'
import { shown } from './base.ts'
import { useDesk } from './desk.ts'
import { Frame, Group, useTies } from './parts.tsx'
import type { Choice, Field } from './types.ts'
import { sameJson } from './value.ts'

type Of<K extends Field['kind']> = Extract<Field, { kind: K }>

/** Shows a boolean as radio buttons, with one for not set if it is optional. */
export function BooleanInput({ field }: { field: Of<'boolean'> }): JSX.Element {
  const desk = useDesk()
  const { pointer, value, required, defaultValue } = field
  const preset = typeof defaultValue === 'boolean' ? ` (${defaultValue ? 'yes' : 'no'})` : ''
  const options = [
    ...(required ? [] : [{ label: `Not set${preset}`, value: undefined }]),
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
              name={desk.id(pointer)}
              id={index === 0 ? desk.id(pointer) : desk.id(pointer, `option${index}`)}
              checked={value === option.value}
              disabled={field.readOnly || desk.readOnly}
              onChange={() => desk.set(pointer, option.value)}
              onBlur={() => desk.touch(pointer)}
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
export function ChoiceInput({ field }: { field: Of<'choice'> }): JSX.Element {
  const desk = useDesk()
  const ties = useTies(field)
  const { choices, value, isSet, required } = field
  const index = choices.findIndex((choice) => sameJson(choice.value, value))
  const preset = shown(field.defaultValue)
  return (
    <Frame field={field}>
      <select
        {...ties}
        disabled={field.readOnly || desk.readOnly}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          desk.set(field.pointer, chosen === UNSET ? undefined : choices[Number(chosen)]?.value)
        }}
      >
        {(!required || !isSet) && (
          <option value={UNSET} selected={!isSet}>
            {preset === '' || preset.length > 60 ? 'Not set' : `Not set (${preset})`}
          </option>
        )}
        {isSet && index < 0 && (
          <option value="other" selected disabled>
            {shown(value).slice(0, 100)}
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
export function ChoicesInput({ field }: { field: Of<'choices'> }): JSX.Element {
  const desk = useDesk()
  const values: readonly unknown[] = Array.isArray(field.value) ? field.value : []
  const isChosen = (choice: Choice) => values.some((value) => sameJson(value, choice.value))
  const toggle = (choice: Choice) => {
    const others = values.filter((value) => !sameJson(value, choice.value))
    const next = isChosen(choice) ? others : [...values, choice.value]
    desk.set(field.pointer, next.length === 0 && !field.required ? undefined : next)
  }
  return (
    <Group field={field}>
      <div class="sf-choices">
        {field.choices.map((choice, index) => (
          <label key={index} class="check">
            <input
              type="checkbox"
              id={desk.id(field.pointer, index === 0 ? 'input' : `option${index}`)}
              checked={isChosen(choice)}
              disabled={field.readOnly || desk.readOnly}
              onChange={() => toggle(choice)}
              onBlur={() => desk.touch(field.pointer)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    </Group>
  )
}

/** Labelled fields of the console's own forms. @module */

import type { ComponentChildren } from 'preact'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly placeholder?: string
  /** A hint below the field. */
  readonly help?: string
  readonly inputMode?: 'url'
  /** Whether the value is code, such as a path. */
  readonly isCode?: boolean
  readonly maxLength?: number
  /** Whether it has the focus first in a dialog. */
  readonly isFirst?: boolean
  /** What is wrong with the value, if something is. */
  readonly problem?: string | null
  readonly testId?: string
}

/** Shows a field for one line of text. */
export function TextField(props: TextFieldProps) {
  const { label, value, onInput, help, isCode, isFirst, problem = null, testId, ...input } = props
  return (
    <label class="field">
      <span class="label">{label}</span>
      <input
        {...input}
        class={isCode ? 'code' : undefined}
        value={value}
        data-first={isFirst ? true : undefined}
        aria-invalid={problem === null ? undefined : true}
        data-testid={testId}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {help && <span class="help">{help}</span>}
      {problem !== null && <span class="fault">{problem}</span>}
    </label>
  )
}

interface CodeAreaProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly rows: number
  readonly placeholder?: string
  readonly help?: string
  /** What is wrong with the value, if something is. */
  readonly problem?: string | null
}

/** Shows a field for several lines of code. */
export function CodeArea({
  label,
  value,
  onInput,
  rows,
  placeholder,
  help,
  problem,
}: CodeAreaProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <textarea
        class="code"
        rows={rows}
        value={value}
        aria-invalid={problem === undefined ? undefined : problem !== null}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {help && <span class="help">{help}</span>}
      {problem && <span class="fault">{problem}</span>}
    </label>
  )
}

interface CheckboxProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly help?: string
  readonly children: ComponentChildren
}

/** Shows a checkbox with its label and a hint. */
export function Checkbox({ checked, onChange, help, children }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {help === undefined ? (
        children
      ) : (
        <span>
          {children}
          <small>{help}</small>
        </span>
      )}
    </label>
  )
}

interface RadioProps {
  readonly name: string
  readonly checked: boolean
  readonly onChoose: () => void
  readonly help: ComponentChildren
  readonly children: ComponentChildren
}

/** Shows one option of a list, with a hint. */
export const Radio = ({ name, checked, onChoose, help, children }: RadioProps) => (
  <label class="choice">
    <input type="radio" name={name} checked={checked} onChange={onChoose} />
    <span>
      {children}
      <small>{help}</small>
    </span>
  </label>
)

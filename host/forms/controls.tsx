/**
 * Parts of every field: label, description and problems, linked for assistive technology, and small
 * buttons.
 *
 * @module
 */

import type { ComponentChildren, JSX } from 'preact'
import { useForm, type FormContext } from './form-context.ts'
import { formatValue } from './leaf-fields.ts'
import type { Field } from './types.ts'

/** Longer defaults would hide the description. */
const MAX_DEFAULT_LENGTH = 80

/** Returns the description of a field, with its default where the input does not show it. */
function describeField(field: Field): string {
  return [field.description, describeDefault(field)].filter((text) => text !== '').join(' · ')
}

/** Describes the default, where the input itself does not show it. */
function describeDefault({ kind, isSet, defaultValue }: Field): string {
  const isShown = kind === 'text' || kind === 'number' || kind === 'choice' || kind === 'boolean'
  const text = formatValue(defaultValue)
  const isEmpty = ['', '[]', '{}', 'null'].includes(text)
  return isShown || isSet || isEmpty || text.length > MAX_DEFAULT_LENGTH ? '' : `Default: ${text}`
}

/** Returns the problems of a field, if they are to be shown. */
function shownProblems(field: Field, shows: boolean): readonly string[] {
  return shows ? field.problems : []
}

/** Returns the placeholder of an empty input: its default or an example. */
export function placeholderFor({ example, defaultValue }: Field): string {
  const text = formatValue(defaultValue)
  return text !== '' && text.length < 100 ? text : example === '' ? '' : `e.g. ${example}`
}

/** Returns the attributes that link an input to its description and its problems. */
export function useInputLinks(field: Field): {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: 'true'
  readonly 'aria-required'?: 'true'
  readonly onBlur: () => void
} {
  const form = useForm()
  const { pointer } = field
  const isInvalid = shownProblems(field, form.shows(pointer)).length > 0
  return {
    id: form.id(pointer),
    ...describedBy(field, form),
    ...(isInvalid && { 'aria-invalid': 'true' as const }),
    ...(field.required && { 'aria-required': 'true' as const }),
    onBlur: () => form.touch(pointer),
  }
}

/** Links an element to the description and the shown problems of its field. */
function describedBy(field: Field, form: FormContext): { readonly 'aria-describedby'?: string } {
  const { pointer } = field
  const ids = [
    ...(describeField(field) === '' ? [] : [form.id(pointer, 'help')]),
    ...(shownProblems(field, form.shows(pointer)).length > 0 ? [form.id(pointer, 'problem')] : []),
  ]
  return ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}
}

/** Shows whether a field is required, deprecated or read-only. */
function Marks({ field }: { field: Field }): JSX.Element {
  return (
    <>
      {field.required && field.pointer !== '' && <span class="sf-mark">required</span>}
      {field.deprecated && <span class="sf-mark">deprecated</span>}
      {field.readOnly && <span class="sf-mark">read only</span>}
    </>
  )
}

/** Shows the description of a field, if it has any. */
function Help({ field }: { field: Field }): JSX.Element | null {
  const form = useForm()
  const help = describeField(field)
  if (help === '') return null
  return (
    <p class="sf-help" id={form.id(field.pointer, 'help')}>
      {help}
    </p>
  )
}

/** Shows the problems of a field, once the user has left it. */
function Problems({ field }: { field: Field }): JSX.Element | null {
  const form = useForm()
  const problems = shownProblems(field, form.shows(field.pointer))
  if (problems.length === 0) return null
  return (
    <p class="sf-problem" id={form.id(field.pointer, 'problem')}>
      {problems.join('. ')}.
    </p>
  )
}

interface FrameProps {
  readonly field: Field
  readonly children: ComponentChildren
  /** Buttons beside the label. */
  readonly tools?: ComponentChildren
}

/** Shows a field that has one input. */
export function Frame({ field, children, tools }: FrameProps): JSX.Element {
  const form = useForm()
  return (
    <div class="sf-field" data-kind={field.kind} data-pointer={field.pointer}>
      <div class="sf-head">
        <label for={form.id(field.pointer)}>{field.label}</label>
        <Marks field={field} />
        {tools}
      </div>
      <Help field={field} />
      {children}
      <Problems field={field} />
    </div>
  )
}

/** Shows a field that has several inputs. */
export function Group({ field, children, tools }: FrameProps): JSX.Element {
  const form = useForm()
  const { pointer, kind } = field
  return (
    <div
      role="group"
      class="sf-group"
      data-kind={kind}
      data-pointer={pointer}
      aria-labelledby={form.id(pointer, 'label')}
      {...describedBy(field, form)}
    >
      <div class="sf-head">
        <span class="sf-label" id={form.id(pointer, 'label')}>
          {field.label}
        </span>
        <Marks field={field} />
        {tools && <span class="sf-tools">{tools}</span>}
      </div>
      <Help field={field} />
      {children}
      <Problems field={field} />
    </div>
  )
}

interface ActionButtonProps {
  readonly label: string
  /** Accessible name, if the label alone does not say what it acts on. */
  readonly name?: string
  readonly id?: string
  readonly disabled?: boolean
  /** Shown as a full button, for the main action. */
  readonly strong?: boolean
  readonly onClick: () => void
}

/** A small button beside a field. */
export function ActionButton({
  label,
  name,
  id,
  disabled,
  strong,
  onClick,
}: ActionButtonProps): JSX.Element {
  const form = useForm()
  return (
    <button
      type="button"
      class={`button small sf-act${strong ? '' : ' quiet'}`}
      disabled={form.readOnly || disabled === true}
      onClick={onClick}
      {...(id !== undefined && { id })}
      {...(name !== undefined && { 'aria-label': name })}
    >
      {label}
    </button>
  )
}

/** Removes an optional field. */
export function RemoveButton({ field }: { field: Field }): JSX.Element {
  const form = useForm()
  return (
    <ActionButton
      label="Remove"
      name={`Remove ${field.label}`}
      onClick={() => {
        form.set(field.pointer, undefined)
        form.focusNext(form.id(field.pointer))
      }}
    />
  )
}

/**
 * What surrounds an input: label, description and problems, linked for assistive technology.
 *
 * @module
 */

import type { ComponentChildren, JSX } from 'preact'
import { useDesk } from './desk.ts'
import type { Field } from './types.ts'
import { shown } from './base.ts'

/** Longer defaults would hide the description. */
const MAX_SHOWN = 80

/** Returns the description of a field, with its default where the input does not show it. */
export function helpFor(field: Field): string {
  return [field.description, presetFor(field)].filter((text) => text !== '').join(' · ')
}

/** Describes the default, where the input itself does not show it. */
function presetFor({ kind, isSet, defaultValue }: Field): string {
  const isShown = kind === 'text' || kind === 'number' || kind === 'choice' || kind === 'boolean'
  const preset = shown(defaultValue)
  const isEmpty = ['', '[]', '{}', 'null'].includes(preset)
  return isShown || isSet || isEmpty || preset.length > MAX_SHOWN
    ? ''
    : `Without a value: ${preset}`
}

/** Returns the problems of a field, if they are to be shown. */
export function shownProblems(field: Field, shows: boolean): readonly string[] {
  return shows ? field.problems : []
}

/** Returns the placeholder of an empty input: its default or an example. */
export function placeholderFor({ example, defaultValue }: Field): string {
  const preset = shown(defaultValue)
  return preset !== '' && preset.length < 100 ? preset : example === '' ? '' : `e.g. ${example}`
}

/** Returns the attributes that link an input to its description and its problems. */
export function useTies(field: Field): {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: 'true'
  readonly 'aria-required'?: 'true'
  readonly onBlur: () => void
} {
  const desk = useDesk()
  const { pointer } = field
  const isWrong = shownProblems(field, desk.shows(pointer)).length > 0
  const described = [
    ...(helpFor(field) === '' ? [] : [desk.id(pointer, 'help')]),
    ...(isWrong ? [desk.id(pointer, 'fault')] : []),
  ]
  return {
    id: desk.id(pointer),
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
    ...(isWrong && { 'aria-invalid': 'true' as const }),
    ...(field.required && { 'aria-required': 'true' as const }),
    onBlur: () => desk.touch(pointer),
  }
}

/** Shows whether a field is required, deprecated or read-only. */
export function Marks({ field }: { field: Field }): JSX.Element {
  return (
    <>
      {field.required && field.pointer !== '' && <span class="sf-mark">required</span>}
      {field.deprecated && <span class="sf-mark">deprecated</span>}
      {field.readOnly && <span class="sf-mark">read only</span>}
    </>
  )
}

/** Shows the description of a field, if it has any. */
export function Help({ field }: { field: Field }): JSX.Element | null {
  const desk = useDesk()
  const help = helpFor(field)
  if (help === '') return null
  return (
    <p class="sf-help" id={desk.id(field.pointer, 'help')}>
      {help}
    </p>
  )
}

/** Shows the problems of a field, once the user has left it. */
export function Faults({ field }: { field: Field }): JSX.Element | null {
  const desk = useDesk()
  const problems = shownProblems(field, desk.shows(field.pointer))
  if (problems.length === 0) return null
  return (
    <p class="sf-fault" id={desk.id(field.pointer, 'fault')}>
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
  const desk = useDesk()
  return (
    <div class="sf-field" data-kind={field.kind} data-pointer={field.pointer}>
      <div class="sf-head">
        <label for={desk.id(field.pointer)}>{field.label}</label>
        <Marks field={field} />
        {tools}
      </div>
      <Help field={field} />
      {children}
      <Faults field={field} />
    </div>
  )
}

/** Shows a field that has several inputs. */
export function Group({ field, children, tools }: FrameProps): JSX.Element {
  const desk = useDesk()
  const { pointer, kind } = field
  const isWrong = shownProblems(field, desk.shows(pointer)).length > 0
  const described = [
    ...(helpFor(field) === '' ? [] : [desk.id(pointer, 'help')]),
    ...(isWrong ? [desk.id(pointer, 'fault')] : []),
  ].join(' ')
  return (
    <div
      role="group"
      class="sf-group"
      data-kind={kind}
      data-pointer={pointer}
      aria-labelledby={desk.id(pointer, 'label')}
      {...(described !== '' && { 'aria-describedby': described })}
    >
      <div class="sf-head">
        <span class="sf-label" id={desk.id(pointer, 'label')}>
          {field.label}
        </span>
        <Marks field={field} />
        {tools && <span class="sf-tools">{tools}</span>}
      </div>
      <Help field={field} />
      {children}
      <Faults field={field} />
    </div>
  )
}

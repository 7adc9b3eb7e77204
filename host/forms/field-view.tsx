/**
 * Renders any field by its kind, with null as an option where the field allows it.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useDesk } from './desk.ts'
import { Act } from './acts.tsx'
import { BooleanInput, ChoiceInput, ChoicesInput } from './choice-inputs.tsx'
import { NumberInput, TextInput } from './inputs.tsx'
import { JsonInput } from './json-input.tsx'
import { ListView } from './list-view.tsx'
import { ObjectView } from './object-view.tsx'
import { Group } from './parts.tsx'
import type { Field } from './types.ts'
import { VariantView } from './variant-view.tsx'

/** Shows any field. */
export function FieldView({ field }: { field: Field }): JSX.Element {
  if (field.value === null && field.nullable) return <NullView field={field} />
  return (
    <>
      <Inner field={field} />
      {field.nullable && <NullAct field={field} />}
    </>
  )
}

function Inner({ field }: { field: Field }): JSX.Element {
  switch (field.kind) {
    case 'text':
      return <TextInput field={field} />
    case 'number':
      return <NumberInput field={field} />
    case 'boolean':
      return <BooleanInput field={field} />
    case 'choice':
      return <ChoiceInput field={field} />
    case 'choices':
      return <ChoicesInput field={field} />
    case 'list':
      return <ListView field={field} />
    case 'object':
      return <ObjectView field={field} />
    case 'variant':
      return <VariantView field={field} />
    case 'json':
      return <JsonInput field={field} />
  }
}

function NullView({ field }: { field: Field }): JSX.Element {
  const desk = useDesk()
  return (
    <Group field={field}>
      <p class="sf-null">
        <code>null</code>
        <Act
          label="Give a value"
          name={`Give a value to ${field.label}`}
          id={desk.id(field.pointer)}
          onClick={() => desk.set(field.pointer, field.required ? blankFor(field) : undefined)}
        />
      </p>
    </Group>
  )
}

function NullAct({ field }: { field: Field }): JSX.Element {
  const desk = useDesk()
  return (
    <div class="sf-after">
      <Act
        label="Set to null"
        name={`Set to null: ${field.label}`}
        onClick={() => desk.set(field.pointer, null)}
      />
    </div>
  )
}

/** Returns a first value other than null. */
function blankFor(field: Field): unknown {
  if (field.kind === 'object') return field.start
  if (field.kind === 'list' || field.kind === 'choices') return []
  return field.kind === 'boolean' ? false : field.kind === 'text' ? '' : undefined
}

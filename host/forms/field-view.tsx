/**
 * Renders any field by its kind, with null as an option where the field allows it, and a select
 * element where the schema has several variants.
 *
 * @module
 */

import type { JSX } from 'preact'
import { ActionButton, Group, RemoveButton } from './controls.tsx'
import { useForm } from './form-context.ts'
import {
  BooleanInput,
  ChoiceInput,
  ChoicesInput,
  JsonInput,
  NumberInput,
  TextInput,
} from './inputs.tsx'
import { ListView } from './list-view.tsx'
import { ObjectView } from './object-view.tsx'
import type { Field, FieldOf } from './types.ts'

/** Shows any field. */
export function FieldView({ field }: { field: Field }): JSX.Element {
  if (field.value === null && field.nullable) return <NullView field={field} />
  return (
    <>
      <KindView field={field} />
      {field.nullable && <ClearButton field={field} />}
    </>
  )
}

function KindView({ field }: { field: Field }): JSX.Element {
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
  const form = useForm()
  return (
    <Group field={field}>
      <p class="sf-null">
        <code>null</code>
        <ActionButton
          label="Set a value"
          name={`Set a value of ${field.label}`}
          id={form.id(field.pointer)}
          onClick={() => form.set(field.pointer, field.required ? firstValue(field) : undefined)}
        />
      </p>
    </Group>
  )
}

function ClearButton({ field }: { field: Field }): JSX.Element {
  const form = useForm()
  return (
    <div class="sf-after">
      <ActionButton
        label="Set to null"
        name={`Set to null: ${field.label}`}
        onClick={() => form.set(field.pointer, null)}
      />
    </div>
  )
}

/** Returns a first value other than null. */
function firstValue(field: Field): unknown {
  if (field.kind === 'object') return field.start
  if (field.kind === 'list' || field.kind === 'choices') return []
  return field.kind === 'boolean' ? false : field.kind === 'text' ? '' : undefined
}

/** Shows a variant field. */
function VariantView({ field }: { field: FieldOf<'variant'> }): JSX.Element {
  const form = useForm()
  const { View } = form
  const { pointer, variants, chosen } = field
  const about = variants[chosen]?.description ?? ''
  return (
    <Group field={field} tools={field.isSet && !field.required && <RemoveButton field={field} />}>
      <div class="sf-field">
        <label for={form.id(pointer, 'kind')}>Kind</label>
        <select
          id={form.id(pointer, 'kind')}
          disabled={form.readOnly || field.readOnly}
          onChange={(event) => {
            const index = Number(event.currentTarget.value)
            form.choose(pointer, index, variants[index]?.start)
          }}
        >
          {variants.map((variant, index) => (
            <option key={index} value={String(index)} selected={index === chosen}>
              {variant.label}
            </option>
          ))}
        </select>
      </div>
      {about !== '' && about !== field.field.description && <p class="sf-help">{about}</p>}
      <View key={chosen} field={chosenField(field)} />
    </Group>
  )
}

/** Returns the chosen field. An object or a list is removed with the whole variant, not by itself. */
function chosenField({ field, isSet }: FieldOf<'variant'>): Field {
  const isMade = field.kind === 'object' || field.kind === 'list'
  return isMade && isSet ? { ...field, required: true } : field
}

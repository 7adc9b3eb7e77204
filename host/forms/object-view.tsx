/**
 * An object in a form: its members, and a button to add more where the schema allows them.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { ActionButton, Group, RemoveButton } from './controls.tsx'
import { useForm } from './form-context.ts'
import type { ExtraRow, Field, FieldOf } from './types.ts'
import { appendStep, renameMember } from './value.ts'

/** Shows an object; an optional one without a value is a button that adds it. */
export function ObjectView({ field }: { field: FieldOf<'object'> }): JSX.Element {
  const form = useForm()
  const { pointer, isSet, required } = field
  if (!isSet && !required) return <Missing field={field} start={field.start} />
  const inside = <Members field={field} />
  if (pointer === '') return inside
  return (
    <Group field={field} tools={!required && <RemoveButton field={field} />}>
      {inside}
      {!isSet && required && field.fields.length === 0 && (
        <ActionButton
          label="Set"
          name={`Set ${field.label}`}
          onClick={() => form.set(pointer, {})}
        />
      )}
    </Group>
  )
}

function Members({ field }: { field: FieldOf<'object'> }): JSX.Element {
  const { View } = useForm()
  const { fields, extra } = field
  return (
    <div class="sf-members">
      {fields.map((member) => (
        <View key={member.pointer} field={member} />
      ))}
      {extra?.rows.map((row, index) => (
        <RowView key={index} row={row} object={field} />
      ))}
      {extra?.canAdd && <AddMember field={field} start={extra.start} />}
      {fields.length === 0 && !extra && <p class="sf-help">There is nothing to fill in.</p>}
    </div>
  )
}

/** A member that the schema does not name; its name can be edited. */
function RowView({ row, object }: { row: ExtraRow; object: FieldOf<'object'> }): JSX.Element {
  const form = useForm()
  const { View } = form
  const [name, setName] = useState<string | null>(null)
  const rename = () => {
    const next = name?.trim() ?? ''
    setName(null)
    const value = form.get(object.pointer)
    const isFree = next !== '' && isRecord(value) && !Object.hasOwn(value, next)
    if (isFree) form.set(object.pointer, renameMember(value, row.name, next))
  }
  const id = form.id(row.field.pointer, 'name')
  return (
    <div class="sf-row">
      <div class="sf-row-name">
        <label for={id}>Name</label>
        <input
          id={id}
          type="text"
          autocomplete="off"
          value={name ?? row.name}
          readOnly={form.readOnly}
          onInput={(event) => setName(event.currentTarget.value)}
          onChange={rename}
        />
      </div>
      <View field={row.field} />
      <ActionButton
        label="Remove"
        name={`Remove ${row.name}`}
        onClick={() => {
          form.set(row.field.pointer, undefined)
          form.focusNext(form.id(object.pointer, 'add'))
        }}
      />
    </div>
  )
}

function AddMember({ field, start }: { field: FieldOf<'object'>; start: unknown }): JSX.Element {
  const form = useForm()
  const add = () => {
    const value = form.get(field.pointer)
    const name = freeName(recordOf(value))
    const pointer = appendStep(field.pointer, name)
    form.set(pointer, start)
    form.focusNext(form.id(pointer, 'name'))
  }
  return (
    <div class="sf-after">
      <ActionButton
        strong
        label="Add a member"
        id={form.id(field.pointer, 'add')}
        name={`Add a member to ${field.label}`}
        onClick={add}
      />
    </div>
  )
}

function freeName(object: JsonRecord): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'name' : `name${count}`
    if (!Object.hasOwn(object, name)) return name
  }
}

/** An optional object without a value. */
function Missing({ field, start }: { field: Field; start: unknown }): JSX.Element {
  const form = useForm()
  return (
    <Group field={field}>
      <ActionButton
        strong
        label="Add"
        name={`Add ${field.label}`}
        id={form.id(field.pointer)}
        onClick={() => form.set(field.pointer, start)}
      />
    </Group>
  )
}

/**
 * An object in a form: its members, and a button to add more where the schema allows them.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { Act, Drop } from './acts.tsx'
import { useDesk } from './desk.ts'
import { Group } from './parts.tsx'
import type { ExtraRow, Field } from './types.ts'
import { below, renamed } from './value.ts'

type Of<K extends Field['kind']> = Extract<Field, { kind: K }>

/** Shows an object; an optional one without a value is a button that adds it. */
export function ObjectView({ field }: { field: Of<'object'> }): JSX.Element {
  const desk = useDesk()
  const { pointer, isSet, required } = field
  if (!isSet && !required) return <Missing field={field} start={field.start} />
  const inside = <Members field={field} />
  if (pointer === '') return inside
  return (
    <Group field={field} tools={!required && <Drop field={field} />}>
      {inside}
      {!isSet && required && field.fields.length === 0 && (
        <Act label="Set" name={`Set ${field.label}`} onClick={() => desk.set(pointer, {})} />
      )}
    </Group>
  )
}

function Members({ field }: { field: Of<'object'> }): JSX.Element {
  const { View } = useDesk()
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
function RowView({ row, object }: { row: ExtraRow; object: Of<'object'> }): JSX.Element {
  const desk = useDesk()
  const { View } = desk
  const [name, setName] = useState<string | null>(null)
  const rename = () => {
    const next = name?.trim() ?? ''
    setName(null)
    const value = desk.get(object.pointer)
    const isFree = next !== '' && isRecord(value) && !Object.hasOwn(value, next)
    if (isFree) desk.set(object.pointer, renamed(value, row.name, next))
  }
  const id = desk.id(row.field.pointer, 'name')
  return (
    <div class="sf-row">
      <div class="sf-row-name">
        <label for={id}>Name</label>
        <input
          id={id}
          type="text"
          autocomplete="off"
          value={name ?? row.name}
          readOnly={desk.readOnly}
          onInput={(event) => setName(event.currentTarget.value)}
          onChange={rename}
        />
      </div>
      <View field={row.field} />
      <Act
        label="Remove"
        name={`Remove ${row.name}`}
        onClick={() => {
          desk.set(row.field.pointer, undefined)
          desk.focusNext(desk.id(object.pointer, 'add'))
        }}
      />
    </div>
  )
}

function AddMember({ field, start }: { field: Of<'object'>; start: unknown }): JSX.Element {
  const desk = useDesk()
  const add = () => {
    const value = desk.get(field.pointer)
    const name = freeName(recordOf(value))
    const pointer = below(field.pointer, name)
    desk.set(pointer, start)
    desk.focusNext(desk.id(pointer, 'name'))
  }
  return (
    <div class="sf-after">
      <Act
        strong
        label="Add a member"
        id={desk.id(field.pointer, 'add')}
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
  const desk = useDesk()
  return (
    <Group field={field}>
      <Act
        strong
        label="Add"
        name={`Add ${field.label}`}
        id={desk.id(field.pointer)}
        onClick={() => desk.set(field.pointer, start)}
      />
    </Group>
  )
}

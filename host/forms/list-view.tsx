/**
 * A list in a form. After an item is added, moved or removed, the focus moves to the next likely
 * action.
 *
 * @module
 */

import type { JSX } from 'preact'
import { ActionButton, Group, RemoveButton } from './controls.tsx'
import { useForm } from './form-context.ts'
import type { FieldOf } from './types.ts'
import { appendStep, moveItem, removeItem } from './value.ts'

/** Shows a list with its items and the buttons to add, move and remove them. */
export function ListView({ field }: { field: FieldOf<'list'> }): JSX.Element {
  const form = useForm()
  const { View } = form
  const { pointer, items, canAdd, required, isSet } = field
  const add = () => {
    const list = form.get(pointer)
    const before: unknown[] = Array.isArray(list) ? list : []
    form.set(pointer, [...before, field.start])
    form.focusNext(form.id(appendStep(pointer, before.length)))
  }
  return (
    <Group field={field} tools={isSet && !required && <RemoveButton field={field} />}>
      <ol class="sf-items">
        {items.map((item, index) => (
          <li key={item.pointer}>
            <View field={item} />
            <ItemTools list={field} index={index} />
          </li>
        ))}
      </ol>
      <div class="sf-after">
        {canAdd && (
          <ActionButton
            strong
            label="Add"
            name={`Add to ${field.label}`}
            id={form.id(pointer)}
            onClick={add}
          />
        )}
        {!isSet && required && field.minItems === 0 && (
          <ActionButton
            label="Leave empty"
            name={`Leave empty: ${field.label}`}
            onClick={() => form.set(pointer, [])}
          />
        )}
      </div>
    </Group>
  )
}

function ItemTools({ list, index }: { list: FieldOf<'list'>; index: number }): JSX.Element | null {
  const form = useForm()
  const { pointer, items, fixed } = list
  if (index < fixed) return null
  const name = `entry ${index + 1} of ${list.label}`
  const move = (to: number, part: string) => {
    form.set(pointer, moveItem(form.get(pointer), index, to))
    // At either end this button is disabled, so the focus moves to the other one.
    const edge = part === 'up' ? to === fixed : to === items.length - 1
    const other = part === 'up' ? 'down' : 'up'
    form.focusNext(form.id(appendStep(pointer, to), edge ? other : part))
  }
  const remove = () => {
    const left = removeItem(form.get(pointer), index)
    const isGone = Array.isArray(left) && left.length === 0 && !list.required
    form.set(pointer, isGone ? undefined : left)
    form.focusNext(form.id(pointer))
  }
  const here = appendStep(pointer, index)
  return (
    <div class="sf-item-tools">
      <ActionButton
        label="↑"
        name={`Move ${name} up`}
        id={form.id(here, 'up')}
        disabled={index === fixed}
        onClick={() => move(index - 1, 'up')}
      />
      <ActionButton
        label="↓"
        name={`Move ${name} down`}
        id={form.id(here, 'down')}
        disabled={index === items.length - 1}
        onClick={() => move(index + 1, 'down')}
      />
      <ActionButton label="Remove" name={`Remove ${name}`} onClick={remove} />
    </div>
  )
}

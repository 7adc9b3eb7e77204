/**
 * A list in a form. After an item is added, moved or removed, the focus moves to the next likely
 * action.
 *
 * @module
 */

import type { JSX } from 'preact'
import { Act, Drop } from './acts.tsx'
import { useDesk } from './desk.ts'
import { Group } from './parts.tsx'
import type { Field } from './types.ts'
import { below, movedItem, withoutItem } from './value.ts'

type Of<K extends Field['kind']> = Extract<Field, { kind: K }>

/** Shows a list with its items and the buttons to add, move and remove them. */
export function ListView({ field }: { field: Of<'list'> }): JSX.Element {
  const desk = useDesk()
  const { View } = desk
  const { pointer, items, canAdd, required, isSet } = field
  const add = () => {
    const list = desk.get(pointer)
    const before: unknown[] = Array.isArray(list) ? list : []
    desk.set(pointer, [...before, field.start])
    desk.focusNext(desk.id(below(pointer, before.length)))
  }
  return (
    <Group field={field} tools={isSet && !required && <Drop field={field} />}>
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
          <Act
            strong
            label="Add"
            name={`Add to ${field.label}`}
            id={desk.id(pointer)}
            onClick={add}
          />
        )}
        {!isSet && required && field.minItems === 0 && (
          <Act
            label="Leave empty"
            name={`Leave empty: ${field.label}`}
            onClick={() => desk.set(pointer, [])}
          />
        )}
      </div>
    </Group>
  )
}

function ItemTools({ list, index }: { list: Of<'list'>; index: number }): JSX.Element | null {
  const desk = useDesk()
  const { pointer, items, fixed } = list
  if (index < fixed) return null
  const name = `entry ${index + 1} of ${list.label}`
  const move = (to: number, part: string) => {
    desk.set(pointer, movedItem(desk.get(pointer), index, to))
    // At either end this button is disabled, so the focus moves to the other one.
    const edge = part === 'up' ? to === fixed : to === items.length - 1
    const other = part === 'up' ? 'down' : 'up'
    desk.focusNext(desk.id(below(pointer, to), edge ? other : part))
  }
  const remove = () => {
    const left = withoutItem(desk.get(pointer), index)
    const isGone = Array.isArray(left) && left.length === 0 && !list.required
    desk.set(pointer, isGone ? undefined : left)
    desk.focusNext(desk.id(pointer))
  }
  const here = below(pointer, index)
  return (
    <div class="sf-item-tools">
      <Act
        label="↑"
        name={`Move ${name} up`}
        id={desk.id(here, 'up')}
        disabled={index === fixed}
        onClick={() => move(index - 1, 'up')}
      />
      <Act
        label="↓"
        name={`Move ${name} down`}
        id={desk.id(here, 'down')}
        disabled={index === items.length - 1}
        onClick={() => move(index + 1, 'down')}
      />
      <Act label="Remove" name={`Remove ${name}`} onClick={remove} />
    </div>
  )
}

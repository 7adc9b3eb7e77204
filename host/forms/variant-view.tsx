/** A choice of schemas in a form: a select element and the chosen field. @module */

import type { ComponentChildren, JSX } from 'preact'
import { Drop } from './acts.tsx'
import { useDesk } from './desk.ts'
import { Group } from './parts.tsx'
import type { Field } from './types.ts'

type Of<K extends Field['kind']> = Extract<Field, { kind: K }>

/** Shows a variant field. */
export function VariantView({ field }: { field: Of<'variant'> }): JSX.Element {
  const desk = useDesk()
  const { View } = desk
  const { pointer, variants, chosen } = field
  const about = variants[chosen]?.description ?? ''
  return (
    <Group field={field} tools={field.isSet && !field.required && <Drop field={field} />}>
      <Labelled label="Kind" id={desk.id(pointer, 'kind')}>
        <select
          id={desk.id(pointer, 'kind')}
          disabled={desk.readOnly || field.readOnly}
          onChange={(event) => {
            const index = Number(event.currentTarget.value)
            desk.choose(pointer, index, variants[index]?.start)
          }}
        >
          {variants.map((variant, index) => (
            <option key={index} value={String(index)} selected={index === chosen}>
              {variant.label}
            </option>
          ))}
        </select>
      </Labelled>
      {about !== '' && about !== field.field.description && <p class="sf-help">{about}</p>}
      <View key={chosen} field={asPart(field)} />
    </Group>
  )
}

/** Returns the chosen field. An object or a list is removed with the whole variant, not by itself. */
function asPart({ field, isSet }: Of<'variant'>): Field {
  const isMade = field.kind === 'object' || field.kind === 'list'
  return isMade && isSet ? { ...field, required: true } : field
}

interface LabelledProps {
  readonly label: string
  readonly id: string
  readonly children: ComponentChildren
}

function Labelled({ label, id, children }: LabelledProps): JSX.Element {
  return (
    <div class="sf-field">
      <label for={id}>{label}</label>
      {children}
    </div>
  )
}

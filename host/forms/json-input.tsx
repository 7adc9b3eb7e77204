/**
 * A JSON editor. Text that is not valid JSON yet is kept separately and leaves the value unchanged.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useDesk } from './desk.ts'
import { Frame, placeholderFor, useTies } from './parts.tsx'
import type { Field } from './types.ts'
import { sameJson } from './value.ts'

/** Shows a field as editable JSON. */
export function JsonInput({ field }: { field: Field }): JSX.Element {
  const desk = useDesk()
  const { pointer, value } = field
  const ties = useTies(field)
  const broken = desk.draftAt(pointer)
  const [typed, setTyped] = useState('')
  const text = broken ?? (sameJson(jsonIn(typed)?.value, value) ? typed : printed(value))
  const write = (next: string) => {
    setTyped(next)
    const read = next.trim() === '' ? { value: undefined } : jsonIn(next)
    desk.draft(pointer, read ? null : next)
    if (read) desk.set(pointer, read.value)
  }
  const fault = broken === null ? null : `${desk.id(pointer, 'draft')}`
  return (
    <Frame field={field}>
      <textarea
        {...ties}
        {...(fault && {
          'aria-invalid': 'true',
          'aria-describedby': `${ties['aria-describedby'] ?? ''} ${fault}`.trim(),
        })}
        class="code"
        rows={Math.min(20, Math.max(3, text.split('\n', 21).length))}
        spellcheck={false}
        value={text}
        placeholder={placeholderFor(field) || 'JSON, such as "text", 12 or {"name": true}'}
        readOnly={field.readOnly || desk.readOnly}
        onInput={(event) => write(event.currentTarget.value)}
      />
      {fault && (
        <p class="sf-fault" id={fault}>
          This is not JSON yet.
        </p>
      )}
    </Frame>
  )
}

function printed(value: unknown): string {
  return value === undefined ? '' : (JSON.stringify(value, null, 2) ?? '')
}

function jsonIn(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

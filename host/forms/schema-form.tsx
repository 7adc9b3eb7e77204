/**
 * A form for a JSON Schema: renders `formModel`, or the same value as JSON.
 *
 * The caller owns the value. The form keeps only view state: which fields the user has left, which
 * variants they chose, and text that is not valid JSON yet. `test/host/forms-view.test.tsx` fills
 * it in.
 *
 * @module
 */

import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { DeskProvider, idFor, type FormDesk } from './desk.ts'
import { jsonField } from './base.ts'
import { FieldView } from './field-view.tsx'
import { JsonInput } from './json-input.tsx'
import { formModel } from './model.ts'
import type { FormValue, Pointer } from './types.ts'
import { valueAt, withValueAt } from './value.ts'

/** Props of {@link SchemaForm}. */
export interface SchemaFormProps {
  readonly schema: unknown
  readonly value: FormValue
  /** Called with each new value, and whether it is valid and complete JSON. */
  readonly onChange: (value: FormValue, valid: boolean) => void
  /** Prefix of all element ids; unique on the page. */
  readonly idPrefix: string
  /** Initial mode; a button switches it. */
  readonly mode?: 'form' | 'json'
  /** Label of the whole form. */
  readonly label?: string
  readonly readOnly?: boolean
  /** Whether to show problems of fields that the user has left (the default), or of all. */
  readonly showProblems?: 'touched' | 'all'
}

type Drafts = ReadonlyMap<Pointer, string>

/** Shows a form for a schema, with a button to edit the value as JSON instead. */
export function SchemaForm(props: SchemaFormProps): JSX.Element {
  const { schema, value, idPrefix, label = 'Value', showProblems = 'touched' } = props
  const [mode, setMode] = useState(props.mode ?? 'form')
  const [chosen, setChosen] = useState<ReadonlyMap<Pointer, number>>(new Map())
  const [touched, setTouched] = useState<ReadonlySet<Pointer>>(new Set())
  const [drafts, setDrafts] = useState<Drafts>(new Map())
  const focus = useRef<string | null>(null)
  // Two changes can arrive before the next render; the second builds on the first.
  const latest = useRef(value)
  latest.current = value
  const unread = useRef(drafts)
  const model = useMemo(
    () => formModel(schema, value, { label, chosen }),
    [schema, value, label, chosen],
  )

  useLayoutEffect(() => {
    if (focus.current === null) return
    document.getElementById(focus.current)?.focus()
    focus.current = null
  })

  function tell(next: FormValue): void {
    latest.current = next
    props.onChange(next, unread.current.size === 0 && formModel(schema, next, { chosen }).valid)
  }

  function keepDrafts(next: Drafts): void {
    unread.current = next
    setDrafts(next)
  }

  function set(pointer: Pointer, next: FormValue): void {
    // The value below this pointer is replaced, so unfinished JSON typed there no longer applies.
    const left = [...unread.current].filter(([place]) => !place.startsWith(`${pointer}/`))
    if (left.length < unread.current.size) keepDrafts(new Map(left))
    tell(withValueAt(latest.current, pointer, next))
  }

  const desk: FormDesk = {
    readOnly: props.readOnly === true,
    View: FieldView,
    set,
    get: (pointer) => valueAt(latest.current, pointer),
    choose(pointer, variant, start) {
      setChosen(new Map([...chosen, [pointer, variant]]))
      set(pointer, start)
    },
    touch: (pointer) => setTouched((before) => new Set([...before, pointer])),
    shows: (pointer) => showProblems === 'all' || touched.has(pointer),
    draft(pointer, text) {
      const others = [...unread.current].filter(([place]) => place !== pointer)
      keepDrafts(new Map(text === null ? others : [...others, [pointer, text]]))
      if (text !== null) tell(latest.current)
    },
    draftAt: (pointer) => drafts.get(pointer) ?? null,
    id: (pointer, part) => idFor(idPrefix, pointer, part),
    focusNext: (id) => void (focus.current = id),
  }

  function changeMode(): void {
    // Unfinished JSON is not part of the value and is dropped with its editor.
    if (unread.current.size > 0) {
      keepDrafts(new Map())
      tell(latest.current)
    }
    setMode(mode === 'form' ? 'json' : 'form')
  }

  const whole = { pointer: '', label, required: false, depth: 0 }
  return (
    <DeskProvider value={desk}>
      <div
        class="sf"
        data-mode={mode}
        {...(mode === 'form' && { role: 'group', 'aria-label': label })}
      >
        <div class="sf-bar">
          <button
            type="button"
            class="button small quiet"
            aria-pressed={mode === 'json'}
            onClick={changeMode}
          >
            As JSON
          </button>
        </div>
        {mode === 'form' ? (
          <FieldView field={model.root} />
        ) : (
          <JsonInput field={jsonField({}, value, whole)} />
        )}
      </div>
    </DeskProvider>
  )
}

/**
 * State of a form beside its value, which the caller owns: the fields that the user has left, the
 * variants that they chose, text that is not valid JSON yet, and the element to focus next.
 * `test/host/forms/view.test.tsx` fills in forms.
 *
 * @module
 */

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createId, type FormContext } from './form-context.ts'
import { formModel } from './model.ts'
import type { FormModel, FormValue, Pointer } from './types.ts'
import { getValueAt, setValueAt } from './value.ts'

/** Options of {@link useFormState}. */
export interface FormOptions {
  readonly schema: unknown
  readonly value: FormValue
  /** Called with each new value, and whether it is valid and complete JSON. */
  readonly onChange: (value: FormValue, valid: boolean) => void
  /** Prefix of all element ids; unique on the page. */
  readonly idPrefix: string
  /** Label of the whole form. */
  readonly label?: string
  readonly readOnly?: boolean
  /** Whether to show problems of fields that the user has left (the default), or of all. */
  readonly showProblems?: 'touched' | 'all'
}

/** The fields of a form, the context that they need, and a function that drops unfinished JSON. */
export interface FormState {
  readonly model: FormModel
  readonly context: FormContext
  readonly dropDrafts: () => void
}

type Chosen = ReadonlyMap<Pointer, number>
type Drafts = ReadonlyMap<Pointer, string>

/**
 * Holds the state of a form.
 *
 * @param View Renders the fields.
 */
export function useFormState(options: FormOptions, View: FormContext['View']): FormState {
  const { schema, value, idPrefix, label = 'Value', showProblems = 'touched' } = options
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [touched, setTouched] = useState<ReadonlySet<Pointer>>(new Set())
  const focusNext = useFocusNext()
  const { drafts, latest, shownDrafts, set, setDrafts } = useEdits(options, chosen)
  const model = useMemo(
    () => formModel(schema, value, { label, chosen }),
    [schema, value, label, chosen],
  )
  const context: FormContext = {
    readOnly: options.readOnly === true,
    View,
    set,
    get: (pointer) => getValueAt(latest.current, pointer),
    choose(pointer, variant, start) {
      setChosen(new Map([...chosen, [pointer, variant]]))
      set(pointer, start)
    },
    touch: (pointer) => setTouched((before) => new Set([...before, pointer])),
    shows: (pointer) => showProblems === 'all' || touched.has(pointer),
    setDraft: (pointer, text) => setDrafts(withDraft(drafts.current, pointer, text), text !== null),
    getDraft: (pointer) => shownDrafts.get(pointer) ?? null,
    id: (pointer, part) => createId(idPrefix, pointer, part),
    focusNext,
  }
  const dropDrafts = () => void (drafts.current.size > 0 && setDrafts(new Map(), true))
  return { model, context, dropDrafts }
}

function useFocusNext(): (id: string) => void {
  const next = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (next.current === null) return
    document.getElementById(next.current)?.focus()
    next.current = null
  })
  return (id) => void (next.current = id)
}

/** The value and the drafts of a form, also those that changed since the last render. */
interface Edits {
  readonly latest: { readonly current: FormValue }
  readonly drafts: { readonly current: Drafts }
  readonly shownDrafts: Drafts
  /** Sets the value at a pointer and reports it. */
  readonly set: (pointer: Pointer, next: FormValue) => void
  /** Sets the drafts; reports the value again if they change whether it is complete. */
  readonly setDrafts: (next: Drafts, isReported: boolean) => void
}

function useEdits({ schema, value, onChange }: FormOptions, chosen: Chosen): Edits {
  const [shownDrafts, showDrafts] = useState<Drafts>(new Map())
  // Two changes can arrive before the next render; the second builds on the first.
  const latest = useRef(value)
  latest.current = value
  const drafts = useRef(shownDrafts)

  function report(next: FormValue): void {
    latest.current = next
    onChange(next, drafts.current.size === 0 && formModel(schema, next, { chosen }).valid)
  }

  function setDrafts(next: Drafts, isReported: boolean): void {
    drafts.current = next
    showDrafts(next)
    if (isReported) report(latest.current)
  }

  function set(pointer: Pointer, next: FormValue): void {
    // The value below this pointer is replaced, so unfinished JSON typed there no longer applies.
    const left = [...drafts.current].filter(([place]) => !place.startsWith(`${pointer}/`))
    if (left.length < drafts.current.size) setDrafts(new Map(left), false)
    report(setValueAt(latest.current, pointer, next))
  }

  return { latest, drafts, shownDrafts, set, setDrafts }
}

function withDraft(drafts: Drafts, pointer: Pointer, text: string | null): Drafts {
  const others = [...drafts].filter(([place]) => place !== pointer)
  return new Map(text === null ? others : [...others, [pointer, text]])
}

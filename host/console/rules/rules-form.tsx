/**
 * The form of the rules, beside what they mean. Rules are saved only after a question that lists
 * what changes. The bar with Save stays at the bottom of the window, wherever the page is scrolled to.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import type { StorePath } from '#core/path.ts'
import { configurationSchema } from '../../forms/filter.ts'
import { connection, revision } from '../connect/connection.ts'
import { ownBase } from '../connect/workspace.ts'
import { AnswerError } from '../ui/errors.ts'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { Fault } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'
import { diffConfigs, readDefaults, rebaseConfig, type Difference } from './config-diff.ts'
import { FlagsNote } from './flags-note.tsx'
import { FolderTable } from './folder-table.tsx'
import { markFields, REFUSAL, RuleSections } from './rule-sections.tsx'
import { RulesSummary } from './rules-summary.tsx'
import { saveRules, summarizeChanges } from './save-rules.ts'

interface Props {
  /** The configuration as the server has it. */
  readonly saved: JsonRecord
  /** The folders at the top of the workspace. */
  readonly top: readonly StorePath[]
  readonly onSaved: () => void
  /** What else is on the page, above the bar. */
  readonly children: ComponentChildren
}

/** Shows the configuration as a form, with its effect beside it. */
export function RulesForm({ saved, top, onSaved, children }: Props) {
  const id = useId()
  const schema = configurationSchema(connection.value?.configSchema)
  const rules = useRules({ saved, onSaved })
  const { draft, setDraft, changes, isSaving, error, change, save } = rules
  const canSave = changes.length > 0 && rules.isValid && !isSaving
  const setRules = (config: JsonRecord) => {
    setDraft(config)
    void save(config)
  }
  return (
    <>
      <div class="rules">
        <div class="whole stack">
          <FlagsNote />
          <FolderTable config={draft} top={top} onChange={setRules} />
        </div>
        <form
          id={id}
          class="card"
          aria-label="Rules"
          onSubmit={submitByHand(() => void (canSave && save(draft)))}
        >
          <RuleSections schema={schema} value={draft} onChange={change} />
        </form>
        <aside class="stack">
          <RulesSummary config={draft} defaults={readDefaults(schema)} onReset={setDraft} />
        </aside>
      </div>
      {children}
      <SaveBar
        form={id}
        changes={changes}
        canSave={canSave}
        isSaving={isSaving}
        error={error}
        onDiscard={() => setDraft(saved)}
      />
    </>
  )
}

/** Holds the rules as they are edited, and saves them after a question. */
function useRules({ saved, onSaved }: Pick<Props, 'saved' | 'onSaved'>) {
  const [draft, setDraft] = useDraft(saved)
  const [isValid, setValid] = useState(true)
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const changes = diffConfigs(saved, draft)
  useLeaveWarning(changes.length > 0)
  const save = async (config: JsonRecord) => {
    const base = ownBase.value
    if (base === null || isSaving) return
    setSaving(true)
    try {
      const isSaved = await saveRules(base, { before: saved, after: config })
      setError(null)
      if (!isSaved) return
      revision.value++
      showToast('The rules were saved. They apply from the next call on.')
      onSaved()
    } catch (problem) {
      setError(withFieldMessages(problem))
      markFields(problem)
    } finally {
      setSaving(false)
    }
  }
  const change = (value: JsonRecord, valid: boolean) => {
    setDraft(value)
    setValid(valid)
    setError(null)
  }
  return { draft, setDraft, changes, isValid, isSaving, error, change, save }
}

/** Holds edited rules, and keeps the edits when newer rules were read. */
function useDraft(saved: JsonRecord) {
  const [draft, setDraft] = useState(saved)
  const before = useRef(saved)
  useEffect(() => {
    const edited = { before: before.current, after: draft }
    before.current = saved
    setDraft(rebaseConfig(saved, edited))
  }, [saved])
  return [draft, setDraft] as const
}

/** Replaces the message of a refusal by those of its fields, if it has any. */
function withFieldMessages(problem: unknown): unknown {
  if (!(problem instanceof AnswerError) || problem.fields.length === 0) return problem
  const message = problem.fields.map((field) => field.message).join('; ')
  return new AnswerError(message, problem.status, problem)
}

interface SaveBarProps {
  /** The id of the form. */
  readonly form: string
  readonly changes: readonly Difference[]
  readonly canSave: boolean
  readonly isSaving: boolean
  readonly error: unknown
  readonly onDiscard: () => void
}

/** Its buttons are never disabled, so that the focus stays on one that has done its work. */
function SaveBar({ form, changes, canSave, isSaving, error, onDiscard }: SaveBarProps) {
  const hasChanges = changes.length > 0
  return (
    <div class={`savebar ${hasChanges ? 'dirty' : ''}`}>
      <div id={REFUSAL} class="refusal">
        {error ? <Fault what="Cannot save the rules" error={error} /> : null}
      </div>
      <span class="faint small" role="status">
        {hasChanges ? summarizeChanges(changes) : 'No changes'}
      </span>
      <button type="button" class="button quiet" aria-disabled={!hasChanges} onClick={onDiscard}>
        Discard
      </button>
      <button
        type="submit"
        form={form}
        class="button primary"
        aria-disabled={!canSave}
        onClick={pressByHand}
      >
        {isSaving ? 'Saving…' : 'Save…'}
      </button>
    </div>
  )
}

/** Lets the browser ask before the user leaves a page with unsaved rules. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
}

/**
 * The form of the rules, beside what they mean. Rules are saved only after a question that lists
 * what changes. The bar with Save stays at the bottom of the window, wherever the page is scrolled to.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import type { ApiProblem } from '../../mcp/workspace-api.ts'
import { configurationSchema } from '../../forms/filter.ts'
import { connection, revision } from '../connect/connection.ts'
import { api } from '../connect/workspace.ts'
import { askToConfirm } from '../questions/queue.ts'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { Fault } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'
import { diffConfigs, readDefaults, type Difference } from './config-diff.ts'
import { FolderTable } from './folder-table.tsx'
import { markFields, REFUSAL, RuleSections } from './rule-sections.tsx'
import { RulesSummary } from './rules-summary.tsx'

interface Props {
  /** The configuration as the server has it. */
  readonly saved: JsonRecord
  readonly onSaved: () => void
  /** What else is on the page, above the bar. */
  readonly children: ComponentChildren
}

/** Shows the configuration as a form, with its effect beside it. */
export function RulesForm({ saved, onSaved, children }: Props) {
  const id = useId()
  const schema = configurationSchema(connection.value?.configSchema)
  const { draft, setDraft, changes, isValid, error, change, save } = useRules({ saved, onSaved })
  const setRules = (config: JsonRecord) => {
    setDraft(config)
    void save(config)
  }
  return (
    <>
      <div class="rules">
        <div class="whole">
          <FolderTable config={draft} onChange={setRules} />
        </div>
        <form
          id={id}
          class="card"
          aria-label="Rules"
          onSubmit={submitByHand(() => void save(draft))}
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
        isValid={isValid}
        error={error}
        onDiscard={() => setDraft(saved)}
      />
    </>
  )
}

/** Holds the rules as they are edited, and saves them after a question. */
function useRules({ saved, onSaved }: Pick<Props, 'saved' | 'onSaved'>) {
  const [draft, setDraft] = useState<JsonRecord>(saved)
  const [isValid, setValid] = useState(true)
  const [error, setError] = useState<unknown>(null)
  const changes = diffConfigs(saved, draft)
  useLeaveWarning(changes.length > 0)
  const save = async (config: JsonRecord) => {
    const from = api.value
    if (!from || !(await askToConfirm(describeSave(diffConfigs(saved, config))))) return
    const answer = await from.setConfig(config)
    if (!answer.ok) {
      setError(withFieldMessages(answer.error))
      return markFields(answer.error)
    }
    setError(null)
    revision.value++
    showToast('The rules were saved. They apply from the next call on.')
    onSaved()
  }
  const change = (value: JsonRecord, valid: boolean) => {
    setDraft(value)
    setValid(valid)
    setError(null)
  }
  return { draft, setDraft, changes, isValid, error, change, save }
}

/** Replaces the message of a problem by those of its fields, if it has any. */
function withFieldMessages(problem: ApiProblem): ApiProblem {
  const messages = (problem.fields ?? []).map(({ message }) => message)
  return messages.length > 0 ? { ...problem, message: messages.join('; ') } : problem
}

const describeSave = (changes: readonly Difference[]) => ({
  title: 'Save these rules?',
  text: summarizeChanges(changes),
  detail: changes.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join('\n'),
  yes: 'Save',
})

const summarizeChanges = (changes: readonly Difference[]) =>
  changes.length === 1 ? '1 rule changes.' : `${changes.length} rules change.`

interface SaveBarProps {
  /** The id of the form. */
  readonly form: string
  readonly changes: readonly Difference[]
  readonly isValid: boolean
  readonly error: unknown
  readonly onDiscard: () => void
}

const SaveBar = ({ form, changes, isValid, error, onDiscard }: SaveBarProps) => (
  <div class={`savebar ${changes.length > 0 ? 'dirty' : ''}`}>
    <div id={REFUSAL} class="refusal">
      {error ? <Fault what="Cannot save the rules" error={error} /> : null}
    </div>
    <span class="faint small" role="status">
      {changes.length === 0 ? 'No changes' : summarizeChanges(changes)}
    </span>
    <button type="button" class="button quiet" disabled={changes.length === 0} onClick={onDiscard}>
      Discard
    </button>
    <button
      type="submit"
      form={form}
      class="button primary"
      disabled={changes.length === 0 || !isValid}
      onClick={pressByHand}
    >
      Save…
    </button>
  </div>
)

/** Lets the browser ask before the user leaves a page with unsaved rules. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
}

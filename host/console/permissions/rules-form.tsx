/**
 * The form of the rules, beside what they mean. Rules are saved only after a question that lists
 * what changes.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { recordOf, type JsonRecord } from '#core/json.ts'
import type { ApiProblem } from '../../mcp/workspace-api.ts'
import { configurationSchema } from '../../forms/filter.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { connection, revision } from '../connect/connection.ts'
import { api } from '../connect/workspace.ts'
import { askToConfirm } from '../questions/queue.ts'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { Fault } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'
import { diffConfigs, readDefaults, type Difference } from './config-diff.ts'
import { FolderTable } from './folder-table.tsx'
import { RulesSummary } from './rules-summary.tsx'

/** The prefixes of the ids of both parts of the form. */
const PREFIXES = ['config', 'limits'] as const
const REFUSAL = 'config-refusal'

interface Props {
  /** The configuration as the server has it. */
  readonly saved: JsonRecord
  readonly onSaved: () => void
}

/** Shows the configuration as a form, with its effect beside it. */
export function RulesForm({ saved, onSaved }: Props) {
  const schema = configurationSchema(connection.value?.configSchema)
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
  const setRules = (config: JsonRecord) => {
    setDraft(config)
    void save(config)
  }
  return (
    <div class="rules">
      <div class="whole">
        <FolderTable config={draft} onChange={setRules} />
      </div>
      <form class="card" aria-label="Rules" onSubmit={submitByHand(() => void save(draft))}>
        <Fields
          parts={splitSchema(schema)}
          value={draft}
          onChange={(value, valid) => {
            setDraft(value)
            setValid(valid)
            setError(null)
          }}
        />
        <SaveBar
          changes={changes}
          isValid={isValid}
          error={error}
          onDiscard={() => setDraft(saved)}
        />
      </form>
      <aside class="stack">
        <RulesSummary config={draft} defaults={readDefaults(schema)} onReset={setDraft} />
      </aside>
    </div>
  )
}

interface FieldsProps {
  readonly parts: SchemaParts
  readonly value: JsonRecord
  /** Called with the whole configuration, and whether both parts are valid. */
  readonly onChange: (value: JsonRecord, isValid: boolean) => void
}

/** Shows the folders and approval as a form, and the limits as another one, which is folded. */
function Fields({ parts, value, onChange }: FieldsProps) {
  const valid = useRef({ access: true, limits: true })
  const change = (part: keyof SchemaParts) => (next: unknown, isValid: boolean) => {
    valid.current[part] = isValid
    const others = pick(value, (name) => !owns(parts, part, name))
    onChange({ ...others, ...recordOf(next) }, valid.current.access && valid.current.limits)
  }
  const show = (part: keyof SchemaParts, idPrefix: string, label: string) => (
    <SchemaForm
      schema={parts[part]}
      value={pick(value, (name) => owns(parts, part, name))}
      idPrefix={idPrefix}
      label={label}
      onChange={change(part)}
    />
  )
  return (
    <>
      {show('access', PREFIXES[0], 'Rules')}
      <details class="limits-form">
        <summary>Limits</summary>
        {show('limits', PREFIXES[1], 'Limits')}
      </details>
    </>
  )
}

/** Replaces the message of a problem by those of its fields, if it has any. */
function withFieldMessages(problem: ApiProblem): ApiProblem {
  const messages = (problem.fields ?? []).map(({ message }) => message)
  return messages.length > 0 ? { ...problem, message: messages.join('; ') } : problem
}

/** Marks the fields that the server refused. The first one is marked last, so that it has the focus. */
function markFields({ fields = [] }: ApiProblem): void {
  for (const { pointer } of fields.toReversed()) markInvalid(pointer)
}

/**
 * Marks a field as invalid, with the refusal as its description, and focuses it. If the form has no such
 * field, the nearest enclosing one is used.
 */
function markInvalid(pointer: string): void {
  for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const id = `-input${place.replaceAll('/', ':')}`
    const field = PREFIXES.map((prefix) => document.getElementById(prefix + id)).find(Boolean)
    if (!field) continue
    for (const folded of document.querySelectorAll('details'))
      folded.open ||= folded.contains(field)
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', REFUSAL)
    field.focus()
    return
  }
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
  readonly changes: readonly Difference[]
  readonly isValid: boolean
  readonly error: unknown
  readonly onDiscard: () => void
}

const SaveBar = ({ changes, isValid, error, onDiscard }: SaveBarProps) => (
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
      class="button primary"
      disabled={changes.length === 0 || !isValid}
      onClick={pressByHand}
    >
      Save…
    </button>
  </div>
)

interface SchemaParts {
  /** Folders and approval, in the order of importance. */
  readonly access: JsonRecord
  readonly limits: JsonRecord
}

const ACCESS = ['roots', 'allow_escape', 'read_only', 'approval']

/** Splits the schema into what agents may do, and numbers. Members that it does not name are with the limits. */
function splitSchema(schema: unknown): SchemaParts {
  const whole = recordOf(schema)
  const properties = recordOf(whole['properties'])
  const access = Object.fromEntries(
    ACCESS.flatMap((name) => (properties[name] ? [[name, properties[name]]] : [])),
  )
  const limits = pick(properties, (name) => !ACCESS.includes(name))
  return {
    access: { ...whole, properties: access, additionalProperties: false },
    limits: { ...whole, properties: limits },
  }
}

const owns = ({ access }: SchemaParts, part: keyof SchemaParts, name: string) =>
  Object.hasOwn(recordOf(access['properties']), name) === (part === 'access')

const pick = (record: JsonRecord, isPicked: (name: string) => boolean): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => isPicked(name)))

/** Lets the browser ask before the user leaves a page with unsaved rules. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
}

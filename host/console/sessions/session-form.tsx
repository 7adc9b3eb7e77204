/** The form of a new session: name, access and lifetime. @module */

import { joinWords } from '#core/join-words.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type { Json } from '#core/policy/form.ts'
import { covers, parseScope, readScope } from '#core/scope.ts'
import { policySchema } from '../../forms/filter.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Checkbox, TextField } from '../ui/fields.tsx'
import { Note } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { textIn } from '../ui/storage.ts'
import { ScopeBuilder } from './scope-builder.tsx'
import { Pieces } from '../rules/sentence-list.tsx'
import { connection } from '../connect/connection.ts'
import { sessionSentence } from '../rules/config-sentences.ts'

const TIMES = [
  ['3600', '1 hour'],
  ['28800', '8 hours'],
  ['86400', '1 day'],
  ['604800', '7 days'],
] as const

type Time = (typeof TIMES)[number][0]

/** What the form holds. */
export interface SessionDraft {
  readonly label: string
  readonly scopes: readonly string[]
  readonly policy: JsonRecord
  readonly time: Time
}

/** An empty form. */
export const EMPTY: SessionDraft = { label: '', scopes: [], policy: {}, time: '3600' }

/** Converts the form to the request that creates the session. */
export const toRequest = ({ label, scopes, policy, time }: SessionDraft) => ({
  label: label.trim(),
  ttl_seconds: Number(time),
  ...(scopes.length > 0 && { scopes }),
  ...(Object.keys(policy).length > 0 && { policy }),
})

interface FieldsProps {
  readonly draft: SessionDraft
  readonly onChange: (part: Partial<SessionDraft>) => void
}

/** Shows the fields of the form. */
export function SessionFields({ draft: { label, scopes, policy, time }, onChange }: FieldsProps) {
  const schema = omitReadOnly(policySchema(connection.value?.configSchema, 'llm'))
  return (
    <>
      <TextField
        label="Agent name"
        isFirst
        maxLength={200}
        placeholder="Research agent"
        value={label}
        onInput={(text) => onChange({ label: text })}
      />
      <ScopeBuilder scopes={scopes} onChange={(next) => onChange({ scopes: next })} />
      <Checkbox
        checked={policy['read_only'] === true}
        onChange={(readOnly) => onChange({ policy: setReadOnly(policy, readOnly) })}
        help="The agent cannot change anything, even if other settings allow it."
      >
        Read-only
      </Checkbox>
      <div class="field">
        <span class="label">Lifetime</span>
        <Segments
          label="Lifetime"
          value={time}
          options={TIMES}
          onChange={(next) => onChange({ time: next })}
        />
      </div>
      {schema !== null && (
        <details>
          <summary>More restrictions (policy)</summary>
          <SchemaForm
            schema={schema}
            value={policy}
            idPrefix="session-policy"
            label="Policy"
            onChange={(value) => onChange({ policy: recordOf(value) })}
          />
        </details>
      )}
    </>
  )
}

/** Shows in a sentence what the session will be allowed to do, and warns of access to all files. */
export const SessionSummary = ({ label, scopes, policy }: SessionDraft) => (
  <div class="stack" aria-live="polite">
    <AllFiles actions={listWholeActions({ scopes, policy })} />
    <p class="statement">
      <Pieces pieces={sessionSentence({ scopes, policy }, `${label.trim() || 'The agent'} may`)} />
    </p>
  </div>
)

/** Warns of a link that opens all files. */
const AllFiles = ({ actions }: { readonly actions: readonly Action[] }) =>
  actions.length === 0 ? null : (
    <Note tone="warning" title={`All files: ${joinWords(actions.map((action) => WORDS[action]))}.`}>
      The link opens every file that the rules do not forbid. Add a folder under Access to limit it.
    </Note>
  )

const WORDS = { read: 'read', write: 'change' } as const
type Action = keyof typeof WORDS

/** Lists the actions that no folder limits: neither of the scopes nor of the roots of the policy. */
function listWholeActions({ scopes, policy }: Pick<SessionDraft, 'scopes' | 'policy'>): Action[] {
  const roots = Array.isArray(policy['roots']) ? policy['roots'] : []
  if (roots.length > 0 && !roots.some((root) => textIn(root, 'path') === '/')) return []
  const actions: readonly Action[] = policy['read_only'] === true ? ['read'] : ['read', 'write']
  const open = scopes.map((text) => readScope(text))
  return actions.filter(
    (action) =>
      scopes.length === 0 ||
      open.some((scope) => scope.ok && covers(scope.value, parseScope(`${action}:file:/`))),
  )
}

/** Removes the field that the form offers as a checkbox. */
function omitReadOnly(schema: Json): Json {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return schema
  const { read_only: _field, ...properties } = schema['properties']
  return { ...schema, properties }
}

function setReadOnly(policy: JsonRecord, readOnly: boolean): JsonRecord {
  const others = Object.entries(policy).filter(([field]) => field !== 'read_only')
  return { ...Object.fromEntries(others), ...(readOnly && { read_only: true }) }
}

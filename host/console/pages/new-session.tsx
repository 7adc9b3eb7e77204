/**
 * The dialog that creates a session link: label, access and lifetime; then the link, shown once.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type { Json } from '#core/policy/form.ts'
import { policySchema } from '../../forms/filter.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { byHand } from '../parts/by-hand.ts'
import { Icon } from '../parts/icons.tsx'
import { Modal } from '../parts/modal.tsx'
import { Snippet } from '../parts/copy.tsx'
import { Fault, Note } from '../parts/parts.tsx'
import { Segments } from '../parts/segments.tsx'
import { ScopeBuilder } from '../parts/scope-builder.tsx'
import { Pieces } from '../parts/sentences.tsx'
import { connection, touched } from '../state/link.ts'
import { sessionSentence } from '../state/sentences.ts'
import { answered, api } from '../state/workspace.ts'
import { setups } from './agent-setup.tsx'

const TIMES = [
  ['3600', '1 hour'],
  ['28800', '8 hours'],
  ['86400', '1 day'],
  ['604800', '7 days'],
] as const

type Time = (typeof TIMES)[number][0]

interface Props {
  readonly onMade: () => void
  readonly onClose: () => void
}

/** Shows the form, and the link once it is created. */
export function NewSession({ onMade, onClose }: Props) {
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<readonly string[]>([])
  const [policy, setPolicy] = useState<JsonRecord>({})
  const [time, setTime] = useState<Time>('3600')
  const [error, setError] = useState<unknown>(null)
  const [url, setUrl] = useState<string | null>(null)
  const make = async () => {
    const from = api.value
    if (!from) return
    try {
      const made = await answered(
        from.makeSession({
          label: label.trim(),
          ttl_seconds: Number(time),
          ...(scopes.length > 0 && { scopes }),
          ...(Object.keys(policy).length > 0 && { policy }),
        }),
      )
      setUrl(made.url)
      touched.value++
      onMade()
    } catch (problem) {
      setError(problem)
    }
  }
  if (url !== null) return <Made label={label} url={url} onClose={onClose} />
  const schema = withoutReadOnly(policySchema(connection.value?.configSchema, 'llm'))
  return (
    <Modal
      title="Make a session link"
      intro="A link to this workspace, for one agent. Whoever has it may do what you choose here."
      onClose={onClose}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            class="button primary"
            disabled={label.trim() === ''}
            onClick={byHand(() => void make())}
          >
            <Icon name="sessions" /> Make the link
          </button>
        </>
      }
    >
      {error ? <Fault what="No link was made." error={error} /> : null}
      <label class="field">
        <span class="label">Who is it for</span>
        <input
          data-first
          maxLength={200}
          placeholder="Research agent"
          value={label}
          onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </label>
      <ScopeBuilder scopes={scopes} onChange={setScopes} />
      <label class="check">
        <input
          type="checkbox"
          checked={policy['read_only'] === true}
          onChange={({ currentTarget }) => setPolicy(setReadOnly(policy, currentTarget.checked))}
        />
        <span>
          Read-only
          <small>It may change nothing, whatever else is set here.</small>
        </span>
      </label>
      <div class="field">
        <span class="label">For how long</span>
        <Segments label="For how long" value={time} options={TIMES} onChange={setTime} />
      </div>
      {schema !== null && (
        <details>
          <summary>Restrict it further with a policy</summary>
          <SchemaForm
            schema={schema}
            value={policy}
            idPrefix="session-policy"
            label="Policy"
            onChange={(value) => setPolicy(recordOf(value))}
          />
        </details>
      )}
      <p class="saying" aria-live="polite">
        <Pieces pieces={sessionSentence({ scopes, policy }, `${label.trim() || 'It'} may`)} />
      </p>
    </Modal>
  )
}

/** Removes the field that the form offers as a checkbox. */
function withoutReadOnly(schema: Json): Json {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return schema
  const { read_only: _field, ...properties } = schema['properties']
  return { ...schema, properties }
}

function setReadOnly(policy: JsonRecord, readOnly: boolean): JsonRecord {
  const others = Object.entries(policy).filter(([field]) => field !== 'read_only')
  return { ...Object.fromEntries(others), ...(readOnly && { read_only: true }) }
}

function Made({
  label,
  url,
  onClose,
}: {
  readonly label: string
  readonly url: string
  readonly onClose: () => void
}) {
  const claude = setups(url)[0]
  return (
    <Modal
      title={`The link for “${label}”`}
      onClose={onClose}
      foot={
        <button type="button" class="button primary" onClick={onClose}>
          I have kept it
        </button>
      }
    >
      <Note tone="warning" title="This is the only time that the link is shown.">
        It is a secret: whoever has it may do what it allows. Nothing here can show it again.
      </Note>
      <Snippet text={url} label="Session link" />
      {claude && <Snippet text={claude.text} label="For Claude" />}
    </Modal>
  )
}

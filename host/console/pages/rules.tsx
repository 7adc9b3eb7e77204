/**
 * The rules page: the configuration as a form and in sentences, and the user's stored decisions. A
 * saved configuration applies from the next call on, to all agents and sessions.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type { ApiProblem } from '../../connection/workspace-api.ts'
import { configurationSchema } from '../../forms/filter.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { pressByHand, submitByHand } from '../parts/by-hand.ts'
import { Icon } from '../parts/icons.tsx'
import { Fault, Note, PageHead, Waiting } from '../parts/parts.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { Visible } from '../parts/visible.tsx'
import { defaultsOf, differences, type Difference } from '../state/difference.ts'
import { confirmed } from '../state/questions.ts'
import { connection, touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { sentencesOf } from '../state/sentences.ts'
import { placeOf, pointOut } from '../state/refusal.ts'
import { say } from '../state/toast.ts'
import { answered, api, offers } from '../state/workspace.ts'
import { Decisions } from './decisions.tsx'

/** Shows the configuration and the stored decisions. */
export function Rules() {
  return (
    <>
      <PageHead title="Rules">
        What agents may do in this workspace. A rule holds from the next call on, for every agent
        and every session.
      </PageHead>
      <div class="stack wide">
        {offers.value.workspace ? <Configuration /> : <NoConfiguration />}
        <Decisions />
      </div>
    </>
  )
}

const NoConfiguration = () => (
  <Note title="This server keeps no configuration here.">
    {connection.value?.configSchema
      ? 'It takes one from each client: set it under Connect.'
      : 'It publishes none. What you decided about its calls stands below.'}
  </Note>
)

function Configuration() {
  const from = api.value
  const { value, error, reload } = useLoad(
    async () => (from ? answered(from.config()) : null),
    [from],
  )
  // A reload may fail; the form stays, with what the user typed, until another configuration is read.
  if (value) return <Form key={JSON.stringify(value)} held={value} onSaved={reload} />
  return (
    <div class="reserved">
      {error ? (
        <Fault what="The rules could not be read." error={error} retry={reload} />
      ) : (
        <Waiting />
      )}
    </div>
  )
}

const PREFIX = 'config'
const REFUSAL = 'config-refusal'

interface FormProps {
  readonly held: JsonRecord
  readonly onSaved: () => void
}

function Form({ held, onSaved }: FormProps) {
  const schema = inOrder(configurationSchema(connection.value?.configSchema))
  const [draft, setDraft] = useState<JsonRecord>(held)
  const [isValid, setValid] = useState(true)
  const [error, setError] = useState<unknown>(null)
  const changed = differences(held, draft)
  const own = differences(defaultsOf(schema), draft)
  useLeaving(changed.length > 0)
  const refused = (problem: ApiProblem) => {
    setError(problem)
    const place = placeOf(problem.message, draft)
    if (place !== null) pointOut(place, PREFIX, REFUSAL)
  }
  const save = async () => {
    const from = api.value
    const sure = {
      title: 'Save these rules?',
      text: sayChanges(changed),
      detail: detailOf(changed),
      yes: 'Save',
    }
    if (!from || !(await confirmed(sure))) return
    const answer = await from.setConfig(draft)
    if (!answer.ok) return refused(answer.error)
    setError(null)
    touched.value++
    say('The rules were saved. They hold from the next call on.')
    onSaved()
  }
  return (
    <div class="rules">
      <form class="card" aria-label="Rules" onSubmit={submitByHand(() => void save())}>
        <SchemaForm
          schema={schema}
          value={draft}
          idPrefix={PREFIX}
          label="Rules"
          onChange={(value, valid) => {
            setDraft(recordOf(value))
            setValid(valid)
            setError(null)
          }}
        />
        <div class={`savebar ${changed.length > 0 ? 'dirty' : ''}`}>
          <div id={REFUSAL} class="refusal">
            {error ? <Fault what="The rules were not saved." error={error} /> : null}
          </div>
          <span class="faint small" role="status">
            {changed.length === 0 ? 'Nothing is changed.' : sayChanges(changed)}
          </span>
          <button
            type="button"
            class="button quiet"
            disabled={changed.length === 0}
            onClick={() => setDraft(held)}
          >
            Discard
          </button>
          <button
            type="submit"
            class="button primary"
            disabled={changed.length === 0 || !isValid}
            onClick={pressByHand}
          >
            Save…
          </button>
        </div>
      </form>
      <aside class="stack">
        <section class="card" aria-labelledby="means">
          <header>
            <h2 id="means">What this means</h2>
          </header>
          <div aria-live="polite">
            <Sentences list={sentencesOf(draft)} />
          </div>
        </section>
        <section class="card" aria-labelledby="own">
          <header>
            <h2 id="own">What differs from the defaults</h2>
          </header>
          {own.length === 0 ? (
            <p class="faint small">Nothing: these are the defaults.</p>
          ) : (
            <Table list={own} />
          )}
          {own.length > 0 && (
            <button type="button" class="button small" onClick={() => setDraft(defaultsOf(schema))}>
              <Icon name="refresh" /> Back to the defaults
            </button>
          )}
        </section>
      </aside>
    </div>
  )
}

/** Moves the most important members to the front; the form follows the order of the schema. */
function inOrder(schema: unknown): unknown {
  const properties = isRecord(schema) ? schema['properties'] : null
  if (!isRecord(schema) || !isRecord(properties)) return schema
  const { roots, allow_escape, read_only, approval, ...rest } = properties
  const first = Object.entries({ roots, allow_escape, read_only, approval }).filter(
    ([, field]) => field,
  )
  return { ...schema, properties: { ...Object.fromEntries(first), ...rest } }
}

const sayChanges = (changed: readonly Difference[]) =>
  `${changed.length === 1 ? 'One rule differs' : `${changed.length} rules differ`} from what holds now.`

const detailOf = (changed: readonly Difference[]) =>
  changed.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join('\n')

function Table({ list }: { readonly list: readonly Difference[] }) {
  return (
    <dl class="differences">
      {list.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <del>
              <Visible text={before} />
            </del>{' '}
            <ins>
              <Visible text={after} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Lets the browser ask before the user leaves a page with unsaved rules. */
function useLeaving(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
}

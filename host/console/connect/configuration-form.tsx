/**
 * The form for the configuration that the current server accepts from its clients. It is sent in the
 * handshake as `capabilities.experimental.configuration`, as the mcp4h proposals say.
 *
 * @module
 */

import { useMemo, useRef, useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { configurationSchema } from '../../forms/filter.ts'
import { formModel, startValue } from '../../forms/model.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import type { JsonSchema } from '../../mcp/types.ts'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { useConfigSchema } from './config-schema.ts'
import { connectionStatus } from './connection.ts'
import { choose, target } from './target.ts'
import { workspace } from './workspace.ts'

/** Shows the form if the current server has a schema; a workspace of this server has its rules instead. */
export function Configuration() {
  const now = connectionStatus.value
  const schema = useConfigSchema(now.state === 'failed' ? now.problem : null)
  const shown = useMemo(() => configurationSchema(schema), [schema])
  if (workspace.value !== null || !isRecord(shown)) return null
  return <ConfigurationForm key={target.value.url} schema={shown} />
}

function ConfigurationForm({ schema }: { readonly schema: JsonSchema }) {
  const { configuration } = target.value
  const [value, setValue] = useState<JsonRecord>(() =>
    recordOf(configuration ?? startValue(schema)),
  )
  const [isValid, setValid] = useState(() => formModel(schema, value).valid)
  const [showsAll, setShowsAll] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const send = () => {
    if (isValid) return choose({ ...target.value, configuration: value })
    setShowsAll(true)
    // The fields show their problems after the next render.
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    )
  }
  return (
    <form ref={form} class="card stack" aria-label="Configuration" onSubmit={submitByHand(send)}>
      <header>
        <h2>Configuration</h2>
      </header>
      <p class="small faint">
        This server accepts settings from each client. They are sent to{' '}
        {new URL(target.value.url).host} with each connection, and kept until this tab is closed.
      </p>
      <SchemaForm
        schema={schema}
        value={value}
        idPrefix="client-config"
        label="Configuration"
        showProblems={showsAll ? 'all' : 'touched'}
        onChange={(next, valid) => {
          setValue(recordOf(next))
          setValid(valid)
        }}
      />
      <Buttons isSent={configuration !== undefined} />
    </form>
  )
}

const Buttons = ({ isSent }: { readonly isSent: boolean }) => (
  <div class="row">
    <button type="submit" class="button primary" onClick={pressByHand}>
      Connect with this configuration
    </button>
    {isSent && (
      <button
        type="button"
        class="button"
        onClick={() => choose({ ...target.value, configuration: undefined })}
      >
        Connect without it
      </button>
    )}
    <span class="faint small" role="status">
      {isSent && connectionStatus.value.state === 'ready' && 'Connected with a configuration.'}
    </span>
  </div>
)

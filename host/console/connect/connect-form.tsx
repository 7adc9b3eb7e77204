/** The form for another server: address, protocol, sign-in, headers and configuration. @module */

import { useEffect, useState } from 'preact/hooks'
import { Checkbox, CodeArea, TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Note } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { choose, resolveOwnUrl, suggestedUrl, target, type Target } from './target.ts'
import { formatHeaders, OWN_TARGET, parseTarget, type TargetForm } from './typed-target.ts'

const ERAS = [
  ['auto', 'Detect'],
  ['modern', '2026-07-28'],
  ['legacy', '2025-11-25 and older'],
] as const

/** Returns the values of the form for a target. */
const fillForm = ({ url, era, signIn, headers, configuration }: Target): TargetForm => ({
  url: suggestedUrl.value ?? url,
  era,
  signIn,
  headers: formatHeaders(headers),
  configuration: formatConfiguration(configuration),
})

const formatConfiguration = (configuration: unknown) =>
  configuration === undefined ? '' : JSON.stringify(configuration, null, 2)

/** Shows the form, filled in with the current target. */
export function ServerForm() {
  const [form, setForm] = useState(() => fillForm(target.value))
  const [fault, setFault] = useState<string | null>(null)
  const set = (part: Partial<TargetForm>) => setForm((before) => ({ ...before, ...part }))
  const { configuration } = target.value
  // The form of the server's schema, beside this one, sets it too.
  useEffect(() => set({ configuration: formatConfiguration(configuration) }), [configuration])
  const submit = (event: Event) => {
    event.preventDefault()
    const read = parseTarget(form)
    if (typeof read === 'string') return setFault(read)
    setFault(null)
    choose(read)
  }
  return (
    <form class="card stack" aria-label="Another server" onSubmit={submit}>
      <h2>Another server</h2>
      <TextField
        label="Address"
        isCode
        inputMode="url"
        value={form.url}
        placeholder="https://example.com/mcp, or /w/notes/mcp"
        help="Enter /w/ and a name to open another workspace of this server."
        onInput={(url) => set({ url })}
      />
      <div class="field">
        <span class="label">Protocol</span>
        <Segments
          label="Protocol"
          value={form.era}
          options={ERAS}
          onChange={(era) => set({ era })}
        />
      </div>
      <Checkbox
        checked={form.signIn}
        onChange={(signIn) => set({ signIn })}
        help="Opens the sign-in page of the server (OAuth) in a new window."
      >
        Sign in if required
      </Checkbox>
      <MoreFields form={form} onChange={set} />
      {fault !== null && (
        <Note tone="danger" role="alert">
          {fault}
        </Note>
      )}
      <Buttons />
    </form>
  )
}

interface MoreProps {
  readonly form: TargetForm
  readonly onChange: (part: Partial<TargetForm>) => void
}

const MoreFields = ({ form: { headers, configuration }, onChange }: MoreProps) => (
  <details open={headers !== '' || configuration !== ''}>
    <summary>Headers and configuration</summary>
    <div class="stack">
      <CodeArea
        label="Headers"
        rows={3}
        value={headers}
        placeholder="Authorization: Bearer …"
        help="One per line. Kept until this tab is closed."
        onInput={(text) => onChange({ headers: text })}
      />
      <CodeArea
        label="Configuration, as JSON"
        rows={4}
        value={configuration}
        placeholder="{}"
        help="Sent to the server as the configuration of this client."
        onInput={(text) => onChange({ configuration: text })}
      />
    </div>
  </details>
)

const Buttons = () => (
  <div class="row">
    <button type="submit" class="button primary">
      <Icon name="connect" /> Connect
    </button>
    {target.value.url !== resolveOwnUrl('/mcp') && (
      <button type="button" class="button" onClick={() => choose(OWN_TARGET)}>
        Back to this workspace
      </button>
    )}
  </div>
)

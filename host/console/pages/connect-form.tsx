/** The form for another server: address, protocol, sign-in, headers and configuration. @module */

import { useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { Note } from '../parts/parts.tsx'
import { Segments } from '../parts/segments.tsx'
import { choose, ownUrl, suggested, target } from '../state/target.ts'
import { linesOf, OWN, readTarget } from '../state/typed-target.ts'

const ERAS = [
  ['auto', 'Find out'],
  ['modern', '2026-07-28'],
  ['legacy', '2025-11-25 and before'],
] as const

/** Shows the form, filled in with the current target. */
export function ServerForm() {
  const before = target.value
  const [url, setUrl] = useState(suggested.value ?? before.url)
  const [era, setEra] = useState(before.era)
  const [signIn, setSignIn] = useState(before.signIn)
  const [headers, setHeaders] = useState(linesOf(before.headers))
  const [configuration, setConfiguration] = useState(
    before.configuration === undefined ? '' : JSON.stringify(before.configuration, null, 2),
  )
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    const read = readTarget({ url, era, signIn, headers, configuration })
    if (typeof read === 'string') return setFault(read)
    setFault(null)
    choose(read)
  }
  return (
    <form class="card stack" aria-label="Another server" onSubmit={submit}>
      <h2>Another server</h2>
      <label class="field">
        <span class="label">Address</span>
        <input
          class="code"
          inputMode="url"
          value={url}
          placeholder="https://example.com/mcp, or /w/notes/mcp"
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <span class="help">/w/ and a name opens another workspace of this server.</span>
      </label>
      <div class="field">
        <span class="label">Protocol</span>
        <Segments label="Protocol" value={era} options={ERAS} onChange={setEra} />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={signIn}
          onChange={({ currentTarget }) => setSignIn(currentTarget.checked)}
        />
        <span>
          Sign in when it asks
          <small>OAuth, in a window of the server’s own.</small>
        </span>
      </label>
      <details open={headers !== '' || configuration !== ''}>
        <summary>Headers and configuration</summary>
        <div class="stack">
          <label class="field">
            <span class="label">Headers</span>
            <textarea
              class="code"
              rows={3}
              value={headers}
              placeholder="Authorization: Bearer …"
              onInput={({ currentTarget }) => setHeaders(currentTarget.value)}
            />
            <span class="help">One a line. Kept until this tab is closed.</span>
          </label>
          <label class="field">
            <span class="label">Configuration, as JSON</span>
            <textarea
              class="code"
              rows={4}
              value={configuration}
              placeholder="{}"
              onInput={({ currentTarget }) => setConfiguration(currentTarget.value)}
            />
            <span class="help">Sent as what this client is configured with.</span>
          </label>
        </div>
      </details>
      {fault !== null && (
        <Note tone="danger" role="alert">
          {fault}
        </Note>
      )}
      <div class="row">
        <button type="submit" class="button primary">
          <Icon name="connect" /> Connect
        </button>
        {target.value.url !== ownUrl('/mcp') && (
          <button type="button" class="button" onClick={() => choose(OWN)}>
            Back to this workspace
          </button>
        )}
      </div>
    </form>
  )
}

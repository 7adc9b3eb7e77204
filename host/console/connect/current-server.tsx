/** The connected server, as it describes itself. @module */

import { isSignedIn, signOut } from '../../mcp/oauth.ts'
import type { Connection } from '../../mcp/connection.ts'
import { Icon } from '../ui/icons.tsx'
import { Json } from '../ui/json.tsx'
import { NoConnection } from './no-connection.tsx'
import { Badge } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { connectionStatus, reconnect } from './connection.ts'

/** Shows the current connection, or why there is none. */
export function CurrentServer() {
  const now = connectionStatus.value
  if (now.state !== 'ready') return <NoConnection />
  return <Connected connection={now.connection} />
}

const ERA_LABELS = { modern: 'stateless', legacy: 'with sessions' } as const

function Connected({ connection }: { readonly connection: Connection }) {
  const { server, url, era, protocolVersion, instructions, definition } = connection
  return (
    <section class="card" aria-labelledby="connected">
      <header>
        <h2 id="connected">
          <Visible text={server.title} />{' '}
          <small class="faint">
            <Visible text={server.version} />
          </small>
        </h2>
        <div class="row">
          {isSignedIn(url) && (
            <button type="button" class="button small" onClick={() => signOutAndReconnect(url)}>
              Sign out
            </button>
          )}
          <button type="button" class="button small" onClick={reconnect}>
            <Icon name="refresh" /> Reconnect
          </button>
        </div>
      </header>
      <dl class="facts wide">
        <dt>Address</dt>
        <dd>
          <code>{url}</code>
        </dd>
        <dt>Protocol</dt>
        <dd>
          {protocolVersion} <Badge>{ERA_LABELS[era]}</Badge>
        </dd>
        {instructions && (
          <>
            <dt>Instructions</dt>
            <dd>
              <Visible text={instructions} />
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>Server definition</summary>
        <Json value={definition} label="Server definition" />
      </details>
    </section>
  )
}

function signOutAndReconnect(url: string): void {
  signOut(url)
  reconnect()
}

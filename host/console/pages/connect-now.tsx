/** The connected server, as it describes itself. @module */

import { isSignedIn, signOut } from '../../connection/oauth.ts'
import type { Connection } from '../../connection/types.ts'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { NoConnection } from '../parts/no-connection.tsx'
import { Badge } from '../parts/parts.tsx'
import { Visible } from '../parts/visible.tsx'
import { link, reconnect } from '../state/link.ts'

/** Shows the current connection, or why there is none. */
export function Now() {
  const now = link.value
  if (now.state !== 'ready') return <NoConnection />
  return <Connected connection={now.connection} />
}

const ERA_WORDS = { modern: 'stateless', legacy: 'with sessions' } as const

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
            <button type="button" class="button small" onClick={() => signOutOf(url)}>
              Sign out
            </button>
          )}
          <button type="button" class="button small" onClick={reconnect}>
            <Icon name="refresh" /> Connect again
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
          {protocolVersion} <Badge>{ERA_WORDS[era]}</Badge>
        </dd>
        {instructions && (
          <>
            <dt>It says</dt>
            <dd>
              <Visible text={instructions} />
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>Everything it says of itself</summary>
        <Json value={definition} label="Server definition" />
      </details>
    </section>
  )
}

function signOutOf(url: string): void {
  signOut(url)
  reconnect()
}

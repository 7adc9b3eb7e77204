/** Shows why there is no connection, with buttons to try again or to sign in. @module */

import { ConnectionError } from '../../mcp/errors.ts'
import { connectionStatus, reconnect, currentSignIn } from './connection.ts'
import { choose, target } from './target.ts'
import { Fault, Note, Waiting } from '../ui/parts.tsx'

/** Shows the state of the connection; nothing while it is open. */
export function NoConnection() {
  const { state } = connectionStatus.value
  if (state === 'ready') return null
  if (state === 'connecting') return <Connecting />
  const { problem } = connectionStatus.value
  return (
    <div class="stack">
      <Fault error={new ConnectionError(problem)} retry={reconnect} />
      {problem.kind === 'unauthorized' && (
        <div class="row">
          <button
            type="button"
            class="button primary"
            onClick={() => choose({ ...target.value, signIn: true })}
          >
            Sign in
          </button>
        </div>
      )}
    </div>
  )
}

function Connecting() {
  const way = currentSignIn.value
  return (
    <div class="stack">
      <Waiting>Connecting to {target.value.url}…</Waiting>
      {way && (
        <Note title="If the server asks you to sign in, a window opens.">
          If your browser blocked it,{' '}
          <button type="button" class="linklike" onClick={() => way.open()}>
            open it here
          </button>
          .
        </Note>
      )}
    </div>
  )
}

/** Shows why there is no connection, with buttons to try again or to sign in. @module */

import { ConnectionError } from '../../connection/problem.ts'
import { link, reconnect, signingIn } from '../state/link.ts'
import { choose, target } from '../state/target.ts'
import { Fault, Note, Waiting } from './parts.tsx'

/** Shows the state of the connection; nothing while it is open. */
export function NoConnection() {
  const { state } = link.value
  if (state === 'ready') return null
  if (state === 'connecting') return <Connecting />
  const { problem } = link.value
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
  const way = signingIn.value
  return (
    <div class="stack">
      <Waiting>Connecting to {target.value.url}…</Waiting>
      {way && (
        <Note title="If the server asks you to sign in, a window opens.">
          Where the browser held it back,{' '}
          <button type="button" class="linklike" onClick={() => way.open()}>
            open it from here
          </button>
          .
        </Note>
      )}
    </div>
  )
}

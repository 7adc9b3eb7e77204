/** The banner that is shown while the connection is being restored. @module */

import { health, connectionStatus } from '../connect/connection.ts'
import { endSentence } from '../ui/format.ts'
import { Note } from '../ui/parts.tsx'

/** Shows that the connection is interrupted, with a button to restore it now. */
export function ConnectionBanner() {
  const state = health.value
  if (connectionStatus.value.state !== 'ready' || state.name !== 'reconnecting') return null
  const { connection } = connectionStatus.value
  return (
    <div class="health">
      <Note tone="warning" role="status" title="The connection is interrupted.">
        {endSentence(state.problem.message)} The console reconnects by itself; what you see may be
        outdated.
        <div class="row">
          <button type="button" class="button small" onClick={() => connection.reconnect()}>
            Reconnect now
          </button>
        </div>
      </Note>
    </div>
  )
}

/**
 * Applied changes of which the person is notified (the approval level `notify`), until they were seen.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { CONSOLE_HEADER } from '../../mcp/address.ts'
import { Changes } from '../activity/change-list.tsx'
import { parseChanges, type Change } from '../activity/changes.ts'
import { revision } from '../connect/connection.ts'
import { fetchOwn, getJsonWithList, readRefusal } from '../connect/http.ts'
import { basePath, usePolling } from '../connect/workspace.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { describeError } from '../ui/errors.ts'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { useHeld } from '../ui/held.ts'
import { useLoad } from '../ui/load.ts'
import { Fault } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'

interface Unseen {
  readonly count: number
  /** The newest ones, newest first. */
  readonly changes: readonly Change[]
}

/** Shows the changes, or why they are unknown, with a button that ends their list; nothing if there are none. */
export function Notices() {
  const [round, setRound] = useState(0)
  return <List key={round} onSeen={() => setRound(round + 1)} />
}

function List({ onSeen }: { readonly onSeen: () => void }) {
  usePolling()
  const base = basePath.value
  const { value, error, reload } = useLoad(
    (signal) => readUnseen(base, signal),
    [base, revision.value],
  )
  const held = useHeld(value?.changes ?? null, ({ id, version }) => `${id} ${version}`)
  const changes = held.flatMap(({ row, isGone }) => (isGone ? [] : [row]))
  const newest = changes[0]
  if (error) return <Fault what="Cannot read the applied changes" error={error} retry={reload} />
  if (!value || !newest) return null
  const markSeen = () =>
    sendSeen(base, newest.version).then(onSeen, (error: unknown) =>
      showToast(describeError(error).message, { tone: 'danger' }),
    )
  return (
    <section class="card" aria-labelledby="notices">
      <header>
        <h2 id="notices">Applied since you last looked</h2>
        <DecisionButton shown={newest.version} look="small" onDecide={() => void markSeen()}>
          <Icon name="check" /> Mark as seen
        </DecisionButton>
      </header>
      <Changes changes={changes} />
      {value.count > value.changes.length && (
        <p class="faint small">
          and {formatCount(value.count - value.changes.length, 'earlier change')}
        </p>
      )}
    </section>
  )
}

async function readUnseen(base: string, signal: AbortSignal): Promise<Unseen> {
  const { count, changes } = await getJsonWithList(`${base}/notices`, 'changes', signal)
  return { count: typeof count === 'number' ? count : 0, changes: parseChanges(changes) }
}

/** Marks the changes up to a version as seen. */
async function sendSeen(base: string, version: number): Promise<void> {
  const headers = { ...CONSOLE_HEADER, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ version }) }
  const answer = await fetchOwn(`${base}/notices`, init)
  if (!answer.ok) throw await readRefusal(answer)
}

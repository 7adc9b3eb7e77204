/**
 * Applied changes of which the person is notified (the approval level `notify`), until they were seen.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { Changes } from '../activity/change-list.tsx'
import { parseChanges, type Change } from '../activity/changes.ts'
import { revision } from '../connect/connection.ts'
import { basePath, usePolling } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
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
  /** Number of changes that are listed no more, because there were too many. */
  readonly dropped: number
}

/** Shows the changes, or why they are unknown, with a button that ends their list; nothing if there are none. */
export function NotifiedChanges() {
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
  const { count, dropped } = value
  const left = count - value.changes.length
  const markSeen = () =>
    sendAct(base, 'dismiss_notices', {
      body: { versions: changes.map(({ version }) => version), dropped },
    }).then(onSeen, (error: unknown) => showToast(describeError(error).message, { tone: 'danger' }))
  return (
    <section class="card" aria-labelledby="notified-changes">
      <header>
        <h2 id="notified-changes">Applied since you last looked</h2>
        <DecisionButton shown={newest.version} look="small" onDecide={() => void markSeen()}>
          <Icon name="check" /> {left > 0 ? 'Mark these as seen' : 'Mark as seen'}
        </DecisionButton>
      </header>
      <Changes changes={changes} />
      {left > 0 && (
        <p class="faint small">
          and {formatCount(left, 'earlier change')}, shown once these are marked as seen
        </p>
      )}
      {dropped > 0 && (
        <p class="small">
          Not listed: {formatCount(dropped, 'more change')}, because there were too many. See
          Activity.
        </p>
      )}
    </section>
  )
}

async function readUnseen(base: string, signal: AbortSignal): Promise<Unseen> {
  const { changes, ...counts } = await sendAct(base, 'list_notices', { signal })
  return { ...counts, changes: parseChanges(changes) }
}

/** The checkpoints of the workspace: create one, compare with it, restore it, delete it. @module */

import { quoteName } from '#core/quote.ts'
import { useState } from 'preact/hooks'
import { visible } from '#core/visible.ts'
import { connectionStatus, revision } from '../connect/connection.ts'
import { ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { askToConfirm } from '../questions/queue.ts'
import { linkTo } from '../shell/route.ts'
import { ActorName } from '../ui/claimed-name.tsx'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { TextField } from '../ui/fields.tsx'
import { focusBeside } from '../ui/focus-beside.ts'
import { Icon } from '../ui/icons.tsx'
import { useLoad } from '../ui/load.ts'
import { describeError } from '../ui/errors.ts'
import { Fault, When } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'
import { Visible } from '../ui/visible.tsx'
import type { ShownCheckpoint } from '#core/owner/answers/sessions.ts'
import type { Actor } from './changes.ts'
import { restoreCheckpoint } from './undo.tsx'

/** The server's limit for a name. */
const MAX_NAME_LENGTH = 100

/** Checkpoints that are shown at first. */
const SHOWN = 3

/** A checkpoint, as pages show it. */
export interface CheckpointRow extends Pick<ShownCheckpoint, 'id' | 'name' | 'version'> {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly actor: Actor
}

const toRow = ({ id, name, version, at, actor, ...who }: ShownCheckpoint): CheckpointRow => {
  const { principal, session = null, label = null } = who
  return {
    id,
    name,
    version,
    at: Date.parse(at),
    actor: { text: actor, principal, session, label },
  }
}

/** Loads the checkpoints of the workspace, newest first. */
export function useCheckpoints() {
  return useLoad(
    async (signal) => {
      const base = ownBase.peek()
      if (base === null) return []
      const { checkpoints } = await sendAct(base, 'list_checkpoints', { signal })
      return checkpoints.map(toRow)
    },
    [connectionStatus.value, revision.value],
  )
}

/** Shows the checkpoints, with a form for a new one. */
export function Checkpoints() {
  const { value, error, reload } = useCheckpoints()
  const [showsAll, setShowsAll] = useState(false)
  const all = value ?? []
  const shown = showsAll ? all : all.slice(0, SHOWN)
  return (
    <section class="card checkpoints" aria-label="Checkpoints">
      <h2>Checkpoints</h2>
      <p class="small faint">
        A checkpoint names the state of all files now. You can compare with it and restore it later.
      </p>
      <NewCheckpoint onMade={reload} />
      {error ? <Fault what="Cannot read the checkpoints" error={error} retry={reload} /> : null}
      <ol>
        {shown.map((row) => (
          <Entry key={row.id} row={row} among={all} onGone={reload} />
        ))}
      </ol>
      {all.length > SHOWN && (
        <button
          type="button"
          class="button quiet small"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show fewer' : `Show all ${all.length}`}
        </button>
      )}
    </section>
  )
}

function NewCheckpoint({ onMade }: { readonly onMade: () => void }) {
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    const base = ownBase.value
    if (base === null || isBusy || name.trim() === '') return
    setBusy(true)
    try {
      const made = await sendAct(base, 'create_checkpoint', { body: { name: name.trim() } })
      setError(null)
      setName('')
      showToast(`Created the checkpoint ${quoteName(made.name)}`)
      onMade()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <form class="filters" onSubmit={submitByHand(() => void create())}>
        <TextField
          label="Name of a new checkpoint"
          value={name}
          placeholder="Before the rewrite"
          maxLength={MAX_NAME_LENGTH}
          onInput={setName}
        />
        <button
          type="submit"
          class="button"
          disabled={name.trim() === ''}
          aria-disabled={isBusy}
          onClick={pressByHand}
        >
          <Icon name="plus" /> Create
        </button>
      </form>
      {error ? <Fault what="Cannot create the checkpoint" error={error} /> : null}
    </>
  )
}

interface EntryProps {
  readonly row: CheckpointRow
  /** All checkpoints, newest first. */
  readonly among: readonly CheckpointRow[]
  readonly onGone: () => void
}

function Entry({ row, among, onGone }: EntryProps) {
  const { id, name, actor, at, version } = row
  const shown = visible(name)
  return (
    <li>
      <span class="named">
        <Visible text={name} />
        <span class="by">
          <ActorName actor={actor} /> · <When at={at} /> · <span class="numbers">#{version}</span>
        </span>
      </span>
      <span class="row">
        <a class="button small" href={linkTo(['activity', 'checkpoints', id])}>
          <Icon name="eye" /> Compare<span class="unseen"> with {shown}</span>
        </a>
        <DecisionButton shown={id} look="small" onDecide={() => restoreCheckpoint(row, { among })}>
          <Icon name="undo" /> Restore<span class="unseen"> {shown}</span>
        </DecisionButton>
        <DecisionButton
          shown={id}
          look="quiet small"
          named={{ 'data-checkpoint': id }}
          onDecide={() => void remove(row, onGone)}
        >
          <Icon name="trash" /> Delete<span class="unseen"> {shown}</span>
        </DecisionButton>
      </span>
    </li>
  )
}

async function remove({ id, name }: CheckpointRow, onGone: () => void): Promise<void> {
  const yes = await askToConfirm({
    title: `Delete the checkpoint ${quoteName(name)}?`,
    text: 'No file changes. The states that only this checkpoint keeps are forgotten, so it cannot be restored any more.',
    yes: 'Delete',
    danger: true,
  })
  const base = ownBase.value
  if (!yes || base === null) return
  try {
    await sendAct(base, 'delete_checkpoint', { segments: { checkpoint: id } })
    showToast(`Deleted the checkpoint ${quoteName(name)}`)
    focusBeside(`[data-checkpoint="${id}"]`, '[data-checkpoint]')
  } catch (error) {
    showToast(describeError(error).message, { tone: 'danger' })
  }
  onGone()
}

/** Audit integrity: whether an entry was altered, and the export of the audit log. @module */

import { useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { Fault } from '../parts/parts.tsx'
import { checkChain, wholeTrail, type Chain as State } from '../state/audit.ts'
import { number, numbered } from '../state/format.ts'
import { useLoad } from '../state/load.ts'
import { say } from '../state/toast.ts'
import { wordsOf } from '../state/words.ts'
import { base } from '../state/workspace.ts'

/** Shows the integrity of the audit log, with buttons to check it again and to export it. */
export function Chain() {
  const at = base.value
  // The server reads the whole log for this, so it is checked only on opening the page and on request.
  const { value, error, isLoading, reload } = useLoad((signal) => checkChain(at, signal), [at])
  if (error) return <Fault what="The record could not be checked." error={error} retry={reload} />
  const isBroken = value !== null && value.broken !== null
  return (
    <div class={`chain ${isBroken ? 'broken' : ''}`}>
      <span role="status">
        {value && (
          <>
            <Icon name={isBroken ? 'warning' : 'check'} /> {wordsFor(value)}
          </>
        )}
      </span>
      <button type="button" class="button quiet small" disabled={isLoading} onClick={reload}>
        <Icon name="refresh" /> Check again
      </button>
      <Export at={at} />
    </div>
  )
}

function wordsFor({ entries, dropped, broken }: State): string {
  if (broken !== null)
    return `The record was altered: entry ${number(broken)} is not what was written. Do not trust it from there on.`
  if (entries === 0) return 'The record is empty.'
  const intact = `The record is intact: ${numbered(entries, 'entry', 'entries')}, each sealed by the one before it.`
  if (dropped === 0) return intact
  return `${intact} ${numbered(dropped, 'older entry', 'older entries')} made room.`
}

function Export({ at }: { readonly at: string }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      download(await wholeTrail(at), 'audit.jsonl')
    } catch (error) {
      say(wordsOf(error).message, { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      class="button quiet small"
      disabled={isBusy}
      title="The whole record as JSON Lines"
      onClick={() => void save()}
    >
      <Icon name="download" /> Export<span class="unseen"> the record</span>
    </button>
  )
}

/** Time (ms) for the browser to read the file. */
const TAKEN_MS = 60_000

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_MS)
}

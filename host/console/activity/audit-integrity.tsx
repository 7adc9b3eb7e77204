/** Audit integrity: whether an entry was altered, and the export of the audit log. @module */

import { useState } from 'preact/hooks'
import { saveBlob } from '../ui/download.ts'
import { Icon } from '../ui/icons.tsx'
import { Fault } from '../ui/parts.tsx'
import type { ChainCheck } from '#core/owner/answers/audit.ts'
import { sendAct } from '../owner/send-act.ts'
import { downloadAuditLog } from './audit.ts'
import { formatNumber, formatCount } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { showToast } from '../ui/toasts.tsx'
import { describeError } from '../ui/errors.ts'
import { basePath } from '../connect/workspace.ts'

/** Shows the integrity of the audit log, with buttons to check it again and to export it. */
export function AuditIntegrity() {
  const at = basePath.value
  // The server reads the whole log for this, so it is checked only on opening the page and on request.
  const { value, error, isLoading, reload } = useLoad(
    (signal) => sendAct(at, 'check_audit', { signal }),
    [at],
  )
  if (error) return <Fault what="Cannot check the audit log" error={error} retry={reload} />
  const isBroken = value !== null && value.broken !== null
  return (
    <div class={`integrity ${isBroken ? 'broken' : ''}`}>
      <span role="status">
        {value && (
          <>
            <Icon name={isBroken ? 'warning' : 'check'} /> {describeIntegrity(value)}
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

function describeIntegrity({ entries, dropped, broken }: ChainCheck): string {
  if (broken !== null)
    return `The audit log was altered: entry ${formatNumber(broken)} is not as written. Do not trust it or later entries.`
  if (entries === 0) return 'The audit log is empty.'
  const intact = `The audit log is intact: ${formatCount(entries, 'entry', 'entries')}, each with the hash of the one before it.`
  if (dropped === 0) return intact
  return `${intact} ${formatCount(dropped, 'older entry', 'older entries')} were deleted to make room.`
}

function Export({ at }: { readonly at: string }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveBlob(await downloadAuditLog(at), 'audit.jsonl')
    } catch (error) {
      showToast(describeError(error).message, { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      class="button quiet small"
      disabled={isBusy}
      title="The audit log as JSON Lines"
      onClick={() => void save()}
    >
      <Icon name="download" /> Export<span class="unseen"> the audit log</span>
    </button>
  )
}

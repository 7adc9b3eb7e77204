/** The form of the hours in which nothing is sent. @module */

import type { QuietHours } from '#core/owner/answers/notifications.ts'
import { useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { toFailure } from '../passkeys/passkeys-api.ts'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { Badge, Fault } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'

interface Props {
  /** Null where something is sent at any hour. */
  readonly quiet: QuietHours | null
  readonly onChange: () => void
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Lists the time zones of the browser, with those that are in use although the browser does not list them. */
function listZones(chosen: string): string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), ownZone(), chosen])].toSorted()
}

/** Shows the form. */
export function QuietHoursForm({ quiet, onChange }: Props) {
  const [hours, setHours] = useState<QuietHours>(
    () => quiet ?? { from: '22:00', to: '07:00', time_zone: ownZone() },
  )
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const save = async (next: QuietHours | null) => {
    setFailure(null)
    setBusy(true)
    try {
      await sendAct(basePath.value, 'set_quiet_hours', { body: { quiet: next } })
      showToast(next === null ? 'Quiet hours are off' : 'The quiet hours were saved')
      onChange()
    } catch (error) {
      setFailure(toFailure(error))
    }
    setBusy(false)
  }
  const isEmpty = hours.from === '' || hours.to === '' || hours.from === hours.to
  const isOff = isBusy || isEmpty || JSON.stringify(hours) === JSON.stringify(quiet)
  const change = (part: Partial<QuietHours>) => setHours((before) => ({ ...before, ...part }))
  return (
    <section class="card" aria-labelledby="quiet-hours">
      <header>
        <h2 id="quiet-hours">Quiet hours</h2>
        <Badge tone={quiet ? 'success' : 'plain'}>{quiet ? 'On' : 'Off'}</Badge>
      </header>
      <p class="small faint">
        Within these hours the server sends nothing to devices, chat and e-mail. What waits by then
        is one notification of each workspace at their end.
      </p>
      <form class="quiethours" onSubmit={submitByHand(() => void (isOff || save(hours)))}>
        <TimeField label="From" value={hours.from} onInput={(from) => change({ from })} />
        <TimeField label="To" value={hours.to} onInput={(to) => change({ to })} />
        <ZoneField value={hours.time_zone} onChange={(zone) => change({ time_zone: zone })} />
        <div class="row">
          <button type="submit" class="button" aria-disabled={isOff} onClick={pressByHand}>
            {quiet ? 'Save' : 'Turn on quiet hours'}
          </button>
          {quiet && (
            <button
              type="button"
              class="button quiet"
              aria-disabled={isBusy}
              onClick={() => void save(null)}
            >
              Turn off quiet hours
            </button>
          )}
        </div>
      </form>
      {hours.from !== '' && hours.from === hours.to && (
        <p class="small faint" role="status">
          The two times are the same. Choose different ones.
        </p>
      )}
      {failure ? <Fault what="Cannot save the quiet hours" error={failure} /> : null}
    </section>
  )
}

interface TimeFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
}

const TimeField = ({ label, value, onInput }: TimeFieldProps) => (
  <label class="field">
    <span class="label">{label}</span>
    <input
      type="time"
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </label>
)

interface ZoneFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

const ZoneField = ({ value, onChange }: ZoneFieldProps) => (
  <label class="field zone">
    <span class="label">Time zone</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {listZones(value).map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  </label>
)

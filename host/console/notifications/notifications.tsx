/**
 * The page "Notifications": whether this device is notified, which other devices are, and when nothing is sent.
 * `test/host/console/notifications.test.tsx` tests it.
 *
 * @module
 */

import { revision } from '../connect/connection.ts'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, PageHead, Waiting } from '../ui/parts.tsx'
import { Devices } from './device-list.tsx'
import { OtherChannels } from './other-channels.tsx'
import { QuietHoursForm } from './quiet-hours.tsx'
import { ThisDevice } from './this-device.tsx'
import { useDeviceState } from './use-device.ts'

/** Shows how the owner is notified. */
export function Notifications() {
  const base = basePath.value
  const { value, error, reload } = useLoad(
    (signal) => sendAct(base, 'read_notifications', { signal }),
    [base, revision.value],
  )
  const { state, look } = useDeviceState(value?.devices ?? null)
  const change = () => {
    // A device that was just turned on is in no list yet, and would count as one that the server forgot.
    if (state?.is === 'on') look()
    reload()
  }
  return (
    <>
      <PageHead title="Notifications">
        You are notified when something begins to wait for you, in any workspace of this server. A
        notification says how much waits and from whom, and nothing of its content.
      </PageHead>
      <div class="stack">
        {error ? (
          <Fault what="Cannot read how you are notified" error={error} retry={reload} />
        ) : null}
        {!value && !error && <Waiting />}
        {value && (
          <>
            <ThisDevice state={state} serverKey={value.key} onChange={change} />
            <Devices devices={value.devices} own={ownIdOf(state)} onChange={change} />
            <QuietHoursForm
              key={JSON.stringify(value.quiet)}
              quiet={value.quiet}
              onChange={reload}
            />
            <OtherChannels settings={value} />
          </>
        )}
      </div>
    </>
  )
}

const ownIdOf = (state: ReturnType<typeof useDeviceState>['state']) =>
  state?.is === 'on' ? state.id : null

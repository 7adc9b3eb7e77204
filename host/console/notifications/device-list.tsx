/** The devices that are notified, each with a button that removes it. @module */

import type { ShownDevice } from '#core/owner/answers/notifications.ts'
import { visible } from '#core/visible.ts'
import { useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { toFailure } from '../passkeys/passkeys-api.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { focusBeside } from '../ui/focus-beside.ts'
import { Badge, Fault, When } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { turnOff } from './device.ts'

interface Props {
  readonly devices: readonly ShownDevice[]
  /** The id of this device, if it is notified. */
  readonly own: string | null
  readonly onChange: () => void
}

/** Shows the list. */
export function Devices({ devices, own, onChange }: Props) {
  const [failure, setFailure] = useState<unknown>(null)
  const remove = async (id: string) => {
    setFailure(null)
    try {
      await (id === own
        ? turnOff(basePath.value)
        : sendAct(basePath.value, 'remove_device', { segments: { device: id } }))
      focusBeside(`[data-remove-device="${id}"]`, '[data-remove-device]')
    } catch (error) {
      setFailure(toFailure(error))
    }
    onChange()
  }
  return (
    <section class="card" aria-labelledby="devices">
      <header>
        <h2 id="devices">Devices</h2>
      </header>
      {failure ? <Fault what="Cannot remove the device" error={failure} /> : null}
      {devices.length === 0 ? (
        <p class="faint">No device is notified yet.</p>
      ) : (
        <ul class="lines">
          {devices.map((device) => (
            <Device
              key={device.id}
              device={device}
              isHere={device.id === own}
              onRemove={() => void remove(device.id)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface DeviceProps {
  readonly device: ShownDevice
  readonly isHere: boolean
  readonly onRemove: () => void
}

function Device({ device, isHere, onRemove }: DeviceProps) {
  const { id, label, added, delivered, failing } = device
  return (
    <li class="device">
      <span class="devicename">
        <strong>
          <Visible text={label} />
        </strong>{' '}
        {isHere && <Badge tone="info">this device</Badge>}{' '}
        {failing && (
          <Badge tone="danger" title="The push service did not accept the last notification">
            not reached
          </Badge>
        )}
        <small class="faint">
          added <When at={added} /> ·{' '}
          {delivered === null ? (
            'not notified yet'
          ) : (
            <>
              last notified <When at={delivered} />
            </>
          )}
        </small>
      </span>
      <DecisionButton
        shown={id}
        look="small"
        named={{ 'data-remove-device': id }}
        onDecide={onRemove}
      >
        Remove<span class="unseen"> {visible(label)}</span>
      </DecisionButton>
    </li>
  )
}

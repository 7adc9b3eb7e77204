/** The state of this device on a page, looked at again when the person comes back from the settings of the browser. @module */

import type { ShownDevice } from '#core/owner/answers/notifications.ts'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { notifiesPerson } from '../drafts/notifications.ts'
import { readDeviceState, type DeviceState } from './device.ts'

/** Returns the state, null until it is known, and what looks again. `devices` are null until they are known. */
export function useDeviceState(devices: readonly ShownDevice[] | null) {
  const [state, setState] = useState<DeviceState | null>(null)
  const [round, setRound] = useState(0)
  const look = useCallback(() => setRound((before) => before + 1), [])
  const isInTab = notifiesPerson.value
  useEffect(() => {
    if (devices === null) return
    let isOld = false
    void readDeviceState(devices).then((next) => {
      if (!isOld) setState(next)
    })
    return () => void (isOld = true)
  }, [devices, isInTab, round])
  useEffect(() => {
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [look])
  return { state, look }
}

/** The button that allows notifications, or ends them. @module */

import { useState } from 'preact/hooks'
import { byHand } from '../ui/by-hand.ts'
import { Icon } from '../ui/icons.tsx'
import { showToast } from '../ui/toasts.tsx'
import {
  allowNotifications,
  canNotify,
  notifiesPerson,
  stopNotifications,
} from './notifications.ts'

/** Shows the button, if the browser has notifications. */
export function NotificationButton() {
  const [isAsking, setAsking] = useState(false)
  if (!canNotify) return null
  const allow = async () => {
    setAsking(true)
    const isAllowed = await allowNotifications()
    setAsking(false)
    if (!isAllowed)
      showToast('The browser does not allow notifications of this page', { tone: 'danger' })
  }
  return notifiesPerson.value ? (
    <button type="button" class="button" onClick={stopNotifications}>
      <Icon name="cross" /> Stop notifications
    </button>
  ) : (
    <button
      type="button"
      class="button"
      disabled={isAsking}
      title="The browser notifies you when a change begins to wait while the console is open in a tab"
      onClick={byHand(() => void allow())}
    >
      <Icon name="screen" /> Notify me
    </button>
  )
}

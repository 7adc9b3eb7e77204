/** The button that allows notifications, or ends them. @module */

import { useState } from 'preact/hooks'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { showToast } from '../ui/toasts.tsx'
import {
  allowNotifications,
  canNotify,
  notifiesPerson,
  stopNotifications,
} from './notifications.ts'

const WHEN_NOTIFIED =
  'The browser notifies you when a change begins to wait while the console is open in a tab'

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
    <DecisionButton
      shown={null}
      isOff={isAsking}
      named={{ title: WHEN_NOTIFIED }}
      onDecide={() => void allow()}
    >
      <Icon name="screen" /> Notify me
    </DecisionButton>
  )
}

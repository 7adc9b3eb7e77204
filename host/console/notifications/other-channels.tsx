/** The channels beside devices, which the operator of the server configures. @module */

import type { NotificationSettings } from '#core/owner/answers/notifications.ts'
import { Badge } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'

const CHATS: Readonly<Record<NonNullable<NotificationSettings['chat']>, string>> = {
  slack: 'Slack',
  teams: 'Teams',
  discord: 'Discord',
  plain: 'a text to a URL',
}

/** Shows each channel, and whether it is on. */
export function OtherChannels({ settings }: { readonly settings: NotificationSettings }) {
  const { chat, email, webhook } = settings
  return (
    <section class="card" aria-labelledby="other-channels">
      <header>
        <h2 id="other-channels">Other channels</h2>
      </header>
      <ul class="lines">
        <Channel name="Chat" detail={chat && CHATS[chat]} isOn={chat !== null} />
        <Channel name="E-mail" detail={email} isOn={email !== null} />
        <Channel name="Webhook" detail={null} isOn={webhook} />
      </ul>
      <p class="small faint">
        The operator of the server turns these on with variables, which{' '}
        <code>docs/notifications.md</code> explains.
      </p>
    </section>
  )
}

interface ChannelProps {
  readonly name: string
  /** Where it leads to, if there is something to say. */
  readonly detail: string | null
  readonly isOn: boolean
}

const Channel = ({ name, detail, isOn }: ChannelProps) => (
  <li class="row apart">
    <span>
      {name}
      {detail !== null && (
        <small class="faint">
          {' '}
          <Visible text={detail} />
        </small>
      )}
    </span>
    <Badge tone={isOn ? 'success' : 'plain'}>{isOn ? 'On' : 'Off'}</Badge>
  </li>
)

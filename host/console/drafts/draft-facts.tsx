/** Facts of a draft in words: whose it is, since when it waits, and for how long it can. @module */

import { actorInText } from '../activity/changes.ts'
import { ActorName, ClaimedName, ClaimedText } from '../ui/claimed-name.tsx'
import { coarseNow } from '../ui/clock.ts'
import { formatRemaining } from '../ui/format.ts'
import { Badge, When } from '../ui/parts.tsx'
import type { DraftFacts } from '#core/owner/answers/drafts.ts'

/** Names the agent of a draft, in a text. */
export const nameDraftActor = ({ actor, ...facts }: DraftFacts) =>
  actorInText({ text: actor, ...facts })

/** Names the agent of a draft. Where it has no session, its client's claim is all that tells it from others. */
export const DraftActor = ({ draft: { actor, ...facts } }: { readonly draft: DraftFacts }) => (
  <>
    <ActorName actor={{ text: actor, ...facts }} />
    {facts.session === null && facts.client !== null && (
      <>
        {' '}
        (client <ClaimedName name={facts.client} />)
      </>
    )}
  </>
)

/** Shows since when a draft waits, when it expires, whether it may be of several programs, and whether its session has ended. */
export function DraftTimes({ draft }: { readonly draft: DraftFacts }) {
  const { opened, expires, shared, ended } = draft
  return (
    <span class="by">
      First change <When at={opened} />, expires in {formatRemaining(expires - coarseNow.value)}
      {shared && (
        <>
          {' '}
          <Badge>may be from several programs</Badge>
        </>
      )}
      {ended && (
        <>
          {' '}
          <Badge tone="warning">session has ended, you can still decide</Badge>
        </>
      )}
    </span>
  )
}

/** Quotes why the agent made its changes, which is its claim; nothing if it gave no reason. */
export const DraftReason = ({ draft: { reason } }: { readonly draft: DraftFacts }) =>
  reason === '' ? null : (
    <span class="reason">
      Its reason: <ClaimedText text={reason} />
    </span>
  )

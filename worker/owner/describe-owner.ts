/** Whose a draft or an access request is, for the owner's page. `test/worker/sessions/client-names.test.ts` tests it. @module */

import { describeActor } from '#core/actor.ts'
import type { DraftOwner } from '../access/draft.ts'
import { claimedNameOf } from '../access/draft-owner.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** Describes whose it is. `client` is what the client calls itself, where `label` is that of its link. */
export function describeOwner(
  { key, principal, session, label }: DraftOwner,
  sessions: Pick<Sessions, 'namesOf'>,
) {
  const client = claimedNameOf(key) ?? sessions.namesOf(session)?.client
  const actor = describeActor({ principal, label, client })
  return { actor, principal, session, label, client: client ?? null }
}

/**
 * Grants: what a person has consented to for a client, as a session without a link.
 *
 * @module
 */

import * as z from 'zod'
import type { Session, Sessions } from './sessions.ts'

/** Days for which a client can renew its tokens, and so for which its session lasts. */
const GRANT_DAYS = 30

const Grant = z.strictObject({
  label: z.string().min(1),
  scopes: z.array(z.string()).min(1).max(100),
})

/** Only the front asks for this, after a person has said yes. */
export function makeGrant(sessions: Sessions, asked: unknown): Session {
  const { label, scopes } = Grant.parse(asked)
  return sessions.make(
    {
      parent: null,
      principal: 'owner',
      label: label.slice(0, 200),
      config: null,
      policy: null,
      scopes,
      inherited: null,
      budget: 'owner',
      initialize: null,
      expires: Date.now() + GRANT_DAYS * 24 * 60 * 60 * 1000,
    },
    null,
  )
}

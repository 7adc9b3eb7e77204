/** Grants: what a person has consented to for a client, stored as a session without a link. @module */

import * as z from 'zod/mini'
import { MAX_GRANTED_SCOPES } from './limits.ts'
import { cutLabel, OWNER_MADE, type Session } from '../access/session.ts'
import type { Sessions } from './sessions.ts'

/** Lifetime of a grant's session in days, as long as its client can renew tokens. */
const GRANT_DAYS = 30

const Grant = z.strictObject({
  label: z.string().check(z.minLength(1)),
  scopes: z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_GRANTED_SCOPES)),
})

/**
 * Creates the session of a grant, after consent. Throws on invalid input, because only the front sends it.
 */
export function makeGrant(sessions: Sessions, asked: unknown): Session {
  const { label, scopes } = Grant.parse(asked)
  return sessions.make(
    {
      parent: null,
      principal: 'owner',
      label: cutLabel(label),
      config: null,
      policy: null,
      scopes,
      inherited: null,
      budget: OWNER_MADE,
      initialize: null,
      expires: Date.now() + GRANT_DAYS * 24 * 60 * 60 * 1000,
    },
    null,
  )
}

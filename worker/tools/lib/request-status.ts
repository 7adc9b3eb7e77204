/**
 * What an agent receives about its access requests: that they wait, and what the owner decided.
 *
 * @module
 */

import { shortNames } from '../../errors/short.ts'
import { ALLOWED_CALL_SECONDS } from '../../access/limits.ts'
import { listScopes, type AccessRequest } from '../../access/access-request.ts'

/** Describes an access request, decided or not, in a sentence. */
export function describeRequest(request: AccessRequest): string {
  const { scopes, state, note } = request
  const written = note === '' ? '' : ` Note: ${JSON.stringify(note)}`
  const named = listScopes(shortNames(scopes, MAX_NAMED))
  const more = scopes.length > MAX_NAMED ? ` and ${scopes.length - MAX_NAMED} more` : ''
  const subject = scopes.length === 0 ? 'Access request' : `Access request for ${named}${more}`
  if (state === 'waiting') return `${subject} waits for the owner.`
  if (state === 'expired') return `${subject}: expired without a decision.`
  if (state === 'taken_back') return `${subject}: taken back by the owner.`
  if (state === 'refused') return `${subject}: refused by the owner.${written}`
  return `${subject}: ${describeAllowed(request)}`
}

const MAX_NAMED = 5

function describeAllowed({ allowedFor, tool }: AccessRequest): string {
  if (allowedFor === 'session') return 'allowed for this session.'
  if (allowedFor === 'rules') return 'allowed by the rules.'
  const minutes = ALLOWED_CALL_SECONDS / 60
  return `allowed for one call. Repeat ${tool} with the same arguments within ${minutes} minutes.`
}

/** An access request as data, for the agent. */
export function toStatus({ id, tool, intent, scopes, state, allowedFor, note }: AccessRequest) {
  const allowed = allowedFor === null ? {} : { allowed_for: allowedFor }
  return { id, tool, intent, scopes, state, ...allowed, note }
}

/**
 * Opens the drafts of a workspace with what their owners may do today.
 *
 * @module
 */

import { ok } from '#core/result.ts'
import { resolveAccess, type Access } from '../access/access.ts'
import { accessOfRequest } from '../access/from-metadata.ts'
import { withAllowedCall, withConfiguration } from '../access/caller.ts'
import type { Callers } from '../sessions/callers.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Draft, PlannedCall } from '../access/draft.ts'
import { createDrafts, type Drafts, type DraftsParts } from './drafts.ts'

/** The services that drafts are opened with. */
export interface OpenDraftsParts extends Omit<
  DraftsParts,
  'isPasskeyMissing' | 'accessOf' | 'accessOfCall' | 'sessions'
> {
  readonly passkeys: Pick<Passkeys, 'isMissing'>
  readonly sessions: Pick<Sessions, 'find' | 'lastSeen' | 'see' | 'list'>
  readonly callers: Pick<Callers, 'inReview' | 'lastCallerOf' | 'local'>
}

/** Opens the drafts of a workspace. */
export function openDrafts({ passkeys, sessions, callers, ...parts }: OpenDraftsParts): Drafts {
  const services = { sessions, callers }
  return createDrafts({
    ...parts,
    sessions,
    isPasskeyMissing: (level, proof) =>
      passkeys.isMissing(level === 'confirm' ? 'confirm' : 'approve', proof),
    accessOf: (draft, allowed = []) => agentAccess(draft, allowed, services),
    accessOfCall: (draft, call) => accessOfCall(draft, call, services),
  })
}

/**
 * What the owner of a draft may do today: its ceiling, with the token that it used last, without the narrower area
 * that its client chose. If its session has ended, the rules of the workspace remain.
 */
function agentAccess(draft: Draft, allowed: readonly string[], services: Services): Access {
  const { caller, isOver } = callerOfDraft(draft, services)
  // What the owner allowed ends with the session.
  const { ceiling, judging } = withAllowedCall(caller, isOver ? [] : allowed).working
  const access = resolveAccess({ ceiling, area: ceiling, judging })
  if (!access.ok) throw new Error(access.error)
  return access.value
}

type Services = Pick<OpenDraftsParts, 'sessions' | 'callers'>

function callerOfDraft({ owner }: Draft, { sessions, callers }: Services) {
  const session = owner.session === null ? null : sessions.find(owner.session)
  const caller = callers.inReview((session && callers.lastCallerOf(session)) ?? callers.local)
  return { caller, isOver: owner.session !== null && caller.session === null }
}

/**
 * The access with which a call is planned again: that of its request, under the rules of today. Null if it is not
 * known any more, because its session has ended or the rules refuse its configuration or policy.
 */
function accessOfCall(
  draft: Draft,
  { allowed = [], configuration, meta, isFree = false }: PlannedCall,
  services: Services,
): Access | null {
  const { caller, isOver } = callerOfDraft(draft, services)
  if (isOver && !isFree) return null
  const configured =
    configuration === undefined ? ok(caller) : withConfiguration(caller, configuration)
  if (!configured.ok) return null
  const access = accessOfRequest(withAllowedCall(configured.value, isOver ? [] : allowed), meta)
  return access.ok ? access.value : null
}

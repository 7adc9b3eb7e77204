/**
 * Opens the drafts of a workspace with the services around them: what their owners may do, the alarm, and the
 * notices of the webhook.
 *
 * @module
 */

import { ok } from '#core/result.ts'
import { resolveAccess, type Access } from '../access/access.ts'
import type { Alarm } from '../alarm.ts'
import { accessOfRequest } from '../call/understand.ts'
import { withAllowedCall, withConfiguration } from '../sessions/caller.ts'
import type { Callers } from '../sessions/callers.ts'
import type { Streams } from '../mcp/streams.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { readSetting } from '../store/schema.ts'
import { stepPaths } from '../store/steps.ts'
import type { Webhook } from '../webhook/notices.ts'
import type { Draft, PlannedCall } from './draft.ts'
import { ownerUrl } from './status.ts'
import { createDrafts, type Drafts, type DraftsParts } from './drafts.ts'

/** The services that drafts are opened with. */
export interface OpenDraftsParts extends Pick<
  DraftsParts,
  'sql' | 'has' | 'store' | 'search' | 'tools' | 'changed'
> {
  readonly passkeys: Pick<Passkeys, 'isMissing'>
  readonly sessions: Sessions
  readonly callers: Callers
  readonly webhook: Pick<Webhook, 'notify'>
  readonly alarm: Pick<Alarm, 'wakeAt'>
  readonly streams: Pick<Streams, 'publishDraft' | 'send'>
  /** The name of the workspace. */
  readonly workspace: string
}

/** Delay (ms) between a proposal and the alarm, which indexes its text and sets the time of its expiry. */
const ALARM_SOON_MS = 200

/** Opens the drafts of a workspace. */
export function openDrafts(parts: OpenDraftsParts): Drafts {
  const { sessions, callers, webhook, alarm, streams, workspace, passkeys, ...rest } = parts
  return createDrafts({
    ...rest,
    isPasskeyMissing: (level, proof) =>
      passkeys.isMissing(level === 'confirm' ? 'confirm' : 'approve', proof),
    accessOf: (draft, allowed = []) => agentAccess(draft, allowed, { sessions, callers }),
    accessOfCall: (draft, call) => accessOfCall(draft, call, { sessions, callers }),
    decided: (owner, calls, paths) => {
      // Of what was turned down, the workspace may have other files, or none.
      streams.publishDraft(owner, { paths, listed: paths })
      for (const { isLegacy, change } of calls)
        if (isLegacy) streams.send(owner, elicitationComplete(change))
    },
    notified: () => {
      const url = ownerUrl(readSetting(parts.sql, 'console'), workspace)
      webhook.notify({ type: 'change.applied', workspace, url })
    },
    proposed: (draft, isFirst, { change, steps }) => {
      const paths = steps.flatMap(stepPaths)
      streams.publishDraft(draft.owner.key, { paths, listed: change.listed })
      alarm.wakeAt(Date.now() + ALARM_SOON_MS)
      if (!isFirst) return
      const url = ownerUrl(readSetting(parts.sql, 'console'), workspace)
      const { name, owner } = draft
      webhook.notify({ type: 'draft.waiting', workspace, draft: name, url, budget: owner.budget })
    },
  })
}

/** Builds the notification that a page was used, which a client of the legacy era waits for. */
export function elicitationComplete(elicitationId: string) {
  const method = 'notifications/elicitation/complete'
  return { jsonrpc: '2.0', method, params: { elicitationId } } as const
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

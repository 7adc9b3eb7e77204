/**
 * The trust of one workspace: what the owner lets pass, until when, and how it ends.
 *
 * It belongs to one connection, which is a session that began with `initialize`: its key is in the rows, and no other
 * connection has it. What ends it is checked whenever it is used or listed, so an end needs no message, and an object that
 * was evicted meanwhile finds the same. `test/worker/trust/life.test.ts` has the cases.
 *
 * @module
 */

import type { SessionNames } from '#core/actor.ts'
import { describeSession } from '#core/actor.ts'
import { describeKind } from '#core/owner/answers/trust.ts'
import type { Ground } from '#core/grounds.ts'
import { quoteValue } from '#core/quote.ts'
import { err, ok, type Result } from '#core/result.ts'
import { digestOf, type Audit } from '../audit/audit.ts'
import type { Actor } from '../audit/change-note.ts'
import { BY_OWNER, noteDecision } from '../audit/decision-note.ts'
import { readSetting, writeSetting } from '../database/schema.ts'
import { transaction } from '../database/table-groups.ts'
import { earliest } from '../decisions/inbox.ts'
import type { PasskeyProof, Passkeys } from '../passkeys/passkeys.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { OpenTrusts, Trust, TrustQuestion, TrustDetails } from '../access/trust.ts'
import { decideTrust } from './decide.ts'
import { MAX_SESSION_TRUSTS, MAX_TRUST_SECONDS, MAX_TRUSTS } from './limits.ts'
import { createTrustTable, type StoredTrust, type TrustTable } from './table.ts'

/** The services of trust. */
export interface TrustsParts {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>
  readonly audit: Audit
  readonly sessions: Pick<Sessions, 'find' | 'lastSeen' | 'namesOf'>
  readonly passkeys: Pick<Passkeys, 'all' | 'isMissing'>
  /** Identifies the object of the workspace. */
  readonly workspace: string
  /** Has the alarm call `expire` at a time. */
  readonly wakeAt: (time: number) => void
}

interface TrustsContext extends TrustsParts {
  readonly table: TrustTable
}

/** Trust as the owner is shown it before it is given. `label` and `client` are claims. */
export interface ShownTrust extends TrustDetails {
  readonly label: string
  readonly client: string | null
  /** Names everything above, and that this trust was not given yet. */
  readonly digest: string
}

/** Why trust cannot be given. */
export type TrustRefusal = ShowRefusal | 'full' | 'changed' | 'passkey'

/** Why trust cannot be shown, so not given either. */
type ShowRefusal = 'no_connection' | 'bad_time'

/** Why trust has ended, for the audit log. */
const ENDS = {
  owner: 'ended by the owner',
  time: 'its time is over',
  session: 'its session has ended',
  moved: 'another connection has its draft',
  passkey: 'the passkey that approved it was removed',
  clock: 'the clock was set back',
} as const

/** The trust of one workspace. */
export type Trusts = ReturnType<typeof createTrusts>

/** Opens the trust of a workspace. */
export function createTrusts(parts: TrustsParts) {
  const context: TrustsContext = { ...parts, table: createTrustTable(parts.storage.sql) }
  const open: OpenTrusts = { passing: (question) => findPassing(context, question) }
  return {
    ...open,
    /** Lists what is in force, with the names of each session. */
    list: () => current(context).map((trust) => withNames(context, trust)),
    /** Shows what would be given. */
    show: (details: TrustDetails) => show(context, details, Date.now()),
    /** Gives what was shown under this digest. */
    give: (details: TrustDetails, by: GivenBy) => give(context, details, by),
    /** Ends trust at once. Returns false if there is none with this id. */
    end: (id: string, actor: Actor): boolean => {
      const trust = current(context).find((one) => one.id === id)
      if (trust) end(context, trust, 'owner', actor)
      return trust !== undefined
    },
    /** Ends the trust of a session that has ended. */
    endSession: (session: string) => endOf(context, session, 'session'),
    /** Ends the trust of a connection whose draft another one has now: trust never moves. */
    endMoved: (session: string) => endOf(context, session, 'moved'),
    /** Ends what is over at a time. Returns when the next is due, or null. */
    expire: (now: number) => expire(context, now),
  }
}

function findPassing(context: TrustsContext, question: TrustQuestion): Trust | null {
  if (context.table.all().length === 0) return null
  return decideTrust(current(context), question)
}

/** Returns what is in force now. */
function current(context: TrustsContext): StoredTrust[] {
  expire(context, Date.now())
  return context.table.all()
}

function expire(context: TrustsContext, now: number): number | null {
  const { table } = context
  const trusts = table.all()
  if (trusts.length === 0) return null
  const passkeys = new Set(context.passkeys.all().map(({ id }) => id))
  const isSetBack = now < Number(readSetting(context.storage.sql, SEEN) ?? 0)
  for (const trust of trusts) {
    const reason = reasonToEnd(context, trust, { now, isSetBack, passkeys })
    if (reason !== null) end(context, trust, reason, EDGEWISE)
  }
  see(context, now)
  return earliest(table.all().map(({ until }) => until))
}

/** The setting with the latest time at which trust was looked at. */
const SEEN = 'trusts_seen'

const see = ({ storage }: TrustsContext, now: number) =>
  writeSetting(storage.sql, SEEN, String(now))

/** The time, and the passkeys that there are. */
interface Moment {
  readonly now: number
  /** Whether the clock was set back since trust was looked at, so that no time of it can be relied on. */
  readonly isSetBack: boolean
  readonly passkeys: ReadonlySet<string>
}

function reasonToEnd(
  { sessions }: TrustsContext,
  { session, until, passkey }: StoredTrust,
  { now, isSetBack, passkeys }: Moment,
): keyof typeof ENDS | null {
  if (isSetBack) return 'clock'
  if (now >= until) return 'time'
  if (sessions.lastSeen(session) === null) return 'session'
  return passkey !== null && !passkeys.has(passkey) ? 'passkey' : null
}

const EDGEWISE: Actor = { principal: 'edgewise', session: null, label: null }

function endOf(context: TrustsContext, session: string, reason: keyof typeof ENDS): void {
  for (const trust of context.table.all())
    if (trust.session === session) end(context, trust, reason, EDGEWISE)
}

function end(
  { table, audit }: TrustsContext,
  trust: StoredTrust,
  reason: keyof typeof ENDS,
  actor: Actor,
): void {
  table.remove(trust.id)
  const intent = `End trust in ${quoteValue(trust.folder)}: ${ENDS[reason]}`
  const by = reason === 'owner' ? BY_OWNER : []
  const decision = [...by, groundOf(trust)]
  noteDecision({ actor, tool: 'end_trust', intent, request: [trust.id, reason], decision }, audit)
}

/** The ground of what passes by trust. */
export const groundOf = ({ id, until }: Pick<Trust, 'id' | 'until'>): Ground => ({
  kind: 'trust',
  id,
  until,
})

/** Names the session of trust: a connection that is alive, whose client speaks with an `initialize` of its own. */
function findNames({ sessions }: TrustsContext, session: string): SessionNames | null {
  const found = sessions.find(session)
  const isConnection = found !== null && found.initialize !== null && found.transfer === null
  return isConnection && sessions.lastSeen(session) !== null ? sessions.namesOf(session) : null
}

function withNames({ sessions }: TrustsContext, trust: StoredTrust) {
  const { label = '', client = null } = sessions.namesOf(trust.session) ?? {}
  return { ...trust, label, client }
}

/** The setting that counts what was given, so that a digest is good for one gift. */
const GIVEN = 'trusts_given'

const countGiven = ({ storage }: TrustsContext) => Number(readSetting(storage.sql, GIVEN) ?? 0)

function show(
  context: TrustsContext,
  details: TrustDetails,
  now: number,
): Result<ShownTrust, ShowRefusal> {
  const names = findNames(context, details.session)
  if (!names) return err('no_connection')
  if (details.until <= now || details.until > now + MAX_TRUST_SECONDS * 1000) return err('bad_time')
  const shown = { ...details, label: names.label, client: names.client ?? null }
  const { session, label, client, folder, tools, kinds, until } = shown
  const named = [session, label, client, folder, tools, kinds, until]
  const digest = digestOf(['edgewise trust', context.workspace, countGiven(context), ...named])
  return ok({ ...shown, digest })
}

/** Who gives trust, and what was shown. */
export interface GivenBy {
  readonly actor: Actor
  readonly digest: string
  readonly passkey: PasskeyProof | null
}

function give(
  context: TrustsContext,
  details: TrustDetails,
  by: GivenBy,
): Result<StoredTrust, TrustRefusal> {
  const given = transaction(context.storage, (): Result<StoredTrust, TrustRefusal> => {
    const now = Date.now()
    const trusts = current(context)
    const shown = show(context, details, now)
    if (!shown.ok) return shown
    if (shown.value.digest !== by.digest) return err('changed')
    if (context.passkeys.isMissing('approve', by.passkey)) return err('passkey')
    if (isFull(trusts, details)) return err('full')
    return ok(add(context, shown.value, now, by))
  })
  if (given.ok) context.wakeAt(given.value.until)
  return given
}

const isFull = (trusts: readonly Trust[], { session }: TrustDetails): boolean =>
  trusts.length >= MAX_TRUSTS ||
  trusts.filter((trust) => trust.session === session).length >= MAX_SESSION_TRUSTS

function add(
  context: TrustsContext,
  shown: ShownTrust,
  now: number,
  { actor, passkey }: GivenBy,
): StoredTrust {
  const { label, client, digest, ...details } = shown
  const id = crypto.randomUUID()
  const trust = { ...details, id, given: now, passkey: passkey?.id ?? null }
  context.table.add(trust)
  see(context, now)
  writeSetting(context.storage.sql, GIVEN, String(countGiven(context) + 1))
  const decision = [...BY_OWNER, ...(passkey ? [passkey] : []), groundOf(trust)]
  const intent = describe(details, { label, client: client ?? undefined })
  const note = { actor, tool: 'give_trust', intent, request: [digest, details], decision }
  noteDecision(note, context.audit)
  return trust
}

function describe({ folder, tools, kinds, until }: TrustDetails, names: SessionNames): string {
  const risky = kinds.length === 0 ? '' : `, with ${kinds.map(describeKind).join(', ')}`
  const what = `changes by ${tools.join(', ')} in ${quoteValue(folder)}${risky}`
  return `Let ${what} of the session of ${describeSession(names)} pass until ${new Date(until).toISOString()}`
}

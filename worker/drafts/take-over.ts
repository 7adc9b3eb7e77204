/**
 * Drafts that go to another connection. A new one takes over the draft of a connection that has ended, if both have the
 * same grant or link and the same ceiling; without a grant or link the owner hands a draft over.
 *
 * With the draft go the decisions on it, so the connection that has it now hears of them. Calls that wait for a decision
 * stay, because their client asks for the answer, and so does a draft for which one waits, until its connection is over.
 * Access requests stay: they are about what one connection may do. What the owner allowed a connection, for one call or
 * until it ends, may be in what it writes later, so its draft stays as well. `test/worker/drafts/take-over.test.ts` has the
 * cases.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import type { Actor } from '../audit/change-note.ts'
import { noteDecision, type Decided } from '../audit/decision-note.ts'
import type { Credential, Decision, Draft, DraftMove, DraftOwner } from '../access/draft.ts'
import { isShared } from '../access/draft-owner.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { Connections } from './connections.ts'
import { runWhole, type DecideParts } from './decide.ts'
import { MAX_RECEIVERS } from './limits.ts'

/** What taking over uses. */
export interface TakeOverParts extends DecideParts {
  readonly connections: Connections
  /** Called in the transaction in which a draft goes to another owner, by the key of that one. */
  readonly moved: (draft: Draft, to: string) => void
}

/** Creates what moves drafts between connections. */
export const createTakeOver = (parts: TakeOverParts) => ({
  /** Notes a call of a caller, before it is answered, and lets it take over the draft of one that has ended. */
  arrive: (owner: DraftOwner) => arrive(parts, owner),
  /** Notes any other request of a connection, or that its stream was open until now. */
  hear: (owner: string) => hear(parts, owner),
  /** Lists the connections to which the owner can hand a draft over. */
  receivers: (draft: Draft) => listReceivers(parts, draft),
  handOver: (name: string, to: Receiver) => handOver(parts, name, to),
})

function arrive(parts: TakeOverParts, owner: DraftOwner): void {
  if (hear(parts, owner.key)) return
  const left = findLeft(parts, owner)
  if (!left) return
  takeOver(parts, left, owner)
  hear(parts, owner.key)
}

/** Notes that a connection was there now, if it has a draft. Returns whether it has one. */
export function hear({ table, connections }: TakeOverParts, owner: string): boolean {
  const draft = table.of(owner)
  if (draft && !isShared(owner)) connections.hear(draft)
  return draft !== null
}

/** Finds the newest draft that a connection may take over; null without one. */
function findLeft(parts: TakeOverParts, { connection }: DraftOwner): Draft | null {
  const { table } = parts
  const credential = connection?.credential
  if (!credential || credential.id === null) return null
  let newest: Draft | null = null
  for (const draft of table.each()) {
    // A connection that began before the newest change worked beside the one that made it.
    if (!isSame(draft.credential, credential) || draft.touched > connection.began) continue
    if ((newest?.touched ?? 0) <= draft.touched && hasEnded(parts, draft)) newest = draft
  }
  return newest
}

/** Whether the connection that has a draft is over, or silent while no call of it waits. */
const hasEnded = ({ connections, waitingCalls }: TakeOverParts, draft: Draft): boolean =>
  connections.isOver(draft) ||
  (connections.isSilent(draft) && !waitingCalls.isAwaited(draft.owner.key))

/** Whether two connections have the same grant or link, if any, and may do the same. */
export const isSame = (one: Credential | null, other: Credential | null): boolean =>
  one !== null && other !== null && one.id === other.id && one.ceiling === other.ceiling

function takeOver(parts: TakeOverParts, draft: Draft, owner: DraftOwner): void {
  const { principal, session, label, budget } = owner
  moveDraft(parts, draft, owner, {
    tool: 'take_over_draft',
    intent: `Take over draft ${draft.name} of the connection ${shortId(draft.owner.key)}, which has ended`,
    actor: { principal, session, label, budget },
    decision: [{ kind: 'session', label: label ?? '' }],
    outcome: 'proposed',
  })
}

/** The beginning of a session's id, as the console shows it where names are equal. */
const shortId = (session: string) => session.slice(0, 8)

/** Lists the connections to which the owner can hand a draft over: alive, without a draft, and with the same ceiling. */
function listReceivers({ table, connections }: TakeOverParts, draft: Draft): DraftOwner[] {
  if (draft.credential?.id !== null) return []
  return connections
    .listFree()
    .filter(
      (owner) =>
        owner.principal === draft.owner.principal &&
        isSame(draft.credential, owner.connection?.credential ?? null) &&
        table.of(owner.key) === null,
    )
    .slice(0, MAX_RECEIVERS)
}

/** The connection that is to have a draft, and who decides it. */
export interface Receiver {
  readonly session: string
  readonly actor: Actor
}

/** Hands a draft over to a connection. Returns false if it cannot have the draft now. */
function handOver(parts: TakeOverParts, name: string, { session, actor }: Receiver): boolean {
  const draft = parts.table.named(name)
  const owner = draft && listReceivers(parts, draft).find(({ key }) => key === session)
  if (!draft || !owner) return false
  const intent = `Hand draft ${name} of ${describeActor(draft.owner)} over to ${describeActor(owner)}`
  moveDraft(parts, draft, owner, { tool: 'hand_over_draft', intent, actor })
  return true
}

/** Who moves a draft, for the audit log. */
type Mover = Pick<Decided, 'actor' | 'tool' | 'intent' | 'decision' | 'outcome'>

/** Moves a draft to another owner, and tells both. */
function moveDraft(parts: TakeOverParts, draft: Draft, owner: DraftOwner, by: Mover): void {
  const { table, decisions, store } = parts
  const [from, to] = [draft.owner, owner]
  const paths = [
    ...new Set(table.proposals(draft).flatMap(({ steps }) => (steps ?? []).flatMap(stepPaths))),
  ]
  const moved = runWhole(parts, () => {
    table.move(draft, owner)
    decisions.move(draft.name, from.key, to.key)
    parts.moved(draft, to.key)
    decisions.add(from, newsOf(draft, 'moved_away', by))
    decisions.add(to, newsOf(draft, 'moved_here', by))
    noteDecision({ ...by, request: [draft.name, from.key, to.key], paths }, store.audit)
  })
  if (!moved.ok) return
  for (const { key } of [from, to]) parts.decided(key, [], paths)
}

const newsOf = (
  { name, changes }: Draft,
  outcome: DraftMove,
  { actor: { principal } }: Mover,
): Decision => ({
  ...{ draft: name, outcome, approver: principal, note: '', at: Date.now(), changes },
  ...{ paths: [], ids: [] },
})

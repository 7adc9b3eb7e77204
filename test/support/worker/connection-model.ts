/**
 * A plain model of connections and the drafts that they have: which of them may take over which draft, and what each
 * has to learn of it.
 *
 * After an eviction it is known to the minute when a connection was heard, so there a draft may be taken over, and need
 * not be.
 *
 * @module
 */

import { draftOwnerOf } from '#worker/access/draft-owner.ts'
import type { Caller } from '#worker/access/caller.ts'
import type { DraftOwner } from '#worker/access/draft.ts'
import { MAX_SILENT_SECONDS } from '#worker/drafts/limits.ts'
import type { Session } from '#worker/access/session.ts'
import type { Sessions } from '#worker/sessions/sessions.ts'

/** Who connects: by a link, with all of its access or with a part. */
export const SLOTS = ['one', 'same', 'narrower', 'other'] as const

export type Slot = (typeof SLOTS)[number]

const LINKS: Readonly<Record<Slot, string>> = {
  one: 'link-one',
  same: 'link-one',
  narrower: 'link-one',
  other: 'link-other',
}

/** A connection, and what waits in its draft. */
export interface Connection<Waiting> {
  readonly session: Session
  readonly slot: Slot
  waiting: readonly Waiting[]
  /** When it was heard last, and when the newest change joined its draft. */
  last: number
  touched: number
  isOver: boolean
  hasStream: boolean
  /** Whether an eviction has forgotten when it was heard. */
  isVague: boolean
  /** What it has to learn: the draft, and what became of it. */
  news: readonly { readonly draft: string; readonly outcome: string }[]
}

const SILENT_MS = MAX_SILENT_SECONDS * 1000
const VAGUE_MS = 60_000

/** Whether a connection has ended: `null` if either may be. */
function hasEnded<W>({ isOver, hasStream, isVague, last }: Connection<W>): boolean | null {
  if (isOver) return true
  if (hasStream) return false
  const silent = Date.now() - last
  if (silent < SILENT_MS) return false
  return isVague && silent < SILENT_MS + VAGUE_MS ? null : true
}

const mayTake = <W>(taker: Connection<W>, giver: Connection<W>): boolean | null => {
  const isSame =
    LINKS[taker.slot] === LINKS[giver.slot] &&
    (taker.slot === 'narrower') === (giver.slot === 'narrower')
  const isNew = giver.touched <= taker.session.created
  if (taker === giver || taker.waiting.length > 0 || giver.waiting.length === 0) return false
  return isSame && isNew ? hasEnded(giver) : false
}

/** The connections of which one takes over the draft now, and whether one of them has to give it. */
export function findGivers<W>(taker: Connection<W>, all: readonly Connection<W>[]) {
  const verdicts = all.map((giver) => ({ giver, verdict: mayTake(taker, giver) }))
  return {
    givers: verdicts.filter(({ verdict }) => verdict !== false).map(({ giver }) => giver),
    isSure: verdicts.some(({ verdict }) => verdict === true),
  }
}

/** Moves a draft in the model. */
export function moveDraft<W>(from: Connection<W>, to: Connection<W>, draft: string): void {
  const isOfDraft = (one: { readonly draft: string; readonly outcome: string }) =>
    one.draft === draft && !one.outcome.startsWith('moved')
  to.waiting = from.waiting
  to.touched = from.touched
  from.waiting = []
  to.news = [...to.news, ...from.news.filter(isOfDraft), { draft, outcome: 'moved_here' }]
  from.news = [...from.news.filter((one) => !isOfDraft(one)), { draft, outcome: 'moved_away' }]
}

/** Begins a connection. */
export function beginConnection<W>(sessions: Sessions, slot: Slot): Connection<W> {
  const made = {
    parent: LINKS[slot],
    principal: 'agent',
    label: slot,
    config: null,
    policy: null,
    scopes: slot === 'narrower' ? ['read', 'write:file:/docs'] : null,
    inherited: null,
    budget: slot,
    initialize: {},
    expires: null,
  }
  const session = sessions.make({ ...made, id: crypto.randomUUID() }, null)
  const facts = { last: Date.now(), touched: 0, isOver: false, hasStream: false, isVague: false }
  return { session, slot, waiting: [], news: [], ...facts }
}

/** Makes the links of all connections that are not there yet. */
export function makeLinks(sessions: Sessions): void {
  for (const id of new Set(Object.values(LINKS))) {
    if (sessions.find(id)) continue
    const made = { parent: null, principal: 'agent', label: id, config: null, policy: null }
    const rest = { scopes: null, inherited: null, budget: id, initialize: null, expires: null }
    sessions.make({ id, ...made, ...rest }, null)
  }
}

/** The caller that a connection is. */
export const callerOf = <W>(caller: Caller, { session, slot }: Connection<W>): Caller => ({
  ...caller,
  principal: 'agent',
  budget: slot,
  session,
})

/** The owner of the draft of a connection. */
export const ownerOf = <W>(caller: Caller, connection: Connection<W>): DraftOwner =>
  draftOwnerOf(callerOf(caller, connection))

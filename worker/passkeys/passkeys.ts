/**
 * The owner's passkeys: which decisions need one, and the proof that one was used.
 *
 * A browsing agent clicks with trusted events, and a local program forges the headers of a browser; neither can
 * pass the user verification of an authenticator. `test/worker/passkeys/passkeys.test.ts` has the cases,
 * `test/worker/passkeys/attacks.test.ts` the attacks, `docs/decisions/0020-passkeys.md` the reasons.
 *
 * @module
 */

import type { PasskeyRule } from '#core/config/values.ts'
import type { Ground } from '#core/grounds.ts'
import { err, ok, type Result } from '#core/result.ts'
import { quoteValue } from '#core/quote.ts'
import type { Audit } from '../audit/audit.ts'
import { BY_OWNER, noteDecision } from '../audit/decision-note.ts'
import type { Problem } from '../errors/problem.ts'
import type { Actor } from '../audit/change-note.ts'
import { challengeIn, parseAssertion, type Registration } from './answers.ts'
import { createChallenges, type Act, type Challenges } from './challenges.ts'
import { MAX_PASSKEYS, MAX_REMOVAL_SECONDS } from './limits.ts'
import { loadVerify } from './load.ts'
import { optionsToCreate, optionsToUse } from './options.ts'
import { createPasskeyTable, type Passkey, type PasskeyTable } from './table.ts'
import type { PageAddress } from './verify.ts'

/** A decision of the owner, as far as the rule about passkeys distinguishes them. */
export type Decision = 'confirm' | 'approve' | 'allow' | 'loosen' | 'manage'

/** Which passkey was used for an act. */
export type PasskeyProof = Extract<Ground, { readonly kind: 'passkey' }>

/** Who decides, and on which page. */
export interface Decider {
  readonly actor: Actor
  readonly page: PageAddress
}

export interface PasskeysParts {
  readonly sql: SqlStorage
  readonly audit: Audit
  /** Identifies the object of the workspace: challenges of one are void in another. */
  readonly workspace: string
  /** The rule that is in force. */
  readonly rule: () => PasskeyRule
  /** Has the alarm call `expire` at a time. */
  readonly wakeAt: (time: number) => void
}

interface PasskeysContext extends PasskeysParts {
  readonly table: PasskeyTable
  readonly challenges: Challenges
}

/** The passkeys of one workspace. */
export type Passkeys = ReturnType<typeof createPasskeys>

/** Opens the passkeys of a workspace. */
export function createPasskeys(parts: PasskeysParts) {
  const { sql, workspace } = parts
  const challenges = createChallenges(sql, workspace)
  const context: PasskeysContext = { ...parts, table: createPasskeyTable(sql), challenges }
  return {
    all: () => current(context),
    /** Whether a decision needs a passkey that `proof` does not give. */
    isMissing: (decision: Decision, proof: PasskeyProof | null): boolean =>
      isMissing(context, decision, proof),
    /** Makes the question for an act, as WebAuthn has it. */
    ask: (act: Act, page: PageAddress) => ask(context, act, page),
    /** Checks the answer to a question for an act. A right answer cancels every removal that waits. */
    prove: (answer: string, act: Act, decider: Decider) => prove(context, answer, act, decider),
    /** Makes the question for a new passkey. Ask for a proof first, if there are others. */
    begin: (decider: Decider) => begin(context, decider),
    /** Adds a passkey. */
    finish: (label: string, response: Registration, decider: Decider) =>
      finish(context, label, response, decider),
    rename: (id: string, label: string, decider: Decider) => rename(context, id, label, decider),
    /** Removes a passkey at once. Ask for a proof first. */
    remove: (id: string, proof: PasskeyProof, decider: Decider) =>
      withPasskey(context, id, (passkey) => remove(context, passkey, decider.actor, [proof])),
    /** Removes a passkey after the waiting time. */
    removeLater: (id: string, { actor }: Decider, grounds: readonly Ground[]) =>
      withPasskey(context, id, (passkey) => removeLater(context, passkey, actor, grounds)),
    /** Cancels a removal that waits. */
    keep: (id: string, decider: Decider) =>
      withPasskey(context, id, (passkey) => keep(context, [passkey], decider.actor, BY_OWNER)),
    /** Removes what has waited long enough. Returns when the next removal is due, or null. */
    expire: (now: number): number | null => expire(context, now),
  }
}

/** The passkeys without those whose removal is due, even before the alarm. */
function current(context: PasskeysContext): Passkey[] {
  expire(context, Date.now())
  return context.table.all()
}

function expire(context: PasskeysContext, now: number): number | null {
  for (const passkey of context.table.due(now)) remove(context, passkey, EDGEWISE, [])
  const times = context.table.all().flatMap(({ removal }) => (removal === null ? [] : [removal]))
  return times.length === 0 ? null : Math.min(...times)
}

const EDGEWISE: Actor = { principal: 'edgewise', session: null, label: null }

function isMissing(
  context: PasskeysContext,
  decision: Decision,
  proof: PasskeyProof | null,
): boolean {
  const passkeys = current(context)
  if (passkeys.length === 0) return false
  // It can have been removed since it was used.
  if (proof && passkeys.some(({ id }) => id === proof.id)) return false
  const rule = context.rule()
  if (decision === 'manage') return true
  if (rule === 'none') return false
  return rule === 'all' || decision === 'confirm' || decision === 'loosen'
}

function ask(context: PasskeysContext, act: Act, page: PageAddress) {
  const passkeys = current(context)
  const usable = passkeys.filter(({ host }) => host === page.host)
  const [first] = passkeys
  if (first && usable.length === 0)
    return err<Problem>({ reason: 'passkey_elsewhere', host: first.host })
  const challenge = context.challenges.issue(act, Date.now())
  return ok(optionsToUse(challenge, usable, page))
}

async function prove(
  context: PasskeysContext,
  answer: string,
  act: Act,
  { actor, page }: Decider,
): Promise<Result<PasskeyProof, Problem>> {
  const passkey = await verify(context, answer, act, page)
  if (!passkey) {
    const refused = { kind: 'refused', code: 'PASSKEY_REFUSED' } as const
    const note = { actor, tool: 'use_passkey', intent: 'Use a passkey', request: act }
    noteDecision({ ...note, decision: [refused], outcome: 'refused' }, context.audit)
    return err({ reason: 'passkey_refused' })
  }
  const proof: PasskeyProof = { kind: 'passkey', id: passkey.id, label: passkey.label }
  const waiting = current(context).filter(({ removal }) => removal !== null)
  if (waiting.length > 0) keep(context, waiting, actor, [proof])
  return ok(proof)
}

/** Returns the passkey of a right answer, or null. The challenge is used up, whatever the answer is. */
async function verify(
  context: PasskeysContext,
  answer: string,
  act: Act,
  page: PageAddress,
): Promise<Passkey | null> {
  const { table, challenges } = context
  const assertion = parseAssertion(answer)
  const challenge = assertion && challengeIn(assertion.response.clientDataJSON)
  if (!challenge || !challenges.take(challenge, act, Date.now())) return null
  // One whose time is over proves nothing, even before the alarm.
  expire(context, Date.now())
  const passkey = table.ofCredential(assertion.id)
  if (!passkey || passkey.host !== page.host) return null
  const { verifyAssertion } = await loadVerify()
  const counter = await verifyAssertion(assertion, challenge, page, passkey)
  if (counter === null || !table.use(passkey.id, counter, Date.now())) return null
  return passkey
}

function begin(context: PasskeysContext, { actor, page }: Decider) {
  const passkeys = current(context)
  if (passkeys.length >= MAX_PASSKEYS)
    return err<Problem>({ reason: 'too_many_passkeys', limit: MAX_PASSKEYS })
  const challenge = context.challenges.issue(addition(passkeys), Date.now())
  return ok(optionsToCreate(challenge, passkeys, { page, name: actor.principal }))
}

/** A question that was asked while there was no passkey adds none once there is one. */
const addition = (passkeys: readonly Passkey[]): Act => ['add_passkey', passkeys.length > 0]

async function finish(
  context: PasskeysContext,
  label: string,
  response: Registration,
  { actor, page }: Decider,
): Promise<Result<Passkey, Problem>> {
  const { table, challenges, audit } = context
  const refused = err<Problem>({ reason: 'passkey_refused' })
  const isFirst = current(context).length === 0
  const challenge = challengeIn(response.response.clientDataJSON)
  if (!challenge || !challenges.take(challenge, addition(current(context)), Date.now()))
    return refused
  const { verifyRegistration } = await loadVerify()
  const added = await verifyRegistration(response, challenge, page)
  const passkeys = current(context)
  // Another one can have been added during the verification.
  if (!added || (isFirst && passkeys.length > 0) || table.ofCredential(added.credential))
    return refused
  if (passkeys.length >= MAX_PASSKEYS)
    return err({ reason: 'too_many_passkeys', limit: MAX_PASSKEYS })
  const passkey: Passkey = {
    ...added,
    id: crypto.randomUUID(),
    label,
    host: page.host,
    transports: response.response.transports ?? [],
    created: Date.now(),
    used: null,
    removal: null,
  }
  table.add(passkey)
  const { id } = passkey
  const note = {
    actor,
    tool: 'register_passkey',
    intent: `Register the passkey ${quoteValue(label)}`,
  }
  noteDecision({ ...note, request: { id }, decision: [...BY_OWNER, proofOf(passkey)] }, audit)
  return ok(passkey)
}

const proofOf = ({ id, label }: Passkey): PasskeyProof => ({ kind: 'passkey', id, label })

function rename(
  context: PasskeysContext,
  id: string,
  label: string,
  { actor }: Decider,
): Result<null, Problem> {
  return withPasskey(context, id, (passkey) => {
    context.table.rename(id, label)
    const intent = `Rename the passkey ${quoteValue(passkey.label)} to ${quoteValue(label)}`
    noteDecision({ actor, tool: 'rename_passkey', intent, request: { id, label } }, context.audit)
  })
}

function withPasskey(
  context: PasskeysContext,
  id: string,
  work: (passkey: Passkey) => void,
): Result<null, Problem> {
  expire(context, Date.now())
  const passkey = context.table.find(id)
  if (!passkey) return err({ reason: 'no_passkey', passkey: id })
  work(passkey)
  return ok(null)
}

function remove(
  { table, audit }: PasskeysContext,
  { id, label }: Passkey,
  actor: Actor,
  decision: readonly Ground[],
): void {
  table.remove(id)
  const intent = `Remove the passkey ${quoteValue(label)}`
  noteDecision({ actor, tool: 'remove_passkey', intent, request: { id }, decision }, audit)
}

function removeLater(
  { table, audit, wakeAt }: PasskeysContext,
  { id, label, removal }: Passkey,
  actor: Actor,
  decision: readonly Ground[],
): void {
  // Asking again must not move the time.
  if (removal !== null) return
  const due = Date.now() + MAX_REMOVAL_SECONDS * 1000
  table.removeAt(id, due)
  wakeAt(due)
  const intent = `Remove the passkey ${quoteValue(label)} later`
  const request = { id, due }
  noteDecision({ actor, tool: 'remove_passkey_later', intent, request, decision }, audit)
}

function keep(
  { table, audit }: PasskeysContext,
  passkeys: readonly Passkey[],
  actor: Actor,
  decision: readonly Ground[],
): void {
  for (const { id, label, removal } of passkeys) {
    if (removal === null) continue
    table.removeAt(id, null)
    const intent = `Keep the passkey ${quoteValue(label)}`
    noteDecision({ actor, tool: 'keep_passkey', intent, request: { id }, decision }, audit)
  }
}

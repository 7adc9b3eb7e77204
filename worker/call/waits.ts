/**
 * Calls that wait for a person: a change at the level `confirm` is answered with the page on which the owner decides,
 * and the call that the client repeats is answered with the decision. It proposes nothing again.
 *
 * A client of the modern era gives a signed state back; one of the legacy era repeats the same arguments in its
 * session. There a repetition looks like a new call, so an old decision, or one that the agent learned of in another
 * result, answers nothing: the owner sees what is proposed twice, and would not see a change that is not made. Only the
 * answer to a call that waited is given once more, because its client may have given up.
 * `test/platform/call/confirm.test.ts` and `given-up.test.ts` have the cases.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { seenIntent } from '../access/history-view.ts'
import { accessMetaOf, INVALID_PARAMS, type Elicitation, type Refused } from '../access/metadata.ts'
import { digestOf } from '../audit/audit.ts'
import { resultOfChange } from '../changes/change-result.ts'
import type { Facts } from '../changes/facts.ts'
import type { Draft, DecisionOutcome } from '../access/draft.ts'
import { draftOwnerOf } from '../access/draft-owner.ts'
import type { Drafts } from '../drafts/drafts.ts'
import {
  MAX_CONFIRM_ROUNDS,
  MAX_REQUEST_STATE_SECONDS,
  MAX_WAITING_ANSWER_LENGTH,
} from '../drafts/limits.ts'
import { describeDecision } from '../tools/lib/draft-status.ts'
import { waitingUrl } from '../waiting-url.ts'
import type { ChangeDecision, WaitingAnswer, WaitingCall } from '../drafts/waiting-calls.ts'
import type { CallRequest, CallServices, HeldChange, Waits } from './context.ts'
import type { StateSigner } from './request-state.ts'
import { seenAnswer } from './seen-answer.ts'
import { takeDecisions } from './take-news.ts'
import { failed, appendNews, type Outcome } from '../tools/lib/tool-result.ts'
import { accessOfRequest } from '../access/from-metadata.ts'

/** What waiting uses. */
export interface WaitsParts {
  readonly drafts: Pick<Drafts, 'of' | 'waitingCalls' | 'nextDecision' | 'decidedTimes'>
  readonly signer: StateSigner
  /** Milliseconds that one request waits. */
  readonly waitMs: number
}

/** Creates the service of calls that wait. */
export function createWaits(parts: WaitsParts): Waits {
  return {
    hold: (request, held) => hold(parts, request, held),
    resume: (request, services, began) => resume(parts, request, services, began),
    settle: parts.drafts.waitingCalls.settle,
  }
}

async function hold(
  parts: WaitsParts,
  request: CallRequest,
  { change, draft, ...stored }: HeldChange,
): Promise<Refused | null> {
  const text = JSON.stringify(stored)
  if (text.length > MAX_WAITING_ANSWER_LENGTH) return null
  const owner = draftOwnerOf(request.caller).key
  const waiting: WaitingCall = {
    change,
    owner,
    draft: draft.name,
    digest: digestOfCall(request),
    answer: text,
    isLegacy: request.caller.urlElicitation === 'legacy',
    decided: null,
    wasAnswered: false,
  }
  const refused = await elicit(parts, request, waiting, 0)
  if (refused) parts.drafts.waitingCalls.add(waiting, request.caller.budget)
  return refused
}

/** Asks the person, where the address of the page is known. */
async function elicit(
  { signer }: WaitsParts,
  { caller, meta }: CallRequest,
  { change, owner, draft, digest, answer, isLegacy }: WaitingCall,
  round: number,
): Promise<Refused | null> {
  const access = accessOfRequest(caller, meta)
  if (!access.ok) return access.error
  const url = waitingUrl(caller.base, draft, change)
  if (url === null) return null
  const intent = seenIntent(readAnswer(answer).intent, access.value)
  const message = `This change waits for your confirmation: ${intent}`
  const state = isLegacy ? null : await signer.sign({ change, round }, [owner, digest])
  const asked: Elicitation = { id: change, url, message, state, isFirst: round === 0 }
  return { code: URL_ELICITATION_REQUIRED, message, elicit: asked }
}

/** The JSON-RPC error of the legacy era for a call that needs a person to open a page. */
const URL_ELICITATION_REQUIRED = -32042

async function resume(
  parts: WaitsParts,
  request: CallRequest,
  services: CallServices,
  began: number,
): Promise<Result<Outcome, Refused> | null> {
  const found = await findWaiting(parts, request)
  if (!found?.ok) return found
  const { round, ...waiting } = found.value
  const isDeclined = !waiting.isLegacy && declines(request.responses)
  const now = isDeclined ? waiting : await waitForDecision(parts, waiting, services.signal)
  // A client that is gone learns nothing: the decision stays for its next call.
  if (now.decided && !services.signal?.aborted)
    return answerDecided(parts, { ...now, decided: now.decided, began }, request, services)
  const isOver = isDeclined || round + 1 >= MAX_CONFIRM_ROUNDS
  const again = isOver ? null : await elicit(parts, request, now, waiting.isLegacy ? 0 : round + 1)
  return again ? err(again) : answerWaiting(parts, now, request, services)
}

type Found = WaitingCall & { readonly round: number }

/** Finds the call that a request continues: by its signed state, or by its arguments. */
async function findWaiting(
  { drafts: { waitingCalls }, signer }: WaitsParts,
  request: CallRequest,
): Promise<Result<Found, Refused> | null> {
  const { caller, state } = request
  const owner = draftOwnerOf(caller).key
  if (caller.urlElicitation === 'legacy') {
    if (!waitingCalls.hasUnanswered(owner)) return null
    const call = waitingCalls.findUnanswered(owner, digestOfCall(request))
    return call && isCurrent(call) ? ok({ ...call, round: 0 }) : null
  }
  if (state === undefined) return null
  const bound = [owner, digestOfCall(request)]
  const known = typeof state === 'string' ? await signer.verify(state, bound) : null
  const call = known && waitingCalls.find(owner, known.change)
  return known && call ? ok({ ...call, round: known.round }) : err(INVALID_STATE)
}

/** Whether the call waits, or was decided so recently that its client may still repeat it, as in the modern era. */
const isCurrent = ({ decided }: WaitingCall) =>
  decided === null || Date.now() - decided.at <= MAX_REQUEST_STATE_SECONDS * 1000

const INVALID_STATE: Refused = { code: INVALID_PARAMS, message: 'Invalid or expired requestState' }

/** In the legacy era, a call that names other access is another call: it repeats nothing. */
const digestOfCall = ({ name, args, meta, caller }: CallRequest) =>
  digestOf([name, args, ...(caller.urlElicitation === 'legacy' ? [accessMetaOf(meta)] : [])])

/** Whether the person refused to open the page; the change waits nevertheless. */
function declines(responses: unknown): boolean {
  const { action } = recordOf(recordOf(responses)[ELICITATION_KEY])
  return action === 'decline' || action === 'cancel'
}

/** The name of our question among the input requests of a result. */
export const ELICITATION_KEY = 'decision'

async function waitForDecision(
  { drafts, waitMs }: WaitsParts,
  waiting: WaitingCall,
  signal: AbortSignal | undefined,
): Promise<WaitingCall> {
  const { owner, change } = waiting
  const until = Date.now() + waitMs
  for (let now = waiting; ; now = drafts.waitingCalls.find(owner, change) ?? now) {
    const times = drafts.decidedTimes(owner)
    if (now.decided) return now
    await drafts.nextDecision(owner, Math.max(0, until - Date.now()), signal)
    // The time is over, the client is gone, or too many calls wait.
    if (drafts.decidedTimes(owner) === times) return now
  }
}

/** A call whose change was decided, and when its request came. */
type DecidedCall = WaitingCall & { readonly decided: ChangeDecision; readonly began: number }

async function answerDecided(
  { drafts }: WaitsParts,
  waiting: DecidedCall,
  request: CallRequest,
  services: CallServices,
): Promise<Result<Outcome, Refused>> {
  const { owner, change, began, decided } = waiting
  const { outcome, note, at, version } = decided
  const access = accessOfRequest(request.caller, request.meta)
  if (!access.ok) return access
  const answered =
    outcome === 'approved'
      ? await describe(waiting, { version, draft: null }, request, services)
      : ok(failed({ reason: 'turned_down', outcome, note }))
  if (!answered.ok) return answered
  drafts.waitingCalls.answer(change, began)
  const decisions = takeDecisions(owner, began, access.value, services)
    // The error says the same already.
    .filter((one) => version !== null || one.at !== at || one.changes > 1)
    .map(describeDecision)
  const isRepeated = waiting.isLegacy && waiting.wasAnswered
  const news = [...(isRepeated ? [REPEATED[outcome]] : []), ...decisions]
  return ok(appendNews(answered.value, news))
}

const AGAIN = 'Call once more to propose it again.'

/** For an agent that received the answer and means a second change. */
const REPEATED = {
  approved: `This call repeats one that was approved: its change was not applied again. ${AGAIN}`,
  turned_down: `This call repeats one that was turned down: nothing was proposed again. ${AGAIN}`,
  expired: `This call repeats one that has expired: nothing was proposed again. ${AGAIN}`,
} as const satisfies Record<DecisionOutcome, string>

/**
 * Answers without the decision: the change waits in the draft, as for clients that cannot ask. Only those of the modern
 * era come here, which find their call by its state.
 */
function answerWaiting(
  { drafts }: WaitsParts,
  waiting: WaitingCall,
  request: CallRequest,
  services: CallServices,
): Promise<Result<Outcome, Refused>> {
  const draft = drafts.of(waiting.owner)
  return describe(waiting, { version: null, draft }, request, services)
}

/** Builds the result of the change as it is now, in the draft or applied. */
async function describe(
  { change, answer: text }: WaitingCall,
  { version, draft }: { readonly version: number | null; readonly draft: Draft | null },
  { caller, meta }: CallRequest,
  { openFor, changes }: CallServices,
): Promise<Result<Outcome, Refused>> {
  const access = accessOfRequest(caller, meta)
  if (!access.ok) return access
  const { store, draft: view } = openFor(access.value, caller)
  const seen = seenAnswer(readAnswer(text), access.value, store.changesOf(change).length > 0)
  const { tool, intent, answer } = seen
  const reader = { access: access.value, owner: caller, store, draft: view }
  const at = version ?? store.changesOf(change).at(-1)?.version ?? 0
  const made = { id: change, basis: at - 1, version: at, expires: null, draft }
  if (!caller.showsApps) return ok(resultOfChange({ answer }, null, made, caller))
  const facts = await changes.factsOf(change, reader)
  const own = facts ?? { tool, intent, paths: [], files: [], more: 0 }
  const shown: Facts = { ...own, applied: draft === null }
  return ok(resultOfChange({ answer }, shown, made, caller))
}

// Written by `hold` and by a decision, which take nothing else.
const readAnswer = (text: string): WaitingAnswer => ({
  // One that was stored before its paths were.
  paths: [],
  ...(JSON.parse(text) as Omit<WaitingAnswer, 'paths'>),
})

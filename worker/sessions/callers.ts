/**
 * Callers: resolves the sender of a request, and caches the result while it is valid.
 *
 * A request without a link or session comes from the local caller or the owner, because the front admits no
 * other. The owner's configuration is part of every caller, so a change of it empties the cache.
 *
 * @module
 */

import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { resolveAccess, type Access } from '../access/access.ts'
import { createJudging, type JudgingOf, type JudgingUse } from '../access/judging.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import { hasServerKeys, parseMetadata, type Meta } from '../access/metadata.ts'
import { emailIn, PRINCIPAL_HEADER, SCOPES_HEADER, SESSION_HEADER } from './identity.ts'
import { respondTooManyCalls } from '../json-rpc.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import {
  budgetOfSession,
  callerOf,
  callerWithoutSession,
  withConfiguration,
  type Caller,
} from '../access/caller.ts'
import { BASE_HEADER, hashSecret, LINK_HEADER, refuseLink } from './links.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import type { Session, Transfer } from '../access/session.ts'
import type { Sessions } from './sessions.ts'
import { MAX_CACHED_CALLERS } from './limits.ts'

/** The principal of a request where no sign-in is required. */
const LOCAL = 'local'

/** Returns the principal of a request without link or session. */
export const principalOf = ({ headers }: Request): string => headers.get(PRINCIPAL_HEADER) ?? LOCAL

/**
 * The request that opened a notification stream. Its session, token and metadata decide what the stream may
 * receive.
 */
export interface Listener {
  /** The id of its session; null without one. */
  readonly session: string | null
  /** Scopes of its token; null without one. */
  readonly token: readonly string[] | null
  /** The key of the owner of its draft; absent if it was stored before there were drafts. */
  readonly draft?: string
  /** The configuration in its client capabilities. */
  readonly configuration?: unknown
  /** The keys of its `_meta` that decide access. */
  readonly meta?: Meta
}

/** The caller of a transfer link, with its file and the id of its session. */
export interface TransferCaller {
  readonly caller: Caller
  readonly transfer: Transfer
  readonly session: string
}

/** The callers of one workspace. */
export type Callers = ReturnType<typeof createCallers>

/** The services of callers, and the callers that are cached. */
interface CallersContext {
  readonly sessions: Sessions
  readonly config: OwnerConfig
  /** The callers of sessions, by session and token. */
  readonly cache: Map<string, Caller>
  readonly rateLimit: RateLimit
  readonly judgingOf: JudgingOf
  /** The caller without a session. */
  local: Caller
}

/** Resolves the callers of one workspace. Call `refresh` when the configuration, or what a session may do, has changed. */
export function createCallers(sessions: Sessions, config: OwnerConfig) {
  const judgingOf = createJudging()
  const context: CallersContext = {
    ...{ sessions, config, rateLimit: createRateLimit(), judgingOf, cache: new Map() },
    local: callerWithoutSession(LOCAL, config.current, judgingOf),
  }
  return {
    of: (request: Request) => resolveCaller(context, request),
    wait: (caller: Caller, calls: number) => countCalls(context, caller, calls),
    /** The caller that a session is now with a token; null when it, or a session above it, has ended. */
    ofSession: (session: Session, token: readonly string[] | null) =>
      resolveSession(context, session, token),
    /** The caller that a session would be now, with the token that it was last used with. */
    lastCallerOf: (session: Session) =>
      resolveSession(context, session, lastTokenOf(context, session)),
    /** A caller whose drafts are reviewed, which takes no steps from its calls. */
    inReview: (caller: Caller) => judgedFor(context, caller, 'reviews'),
    accessOf: (listener: Listener) => resolveListener(context, listener),
    isCurrent: (access: Access, session: Session | null) => isCurrent(context, access, session),
    ofTransfer: (request: Request) => resolveTransfer(context, request),
    /** Computes callers again, after the configuration or what a session is allowed has changed. */
    refresh: () => refresh(context),
    /** The caller without a session. */
    get local() {
      return context.local
    },
  }
}

/** Returns the caller of a request, or the response that refuses it. */
function resolveCaller(context: CallersContext, request: Request): MaybePromise<Caller | Response> {
  const { headers } = request
  const base = headers.get(BASE_HEADER)
  const secret = headers.get(LINK_HEADER)
  if (secret !== null) return resolveLink(context, request, secret)
  const id = headers.get(SESSION_HEADER)
  if (id !== null)
    return resolveSessionCaller(context, request, context.sessions.find(id), tokenOf(headers))
  const free = base === null ? context.local : { ...context.local, base }
  const principal = principalOf(request)
  if (principal === LOCAL) return free
  const own = { ...free, principal, email: emailIn(request), budget: principal }
  const caller = judgedFor(context, own, 'calls')
  return applyRateLimit(context, caller)
}

/** Returns a caller with the steps that its budget has for one use. */
function judgedFor({ judgingOf }: CallersContext, caller: Caller, use: JudgingUse): Caller {
  const judging = judgingOf(caller.budget, use)
  return { ...caller, working: { ...caller.working, judging } }
}

/** Applies the principal's rate limit to a caller. */
function applyRateLimit(context: CallersContext, caller: Caller): Caller | Response {
  const seconds = countCalls(context, caller, 1)
  return seconds === 0 ? caller : respondTooManyCalls(seconds)
}

/** Counts calls of a caller. Returns the seconds it has to wait, or 0. */
function countCalls(context: CallersContext, caller: Caller, calls: number): number {
  if (isOnThisMachine(caller)) return 0
  const { budget } = caller
  let seconds = 0
  for (let counted = 0; counted < calls && seconds === 0; counted++)
    seconds = context.rateLimit(budget)
  return seconds
}

/** Whether a request came without sign-in and without a link, also in a session of the older era. */
function isOnThisMachine({ budget, session }: Caller): boolean {
  const isDirect = session === null || (session.initialize !== null && session.parent === null)
  return budget === LOCAL && isDirect
}

async function resolveLink(
  context: CallersContext,
  request: Request,
  secret: string,
): Promise<Caller | Response> {
  const session = context.sessions.findBySecret(await hashSecret(secret))
  // A transfer link gives access to one file, and not to MCP.
  return resolveSessionCaller(context, request, session?.transfer === null ? session : null, null)
}

/** Returns the caller of a transfer link and its file, or the response that refuses the link. */
async function resolveTransfer(
  context: CallersContext,
  request: Request,
): Promise<TransferCaller | Response> {
  const secret = request.headers.get(LINK_HEADER) ?? ''
  const session = context.sessions.findBySecret(await hashSecret(secret))
  const transfer = session?.transfer ?? null
  const caller = resolveSessionCaller(context, request, transfer && session, null)
  if (caller instanceof Response) return caller
  if (!transfer || !session) return refuseLink()
  return { caller, transfer, session: session.id }
}

/** Returns the caller of a session, limited to the scopes of a token. */
function resolveSessionCaller(
  context: CallersContext,
  request: Request,
  session: Session | null,
  token: readonly string[] | null,
): Caller | Response {
  const caller = session && resolveSession(context, session, token)
  const base = request.headers.get(BASE_HEADER)
  if (!caller) return refuseLink()
  // A token without scopes only asks whether the session is alive.
  if (session && token?.length) context.sessions.rememberToken(session, token)
  return applyRateLimit(context, base === null ? caller : { ...caller, base })
}

/** The token that a session was last used with. A legacy session is used with the token of the one above it. */
function lastTokenOf(
  { sessions }: CallersContext,
  { initialize, parent, token }: Session,
): readonly string[] | null {
  const signedIn = initialize === null || parent === null ? null : sessions.find(parent)
  return (signedIn ? signedIn.token : token) ?? null
}

/**
 * Returns the caller of a session; null when it, or a session above it, has ended. With `use`, computing it takes steps
 * of its principal. Throws if there are none.
 */
function resolveSession(
  context: CallersContext,
  session: Session,
  token: readonly string[] | null,
  use?: JudgingUse,
): Caller | null {
  const chain = context.sessions.chainOf(session)
  if (!chain) return null
  const key = JSON.stringify([session.id, token])
  const remembered = context.cache.get(key)
  if (remembered) return remembered
  const [top = session] = chain
  const judging = use && context.judgingOf(budgetOfSession(top), use)
  judging?.check()
  const caller = callerOf(chain, context.config.current, token, context.judgingOf)
  if (!caller.ok) return null
  judging?.spend(stepsToCompute(chain, caller.value))
  if (!context.sessions.keeps(session)) return caller.value
  if (context.cache.size >= MAX_CACHED_CALLERS) context.cache.clear()
  context.cache.set(key, caller.value)
  return caller.value
}

/** Estimates the steps of computing a caller: patterns are parsed, and every path is compared with some others. */
const stepsToCompute = (chain: readonly Session[], { working: { area } }: Caller): number =>
  area.patterns.characters * COMPUTING_STEPS.perPatternCharacter +
  JSON.stringify(chain).length * COMPUTING_STEPS.perStoredCharacter

const COMPUTING_STEPS = { perPatternCharacter: 64, perStoredCharacter: 2 }

/**
 * Computes what a listener may see; null when its session has ended, or no longer permits what it asked
 * for.
 */
function resolveListener(
  context: CallersContext,
  { session: id, token, configuration, meta }: Listener,
): Access | null {
  const session = id === null ? null : context.sessions.find(id)
  const caller =
    id === null
      ? context.local
      : session && resolveSession(context, session, token, 'notifications')
  if (!caller) return null
  const judged = judgedFor(context, caller, 'notifications')
  // Preparing the patterns of a request takes steps as well.
  if (configuration !== undefined || hasServerKeys(meta)) judged.working.judging?.check()
  const configured =
    configuration === undefined ? ok(judged) : withConfiguration(judged, configuration)
  const metadata = parseMetadata(meta)
  if (!configured.ok || !metadata.ok) return null
  const access = resolveAccess(configured.value.working, metadata.value)
  return access.ok ? access.value : null
}

/**
 * Whether what an access was computed from still holds: the owner's rules, the session with all above it, and what
 * the owner allowed it.
 * A call can wait, for a body or for a store, while a person changes either.
 */
function isCurrent(context: CallersContext, access: Access, used: Session | null): boolean {
  if (access.isOwner) return true
  if (access.owner !== context.config.current) return false
  if (used === null) return true
  const session = context.sessions.find(used.id)
  if (session === null || context.sessions.chainOf(session) === null) return false
  return (used.allowed ?? []).every((scope) => session.allowed?.includes(scope))
}

function refresh(context: CallersContext): void {
  context.local = callerWithoutSession(LOCAL, context.config.current, context.judgingOf)
  context.cache.clear()
}

/** Parses the scopes of a token, as the front wrote them. */
function tokenOf(headers: Headers): readonly string[] | null {
  const text = headers.get(SCOPES_HEADER)
  return text === null ? null : z.array(z.string()).parse(JSON.parse(text))
}

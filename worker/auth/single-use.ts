/**
 * Single use of codes and refresh tokens, decided by the workspace that they open, and of consents.
 *
 * The key-value store of the authorization server has no compare-and-set, so two concurrent uses would both
 * succeed. A Durable Object handles one use at a time.
 *
 * A code may be used once. A refresh token may be used once, and repeated for {@link MAX_REFRESH_RETRY_SECONDS}:
 * a client whose response was lost has no other token, and two processes of one client may renew at the same
 * moment. A repeat gets the answer of the first use, which is kept sealed (`kept-answer.ts`), so that a grant has one
 * newest token. After that time, or once its successor is used, the token is refused, which ends the grant
 * (RFC 9700, section 4.14.2).
 *
 * Each refresh token has a mark: its number in the grant and a secret of the grant. The last {@link MAX_REFRESH_USES}
 * uses are remembered; a token with a mark of a lower number counts as used.
 * `test/platform/auth/revocation.test.ts` tests it.
 *
 * @module
 */

import * as z from 'zod/mini'
import { MAX_REFRESH_RETRY_SECONDS, MAX_REFRESH_USES } from '../limits.ts'

const Use = z.strictObject({
  session: z.string(),
  /** The hash of the refresh token; null for the code of the grant, of which there is one. */
  refresh: z.nullable(z.string()),
  /** The mark of the refresh token; null without one. */
  mark: z.nullable(z.string()),
  isRefused: z.boolean(),
})

type Use = z.infer<typeof Use>

const Kept = z.strictObject({ session: z.string(), refresh: z.string(), answer: z.string() })

/** An accepted use, as the workspace answers it. */
export const Settled = z.strictObject({
  /** The mark of the next refresh token. */
  mark: z.string(),
  /** The sealed answer of the first use, for a repeat; null if there is none and the library must answer. */
  answer: z.nullable(z.string()),
  /** Seconds since the first use. */
  age: z.number(),
})

/** An accepted use. */
export type Settled = z.infer<typeof Settled>

/** The uses of one grant. */
interface Uses {
  readonly at: number
  readonly code: boolean
  /** Hashes of refresh tokens in the order of their first use, with its time and how many were given before it. */
  readonly refreshes: readonly (readonly [hash: string, at: number, given?: number])[]
  /** How many refresh tokens were given; each has its number, and {@link secret}, in its mark. */
  readonly given?: number
  /** Known only to those who had a refresh token of the grant. */
  readonly secret?: string
  /** The sealed answer of the last refresh; absent until it is given. */
  readonly answer?: string
}

const PREFIX = 'uses:'

/** Age (ms) at which uses are deleted; longer than an unused grant lives. */
const FORGET_MS = 60 * 24 * 60 * 60 * 1000

/** How long (ms) a repeat waits for the answer of a use in progress: longer than the library takes. */
const ANSWER_MS = 5000

/** Pause (ms) between two looks for it. */
const LOOK_MS = 100

/** Answers a use with {@link Settled} if it is accepted, else 409. */
export async function answerUse(request: Request, kv: SyncKvStorage): Promise<Response> {
  const use = Use.parse(await request.json())
  for (let looks = 0; looks < ANSWER_MS / LOOK_MS && isInProgress(kv, use, Date.now()); looks++)
    await scheduler.wait(LOOK_MS)
  const settled = settle(kv, use, Date.now())
  return settled ? Response.json(settled) : new Response(null, { status: 409 })
}

/** Stores the answer of a use and responds with the one that is kept: the first. */
export async function storeAnswer(request: Request, kv: SyncKvStorage): Promise<Response> {
  const { session, refresh, answer } = Kept.parse(await request.json())
  const uses = usesOf(kv, session, Date.now())
  const isLast = uses.refreshes.at(-1)?.[0] === refresh
  if (isLast && uses.answer === undefined) kv.put(PREFIX + session, { ...uses, answer })
  return new Response(isLast ? (uses.answer ?? answer) : answer)
}

/** Whether another request uses the same refresh token and has no answer yet. */
function isInProgress(
  kv: SyncKvStorage,
  { session, refresh, isRefused }: Use,
  now: number,
): boolean {
  const { at, refreshes, answer } = usesOf(kv, session, now)
  const isRepeat = !isRefused && refresh !== null && refreshes.at(-1)?.[0] === refresh
  return isRepeat && answer === undefined && now - at < ANSWER_MS
}

const usesOf = (kv: SyncKvStorage, session: string, now: number): Uses =>
  kv.get<Uses>(PREFIX + session) ?? { at: now, code: false, refreshes: [] }

/** Records a use of a grant; null if it is not accepted. `now` is in milliseconds since 1970. */
export function settle(
  kv: SyncKvStorage,
  { session, refresh, mark, isRefused }: Use,
  now: number,
): Settled | null {
  const known = usesOf(kv, session, now)
  const { given = 0, secret = crypto.randomUUID() } = known
  const next = refresh === null ? useCode(known) : useRefresh(known, { hash: refresh, mark, now })
  if (next === null) return null
  const { answer = null } = next
  const number = given + 1
  if (!isRefused && answer === null)
    kv.put(PREFIX + session, { ...next, at: now, given: number, secret })
  if (!isRefused && refresh === null) forgetOld(kv, now)
  const [, first = now] = next.refreshes.at(-1) ?? []
  return { mark: `${number}.${secret}`, answer, age: Math.floor((now - first) / 1000) }
}

const useCode = (uses: Uses): Uses | null => (uses.code ? null : { ...uses, code: true })

interface Refresh {
  readonly hash: string
  readonly mark: string | null
  readonly now: number
}

function useRefresh(uses: Uses, { hash, mark, now }: Refresh): Uses | null {
  const at = uses.refreshes.findIndex(([used]) => used === hash)
  if (at < 0 && isForgotten(uses, mark)) return null
  if (at < 0) {
    const use = [hash, now, uses.given ?? 0] as const
    const { answer: _, ...known } = uses
    return { ...known, refreshes: [...uses.refreshes, use].slice(-MAX_REFRESH_USES) }
  }
  const isLast = at === uses.refreshes.length - 1
  const first = uses.refreshes[at]?.[1] ?? 0
  return isLast && now - first <= MAX_REFRESH_RETRY_SECONDS * 1000 ? uses : null
}

/** Whether a token that is not remembered was given before the first use that is. */
function isForgotten({ refreshes, secret }: Uses, mark: string | null): boolean {
  const [number, own] = mark?.split('.') ?? []
  const [, , before = 0] = refreshes[0] ?? []
  return refreshes.length === MAX_REFRESH_USES && own === secret && Number(number) <= before
}

function forgetOld(kv: SyncKvStorage, now: number): void {
  const old = [...kv.list<Uses>({ prefix: PREFIX })].filter(([, { at }]) => now - at > FORGET_MS)
  for (const [key] of old) kv.delete(key)
}

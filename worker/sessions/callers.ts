/**
 * Callers: resolves the sender of a request, and caches the result while it is valid.
 *
 * A request without a link or session comes from the local caller or the owner, because the front admits no
 * other. The workspace's own configuration is part of every caller, so a change of it empties the cache.
 *
 * @module
 */

import { readConfig, type Config } from '#core/config.ts'
import { isRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { resolveAccess, type Access } from '../access/access.ts'
import { authorize } from '../access/authorize.ts'
import { parseMetadata, type Meta } from '../access/metadata.ts'
import { PRINCIPAL_HEADER, SCOPES_HEADER, SESSION_HEADER } from '../auth/identity.ts'
import { tooManyCalls } from '../mcp/plain.ts'
import { readSetting, writeSetting } from '../store/schema.ts'
import type { Problem } from '../problem.ts'
import { callerOf, freeCaller, withConfiguration, type Caller } from './caller.ts'
import { delegate, type DelegationWish, type Delegator } from './delegate.ts'
import { BASE_HEADER, hashSecret, LINK_HEADER, noLink } from './links.ts'
import { createPace } from './pace.ts'
import type { Session, Sessions, Transfer } from './sessions.ts'

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
  /** The configuration in its client capabilities. */
  readonly configuration?: unknown
  /** The keys of its `_meta` that decide access. */
  readonly meta?: Meta
}

/** Callers in the cache. */
const REMEMBERED = 200

/** A request for a transfer link: the file, the direction and the lifetime. */
export type TransferWish = Transfer & { readonly ttl_seconds: number }

/** The caller of a transfer link, with its file and the id of its session. */
export interface TransferCaller {
  readonly caller: Caller
  readonly transfer: Transfer
  readonly session: string
}

/** The callers of one workspace. */
export type Callers = ReturnType<typeof createCallers>

/** Resolves the callers of one workspace. `changed` is called when the configuration has changed. */
export function createCallers(
  sql: SqlStorage,
  sessions: Sessions,
  deployed: Config,
  changed: () => void,
) {
  let config = storedConfig(sql, deployed)
  let local = freeCaller(LOCAL, config)
  const known = new Map<string, Caller>()
  const pace = createPace()

  /** Returns the caller of a request, or the response that refuses it. */
  function of(request: Request): Caller | Response | Promise<Caller | Response> {
    const { headers } = request
    const base = headers.get(BASE_HEADER)
    const secret = headers.get(LINK_HEADER)
    if (secret !== null) return behindLink(request, secret)
    const id = headers.get(SESSION_HEADER)
    if (id !== null) return behind(request, sessions.find(id), tokenOf(headers))
    const free = base === null ? local : { ...local, base }
    const principal = principalOf(request)
    if (principal === LOCAL) return free
    return limited({ ...free, principal, budget: principal })
  }

  /** Applies the principal's rate limit to a caller. */
  function limited(caller: Caller): Caller | Response {
    const seconds = wait(caller, 1)
    return seconds === 0 ? caller : tooManyCalls(seconds)
  }

  /** Counts calls of a caller. Returns the seconds it has to wait, or 0. */
  function wait({ budget }: Caller, calls: number): number {
    if (budget === LOCAL) return 0
    let seconds = 0
    for (let counted = 0; counted < calls && seconds === 0; counted++) seconds = pace(budget)
    return seconds
  }

  async function behindLink(request: Request, secret: string): Promise<Caller | Response> {
    const session = sessions.findBySecret(await hashSecret(secret))
    // A transfer link gives access to one file, and not to MCP.
    return behind(request, session?.transfer === null ? session : null, null)
  }

  /** Returns the caller of a transfer link and its file, or the response that refuses the link. */
  async function ofTransfer(request: Request): Promise<TransferCaller | Response> {
    const secret = request.headers.get(LINK_HEADER) ?? ''
    const session = sessions.findBySecret(await hashSecret(secret))
    const transfer = session?.transfer ?? null
    const caller = behind(request, transfer && session, null)
    if (caller instanceof Response) return caller
    return transfer && session ? { caller, transfer, session: session.id } : noLink()
  }

  /** Returns the caller of a session, limited to the scopes of a token. */
  function behind(
    request: Request,
    session: Session | null,
    token: readonly string[] | null,
  ): Caller | Response {
    const caller = session && callerFor(session, token)
    const base = request.headers.get(BASE_HEADER)
    if (!caller) return noLink()
    return limited(base === null ? caller : { ...caller, base })
  }

  /** Returns the caller of a session; null when it, or a session above it, has ended. */
  function callerFor(session: Session, token: readonly string[] | null): Caller | null {
    const chain = sessions.chainOf(session)
    if (!chain) return null
    const key = JSON.stringify([session.id, token])
    const remembered = known.get(key)
    if (remembered) return remembered
    const caller = callerOf(chain, config, token)
    if (!caller.ok) return null
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, caller.value)
    return caller.value
  }

  /**
   * Computes what a listener may see; null when its session has ended, or no longer permits what it asked
   * for.
   */
  function accessOf({ session: id, token, configuration, meta }: Listener): Access | null {
    const session = id === null ? null : sessions.find(id)
    const caller = id === null ? local : session && callerFor(session, token)
    if (!caller) return null
    const configured =
      configuration === undefined ? ok(caller) : withConfiguration(caller, configuration)
    const metadata = parseMetadata(meta)
    if (!configured.ok || !metadata.ok) return null
    const access = resolveAccess(configured.value.working, metadata.value)
    return access.ok ? access.value : null
  }

  /**
   * Whether what an access was computed from still holds: the owner's rules, and the session with all above it.
   * A call can wait, for a body or for a store, while a person changes either.
   */
  function isCurrent(access: Access, id: string | null): boolean {
    if (access.isOwners) return true
    if (access.owner !== config) return false
    const session = id === null ? null : sessions.find(id)
    return id === null || (session !== null && sessions.chainOf(session) !== null)
  }

  async function delegateFor(
    wish: DelegationWish,
    delegator: Delegator,
  ): Promise<Result<{ session: Session; url: string }, Problem>> {
    const made = await delegate(wish, delegator, sessions, config, 'llm')
    if (!made.ok) return made
    const { session, secret } = made.value
    return ok({ session, url: linkTo(delegator.caller, secret) })
  }

  async function transferFor(
    { path, direction, ttl_seconds }: TransferWish,
    delegator: Delegator,
  ): Promise<Result<{ session: Session; url: string }, Problem>> {
    const transfer = { path, direction }
    // A label is shown where the path may not be.
    const wish = { label: `${direction} link`, ttl_seconds, transfer }
    const made = await delegate(wish, delegator, sessions, config, 'llm')
    if (!made.ok) return made
    const { session, secret } = made.value
    // A grant is for one call, so the link may lack what the call had.
    const action = direction === 'download' ? 'read' : 'write'
    const caller = callerFor(session, null)
    const usable = caller && authorize([{ action, text: path }], caller.access)
    if (usable?.ok) return ok({ session, url: `${delegator.caller.base}.${secret}/file` })
    sessions.end(session.id)
    return usable ?? err({ reason: 'blocked', path })
  }

  /** Builds the URL of a link, on the host name that its creator used. */
  const linkTo = ({ base }: Caller, secret: string) => `${base}.${secret}/mcp`

  /**
   * Overrides the deployed configuration for every caller, from now on. The error names the invalid field.
   */
  function configure(value: unknown): Result<Config, string> {
    const read = readConfig(value, deployed)
    if (!read.ok) return read
    writeSetting(sql, 'config', JSON.stringify(value))
    config = read.value
    local = freeCaller(LOCAL, config)
    known.clear()
    changed()
    return read
  }

  return {
    of,
    wait,
    callerFor,
    accessOf,
    isCurrent,
    delegateFor,
    transferFor,
    ofTransfer,
    linkTo,
    configure,
    get config() {
      return config
    },
  }
}

function storedConfig(sql: SqlStorage, deployed: Config): Config {
  const text = readSetting(sql, 'config')
  if (text === null) return deployed
  const read = readConfig(withoutBlocked(JSON.parse(text)), deployed)
  return read.ok ? read.value : deployed
}

/**
 * Earlier releases accepted `blocked` in a root and ignored it. It is removed, so that the rules beside it
 * stay in force.
 */
function withoutBlocked(stored: unknown): unknown {
  if (!isRecord(stored) || !Array.isArray(stored['roots'])) return stored
  const roots = stored['roots'].map((root: unknown) =>
    isRecord(root) ? { ...root, blocked: undefined } : root,
  )
  return { ...stored, roots }
}

/** Parses the scopes of a token, as the front wrote them. */
function tokenOf(headers: Headers): readonly string[] | null {
  const text = headers.get(SCOPES_HEADER)
  return text === null ? null : z.array(z.string()).parse(JSON.parse(text))
}

/**
 * Callers: who a request comes from, worked out once and remembered while it holds.
 *
 * A request without a link is the local caller's: the front lets nobody else in. The workspace's own
 * configuration lies under everybody, so when it changes all that was worked out is forgotten.
 *
 * @module
 */

import { readConfig, type Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import { ok, type Result } from '#core/result.ts'
import { PRINCIPAL_HEADER, SCOPES_HEADER, SESSION_HEADER } from '../auth/identity.ts'
import { readBody } from '../mcp/body.ts'
import { plainError } from '../mcp/plain.ts'
import { readSetting, writeSetting } from '../store/schema.ts'
import type { Office } from '../tools/tool.ts'
import { callerOf, freeCaller, type Caller } from './caller.ts'
import { delegate } from './delegate.ts'
import { BASE_HEADER, hashSecret, LINK_HEADER, noLink } from './links.ts'
import { createPace } from './pace.ts'
import type { Session, Sessions } from './sessions.ts'

/** Whoever asks where nobody has to sign in. */
const LOCAL = 'local'

/** In whose name a request comes, where no link or session says. */
export const principalOf = ({ headers }: Request): string => headers.get(PRINCIPAL_HEADER) ?? LOCAL

/** Callers that are remembered. */
const REMEMBERED = 200

export type Callers = ReturnType<typeof createCallers>

/** `changed` is called when what was worked out no longer holds. */
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

  /** Who a request comes from, or the answer that it may not come in. */
  function of(request: Request): Caller | Promise<Caller | Response> {
    const { headers } = request
    const base = headers.get(BASE_HEADER)
    const secret = headers.get(LINK_HEADER)
    if (secret !== null) return behindLink(request, secret)
    const id = headers.get(SESSION_HEADER)
    if (id !== null) return behind(request, sessions.find(id), headers.get(SCOPES_HEADER))
    const free = base === null ? local : { ...local, base }
    const principal = principalOf(request)
    return principal === LOCAL ? free : paced(request, { ...free, principal }, principal)
  }

  /** The caller, unless whoever it asks for asks too fast. */
  function paced(request: Request, caller: Caller, principal: string): Caller | Promise<Response> {
    const seconds = pace(principal)
    return seconds === 0 ? caller : tooFast(request, seconds)
  }

  const behindLink = async (request: Request, secret: string) =>
    behind(request, sessions.findBySecret(await hashSecret(secret)), null)

  /** A session, and no more of it than a token says. */
  async function behind(
    request: Request,
    session: Session | null,
    token: string | null,
  ): Promise<Caller | Response> {
    const chain = session && sessions.chainOf(session)
    const caller = chain && callerOn(chain, session, token)
    const base = request.headers.get(BASE_HEADER)
    if (caller) return paced(request, base === null ? caller : { ...caller, base }, topOf(chain))
    // An answer must not overtake what is still being sent.
    await readBody(request)
    return noLink()
  }

  /** What a session adds up to; null when it, or one above it, is over. */
  function callerFor(session: Session): Caller | null {
    const chain = sessions.chainOf(session)
    return chain && callerOn(chain, session, null)
  }

  function callerOn(chain: readonly Session[], session: Session, token: string | null) {
    const key = `${session.id} ${token ?? ''}`
    const remembered = known.get(key)
    if (remembered) return remembered
    const links = token === null ? chain : [...chain, narrowing(session, token)]
    const caller = callerOf(links, config)
    if (!caller.ok) return null
    if (known.size >= REMEMBERED) known.clear()
    const made = { ...caller.value, session }
    known.set(key, made)
    return made
  }

  /** Whether a session sees a path; null when it is over. No session sees what is not hidden. */
  function sightOf(id: string | null): ((path: StorePath) => boolean) | null {
    const session = id === null ? null : sessions.find(id)
    const caller = id === null ? local : session && callerFor(session)
    return caller ? (caller.area.shows ?? (() => true)) : null
  }

  function officeOf(caller: Caller): Office {
    return {
      async delegate(wish) {
        const made = await delegate(wish, caller, sessions, config, 'llm')
        if (!made.ok) return made
        const { session, secret } = made.value
        return ok({ session, url: linkTo(caller, secret) })
      },
    }
  }

  /** The URL of a link, under the name by which the one who asked for it knows this workspace. */
  const linkTo = ({ base }: Caller, secret: string) => `${base}.${secret}/mcp`

  /** Lays a configuration over the deployed one, for everybody and from now on. */
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
    officeOf,
    sightOf,
    linkTo,
    configure,
    get config() {
      return config
    },
  }
}

function storedConfig(sql: SqlStorage, deployed: Config): Config {
  const text = readSetting(sql, 'config')
  const read = text === null ? null : readConfig(JSON.parse(text), deployed)
  return read?.ok ? read.value : deployed
}

/** A token takes the form of a session under its own that has nothing but scopes: the front's JSON. */
function narrowing(session: Session, token: string): Session {
  const scopes = JSON.parse(token) as string[]
  return { ...session, config: null, policy: null, scopes }
}

/** The session that all of a chain answer for. */
const topOf = (chain: readonly Session[]): string => chain[0]?.id ?? ''

async function tooFast(request: Request, seconds: number): Promise<Response> {
  // An answer must not overtake what is still being sent.
  await readBody(request)
  const message = `Too many calls at once. Try again in ${seconds} s`
  const response = plainError(null, -32000, message, 429)
  response.headers.set('retry-after', String(seconds))
  return response
}

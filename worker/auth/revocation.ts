/**
 * The end of a grant is the end of its session, and the other way round.
 *
 * The library ends a grant by deleting rows of its store: when a token is revoked (RFC 7009), when a code is
 * used twice, when a refresh token is. Each of these deletes is seen here, and the workspace ends the
 * session: the links that were made from it end with it, and open streams are closed.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import type { Env } from '../env.ts'
import { PRINCIPAL_HEADER } from './identity.ts'

/** A grant by its key in the store, and what its access tokens begin with. */
const KEY = /^(?:grant|token):([^:]+):([^:]+)(?::|$)/

export interface Ended {
  readonly user: string
  readonly grant: string
}

/** The same variables with a store in which ends of grants are seen; `ended` lists them. */
export function watchGrants<T extends Env>(env: T): { env: T; ended: readonly Ended[] } {
  const ended: Ended[] = []
  const { OAUTH_KV: kv } = env
  if (!kv) return { env, ended }
  async function see(name: string): Promise<void> {
    const [, user, grant] = KEY.exec(name) ?? []
    if (user === undefined || grant === undefined) return
    if (ended.some((one) => one.user === user && one.grant === grant)) return
    ended.push({ user, grant })
    await endSession(env, await kv?.get(`grant:${user}:${grant}`))
  }
  const watched = new Proxy(kv, {
    get(target, key) {
      if (key === 'delete')
        return async (name: string) => {
          await see(name)
          await target.delete(name)
        }
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { env: { ...env, OAUTH_KV: watched }, ended }
}

/** Has the workspace of a grant end its session; one that has ended already is left at that. */
async function endSession(env: Env, row: string | null | undefined): Promise<void> {
  const { workspace, session } = recordOf(recordOf(JSON.parse(row ?? 'null'))['metadata'])
  if (typeof workspace !== 'string' || typeof session !== 'string') return
  const object = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace))
  const answer = await object.fetch('https://workspace/grant', {
    method: 'DELETE',
    headers: { [PRINCIPAL_HEADER]: 'owner' },
    body: JSON.stringify({ session }),
  })
  await answer.body?.cancel()
}

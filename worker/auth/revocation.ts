/**
 * Revocation: ends the session of a grant when the library ends the grant.
 *
 * The library ends a grant by deleting rows of its store: when a token is revoked (RFC 7009), and when a code
 * or a refresh token is used twice. Each of these deletes is observed here, and the workspace ends the
 * session: links made from it end as well, and open streams are closed. The reverse is in `oauth.ts`: a grant
 * whose session has ended gives no new token.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import type { Env } from '../env.ts'
import { PRINCIPAL_HEADER } from '../sessions/identity.ts'
import { wrapMethod } from './grant-store.ts'
import { settleUse, type Props, type TokenEnv } from './oauth.ts'

/** Keys of a grant and of its access tokens in the store. */
const KEY = /^(?:grant|token):([^:]+):([^:]+)(?::|$)/

/** A grant that the library has ended. */
export interface Ended {
  readonly user: string
  readonly grant: string
}

/** Wraps the store so that deletions of grants are observed. `ended` grows while the environment is used. */
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
  const watched = wrapMethod(kv, 'delete', (remove) => async (name) => {
    await see(name)
    await remove(name)
  })
  return { env: { ...env, OAUTH_KV: watched }, ended }
}

/**
 * Returns the grant of a refresh token that was refused and had been used before: two have it, and the other one has
 * its successors. The library knows the last two tokens of a grant, and refuses an older one without a consequence.
 */
export async function findReplayedGrant(
  token: string | null,
  env: TokenEnv,
): Promise<Ended | null> {
  if (token === null) return null
  const [user = '', grant = ''] = token.split(':')
  const opened = openedBy(await env.OAUTH_KV?.get(`grant:${user}:${grant}`))
  const isReplayed = opened && (await settleUse(opened, { ...env, isRefused: true })) === null
  return isReplayed ? { user, grant } : null
}

/** Reads what the row of a grant opens; null for a row without a workspace. */
function openedBy(row: string | null | undefined): Props | null {
  const { workspace, session } = recordOf(recordOf(JSON.parse(row ?? 'null'))['metadata'])
  return typeof workspace === 'string' && typeof session === 'string'
    ? { workspace, session }
    : null
}

/** Tells the workspace of a grant to end its session. Does nothing for a row without a workspace. */
async function endSession(env: Env, row: string | null | undefined): Promise<void> {
  const opened = openedBy(row)
  if (opened === null) return
  const { workspace, session } = opened
  const object = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace))
  const answer = await object.fetch('https://workspace/grant', {
    method: 'DELETE',
    headers: { [PRINCIPAL_HEADER]: 'owner' },
    body: JSON.stringify({ session }),
  })
  await answer.body?.cancel()
  // The grant must stay as well then, so that its client can revoke it again.
  if (!answer.ok)
    throw new Error(`Cannot end the session of a grant: the workspace answered ${answer.status}`)
}

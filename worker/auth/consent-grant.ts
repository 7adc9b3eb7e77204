/**
 * The grant of a consent: a session of the workspace with the selected scopes, and a code that leads to it.
 * `test/worker/auth/consent.test.ts` tests it.
 *
 * @module
 */

import type { AuthRequest, ConsentDescription } from '@cloudflare/workers-oauth-provider'
import type { Env } from '../env.ts'
import { headersOf, type OwnerIdentity } from '../sessions/identity.ts'
import type { Offer } from './consent-answer.ts'
import type { Row } from './consent-rows.ts'
import { authorizationServer, type Props } from './oauth.ts'
import { resourceOf } from './resource.ts'

/** A stored request that was answered. */
export interface Answered {
  readonly asked: AuthRequest
  readonly origin: string
  readonly env: Env
  /** Who answered. */
  readonly owner: OwnerIdentity
}

/**
 * Creates the session that was selected and a grant for it. Returns the URL that takes the code to the client.
 */
export async function grantAccess(
  { client, workspace }: Offer,
  rows: readonly Row[],
  { asked, origin, env, owner }: Answered,
): Promise<string> {
  const label = labelOf(client)
  const scopes = rows.map(({ scope }) => scope)
  const session = await makeSession(env, workspace, { label, scopes }, owner)
  const props: Props = { workspace, session }
  const { redirectTo } = await authorizationServer(origin)
    .getOAuthApi(env)
    .completeAuthorization({
      request: { ...asked, resource: resourceOf(origin) },
      userId: 'owner',
      metadata: { label, workspace, session },
      scope: [...new Set(rows.map(({ action }) => action))],
      props,
      revokeExistingGrants: false,
    })
  return redirectTo
}

const labelOf = ({ clientDomain, clientName }: ConsentDescription) => clientDomain ?? clientName

async function makeSession(
  { WORKSPACE }: Env,
  workspace: string,
  asked: { readonly label: string; readonly scopes: readonly string[] },
  owner: OwnerIdentity,
): Promise<string> {
  const object = WORKSPACE.get(WORKSPACE.idFromName(workspace))
  const body = JSON.stringify(asked)
  const headers = headersOf(owner)
  const answer = await object.fetch('https://workspace/grant', { method: 'POST', headers, body })
  if (!answer.ok)
    throw new Error(`Cannot create the session of a grant: the workspace answered ${answer.status}`)
  return answer.text()
}

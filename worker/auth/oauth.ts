/**
 * The authorization server: OAuth 2.1 for clients, by the library, for one origin.
 *
 * One resource stands for all workspaces of an origin; which workspace a token opens, and what of it,
 * is what the person chose at consent. That choice is kept by the workspace, as a session.
 *
 * @module
 */

import {
  OAuthAuthorizationServer,
  OAuthError,
  type OAuthAuthorizationServerOptions,
} from '@cloudflare/workers-oauth-provider'
import type { Env } from '../env.ts'
import { SCOPES_HEADER, SESSION_HEADER } from './identity.ts'
import { resourceOf } from './resource.ts'
import { SETTLE_URL, type GrantUse } from './identity.ts'

/** What a grant opens, beside its scopes. */
export interface Props {
  readonly workspace: string
  readonly session: string
}

/** What is known while a token is asked for. */
export interface TokenEnv extends Env {
  /** The hash of the refresh token that was sent; null where there is none. */
  readonly refresh: string | null
}

/** What clients may ask for. Narrower ones, such as `read:file:/docs`, are for the person to choose. */
export const SCOPES = ['read', 'write', 'read:file', 'write:file']

const servers = new Map<string, OAuthAuthorizationServer<Env>>()

/** Origins that are served at once; a Worker has few. */
const MOST_ORIGINS = 10

export function authorizationServer(origin: string): OAuthAuthorizationServer<Env> {
  const known = servers.get(origin)
  if (known) return known
  if (servers.size >= MOST_ORIGINS) servers.clear()
  const made = new OAuthAuthorizationServer<Env>(optionsFor(origin))
  servers.set(origin, made)
  return made
}

function optionsFor(origin: string): OAuthAuthorizationServerOptions<Env> {
  return {
    issuer: origin,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/oauth/token',
    clientRegistrationEndpoint: '/oauth/register',
    clientIdMetadataDocumentEnabled: true,
    allowPrivateUseRedirectUris: true,
    scopesSupported: SCOPES,
    resources: [resourceOf(origin)],
    defaultResource: resourceOf(origin),
    accessTokenTTL: 60 * 60,
    refreshTokenTTL: 30 * 24 * 60 * 60,
    // What a client did wrong is told to the client; strangers could fill a log with it.
    onError: () => {},
    tokenExchangeCallback: async ({ props, env }) => {
      // Renewed for a session that is over, a token would open nothing, and its client would never
      // learn that the person has to be asked again.
      if (await isOver(props as Props, env as TokenEnv))
        throw new OAuthError('invalid_grant', { description: 'The person has ended this access' })
      // The library ends the grant, with all that it gave before.
      if (!(await isSettled(props as Props, env as TokenEnv)))
        throw new OAuthError('invalid_grant', { description: 'This was used before' })
    },
  }
}

/** Whether the workspace settles this use of a code or of a refresh token as good. */
async function isSettled({ workspace, session }: Props, env: TokenEnv): Promise<boolean> {
  const object = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace))
  const use: GrantUse = { session, refresh: env.refresh }
  const answer = await object.fetch(SETTLE_URL, { method: 'POST', body: JSON.stringify(use) })
  return answer.status === 204
}

/** Whether the session behind a grant is over: then its workspace lets nobody in on its behalf. */
async function isOver({ workspace, session }: Props, { WORKSPACE }: Env): Promise<boolean> {
  const object = WORKSPACE.get(WORKSPACE.idFromName(workspace))
  const headers = { [SESSION_HEADER]: session, [SCOPES_HEADER]: '[]' }
  const answer = await object.fetch('https://workspace/mcp', { headers })
  await answer.body?.cancel()
  return answer.status === 401
}

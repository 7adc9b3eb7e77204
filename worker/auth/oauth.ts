/**
 * The authorization server: OAuth 2.1 for the clients of one origin, implemented by the library.
 *
 * One protected resource covers all workspaces of an origin. Which workspace a token opens, and what it may
 * do there, is what the person chose at consent; the workspace keeps that choice as a session.
 *
 * @module
 */

import {
  OAuthAuthorizationServer,
  OAuthError,
  type OAuthAuthorizationServerOptions,
} from '@cloudflare/workers-oauth-provider'
import type { Env } from '../env.ts'
import { SCOPES_HEADER, SESSION_HEADER } from '../sessions/identity.ts'
import { resourceOf } from './resource.ts'
import { KEEP_URL, SETTLE_URL, type GrantUse } from '../sessions/identity.ts'
import { MAX_ORIGINS } from './limits.ts'
import { Settled } from './single-use.ts'

/** The workspace and the session that a grant opens; its scopes are kept beside it. */
export interface Props {
  readonly workspace: string
  readonly session: string
}

/** The environment of a token request. */
export interface TokenEnv extends Env {
  /** The hash of the refresh token that is used; null for a code. */
  readonly refresh: string | null
  /** Its mark; null without one. */
  readonly mark: string | null
  /** Gets the use that the workspace has accepted; empty for a request without one. */
  readonly accepted: Accepted[]
}

/** A use that the workspace has accepted, and what it opens. */
export interface Accepted extends Settled {
  readonly opens: Props
}

/** Scopes that a client may request. The person chooses narrower ones, such as `read:file:/docs`. */
export const SCOPES = ['read', 'write', 'read:file', 'write:file']

const servers = new Map<string, OAuthAuthorizationServer<Env>>()

/** Returns the authorization server of an origin, created on first use. */
export function authorizationServer(origin: string): OAuthAuthorizationServer<Env> {
  const known = servers.get(origin)
  if (known) return known
  if (servers.size >= MAX_ORIGINS) servers.clear()
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
    // The client receives its error in the response; untrusted input must not be able to fill the log.
    onError: () => {},
    tokenExchangeCallback: async ({ props, env }) => {
      // A token renewed for an ended session would open nothing, and its client would never learn that it
      // must ask for consent again.
      if (await isOver(props as Props, env as TokenEnv))
        throw new OAuthError('invalid_grant', { description: 'The owner has revoked this access' })
      const opens = props as Props
      const settled = await settleUse(opens, env as TokenEnv)
      // On this error the library ends the grant, with every token that it issued.
      if (settled === null)
        throw new OAuthError('invalid_grant', { description: 'This code or token was used before' })
      const { accepted } = env as TokenEnv
      accepted.push({ ...settled, opens })
      // On any other error it stores nothing; `refresh-answer.ts` responds with the answer that was kept.
      if (settled.answer !== null)
        throw new OAuthError('temporarily_unavailable', {
          description: 'This token was just renewed',
          statusCode: 503,
        })
    },
  }
}

/** Has the workspace decide the use of a code or of a refresh token. Returns null if it is not accepted. */
export async function settleUse(
  { workspace, session }: Props,
  { WORKSPACE, refresh, mark, isRefused = false }: Use,
): Promise<Settled | null> {
  const object = WORKSPACE.get(WORKSPACE.idFromName(workspace))
  const use: GrantUse = { session, refresh, mark, isRefused }
  const answer = await object.fetch(SETTLE_URL, { method: 'POST', body: JSON.stringify(use) })
  return answer.status === 409 ? null : Settled.parse(await answer.json())
}

/** Has the workspace keep the sealed answer of an accepted use. Returns the one that it keeps: the first. */
export async function keepAnswer(
  { workspace, session }: Props,
  { WORKSPACE, refresh }: TokenEnv,
  answer: string,
): Promise<string> {
  const object = WORKSPACE.get(WORKSPACE.idFromName(workspace))
  const body = JSON.stringify({ session, refresh, answer })
  return (await object.fetch(KEEP_URL, { method: 'POST', body })).text()
}

type Use = Pick<Env, 'WORKSPACE'> & Omit<GrantUse, 'session' | 'isRefused'> & Partial<GrantUse>

/**
 * Whether a consent is answered for the first time. The default workspace decides, because each answer can name
 * another one.
 */
export async function isFirstAnswer(handle: string, env: Env): Promise<boolean> {
  const consent = { workspace: 'default', session: `consent ${handle}` }
  return (await settleUse(consent, { ...env, refresh: null, mark: null })) !== null
}

/** Whether the session of a grant has ended, so that its workspace answers 401. */
async function isOver({ workspace, session }: Props, { WORKSPACE }: Env): Promise<boolean> {
  const object = WORKSPACE.get(WORKSPACE.idFromName(workspace))
  const headers = { [SESSION_HEADER]: session, [SCOPES_HEADER]: '[]' }
  const answer = await object.fetch('https://workspace/mcp', { headers })
  await answer.body?.cancel()
  return answer.status === 401
}

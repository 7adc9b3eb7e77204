/**
 * OAuth by hand: each step of the flow with any stolen or altered value, which a client library would
 * not send.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { Person, type Choice } from './person.ts'

export const REDIRECT = 'http://localhost:9/callback'

const Registered = z.looseObject({ client_id: z.string() })
const Tokens = z.looseObject({ access_token: z.string(), refresh_token: z.string() })

export type Tokens = z.infer<typeof Tokens>

const form = (fields: Readonly<Record<string, string>>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

export function createOAuthSteps(url: () => string) {
  const at = (path: string) => new URL(path, url())

  async function register(name = 'Client'): Promise<string> {
    const client = {
      client_name: name,
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    }
    const answer = await fetch(at('/oauth/register'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(client),
    })
    return Registered.parse(await answer.json()).client_id
  }

  /** The authorization URL of a client, and its code verifier. */
  function authorizationOf(client: string) {
    const verifier = randomBytes(32).toString('base64url')
    const authorize = at('/authorize')
    authorize.search = new URLSearchParams({
      response_type: 'code',
      client_id: client,
      redirect_uri: REDIRECT,
      scope: 'read write',
      state: 'state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: at('/').origin,
    }).toString()
    return { authorize, verifier }
  }

  /** A code after consent, and its verifier. */
  async function codeFor(client: string, choice: Choice = { allow: true }) {
    const { authorize, verifier } = authorizationOf(client)
    const back = await new Person().consent(authorize, choice)
    const code = back.searchParams.get('code')
    assert(code, back.href)
    return { code, verifier }
  }

  const exchange = (client: string, code: string, verifier: string, redirect = REDIRECT) =>
    fetch(
      at('/oauth/token'),
      form({
        grant_type: 'authorization_code',
        client_id: client,
        code,
        code_verifier: verifier,
        redirect_uri: redirect,
      }),
    )

  const refresh = (client: string, token: string) =>
    fetch(
      at('/oauth/token'),
      form({ grant_type: 'refresh_token', client_id: client, refresh_token: token }),
    )

  const tokensIn = async (answer: Response): Promise<Tokens> => {
    assert.equal(answer.status, 200, await answer.clone().text())
    return Tokens.parse(await answer.json())
  }

  /** Runs the whole flow. */
  async function runFlow(choice: Choice = { allow: true }) {
    const client = await register()
    const { code, verifier } = await codeFor(client, choice)
    const tokens = await tokensIn(await exchange(client, code, verifier))
    return { client, code, verifier, tokens }
  }

  return { register, authorizationOf, codeFor, exchange, refresh, tokensIn, runFlow }
}

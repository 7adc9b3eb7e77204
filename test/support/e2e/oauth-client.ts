/**
 * An OAuth client that sends any request, valid or not, one by one.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { Person, type Choice } from './person.ts'

export const REDIRECT = 'http://127.0.0.1:9/callback'

export type Fields = Readonly<Record<string, string>>

const Tokens = z.looseObject({ access_token: z.string(), refresh_token: z.string() })
export type Tokens = z.infer<typeof Tokens>

const Registered = z.looseObject({ client_id: z.string() })

/** The code verifier of one authorization, and its challenge. */
export function makePkce() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

/** Each time from another address, because one address may not register without end. */
export const register = (origin: string, metadata: unknown, headers: Fields = {}) =>
  fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': randomUUID(), ...headers },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })

export const PUBLIC = {
  client_name: 'Raw',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: 'none',
}

/** The id of a client that was registered just now. */
export async function newClient(origin: string, metadata: object = {}): Promise<string> {
  const answer = await register(origin, { ...PUBLIC, ...metadata })
  const text = await answer.text()
  assert.equal(answer.status, 201, text)
  return Registered.parse(JSON.parse(text)).client_id
}

/** Where a client sends its person. */
export function authorizeUrl(origin: string, clientId: string, fields: Fields = {}): URL {
  const url = new URL('/authorize', origin)
  const usual = { response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, state: 's' }
  for (const [name, value] of Object.entries({ ...usual, ...fields }))
    url.searchParams.set(name, value)
  return url
}

export const s256 = (challenge: string) => ({
  code_challenge: challenge,
  code_challenge_method: 'S256',
})

export const askToken = (origin: string, fields: Fields, headers: Fields = {}) =>
  fetch(`${origin}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(fields) })

/** A code, and all that is needed to redeem it. */
export async function newCode(
  origin: string,
  person: Person,
  choice: Choice = { allow: true },
  asked: Fields = {},
): Promise<Fields> {
  const clientId = asked['client_id'] ?? (await newClient(origin))
  const { verifier, challenge } = makePkce()
  const url = authorizeUrl(origin, clientId, { ...s256(challenge), ...asked })
  const code = (await person.consent(url, choice)).searchParams.get('code')
  assert(code)
  const redirect_uri = url.searchParams.get('redirect_uri') ?? ''
  const grant_type = 'authorization_code'
  return { grant_type, code, client_id: clientId, redirect_uri, code_verifier: verifier }
}

export const tokensOf = async (answer: Response): Promise<Tokens> =>
  Tokens.parse(await answer.json())

/** A client that was let in, from beginning to end. */
export async function authorizeClient(
  origin: string,
  person: Person,
  choice: Choice = { allow: true },
  asked: Fields = {},
): Promise<Tokens & { readonly client_id: string }> {
  const code = await newCode(origin, person, choice, asked)
  const tokens = await tokensOf(await askToken(origin, code))
  return { ...tokens, client_id: code['client_id'] ?? '' }
}

export const renew = (
  origin: string,
  client_id: string,
  refresh_token: string,
  more: Fields = {},
) => askToken(origin, { grant_type: 'refresh_token', client_id, refresh_token, ...more })

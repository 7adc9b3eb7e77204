/**
 * A client that requests access, and an owner who is shown the page for it, against the whole front.
 *
 * @module
 */

import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as z from 'zod'
import { fieldsOf, readConsent, type ConsentPage } from '../core/consent-page.ts'

export const ORIGIN = 'https://edgewise.example'
export const REDIRECT = 'http://127.0.0.1:9/callback'

const SECRET = 'correct horse battery staple'
const OWNED: Env = { ...env, EDGEWISE_OWNER_SECRET: SECRET }

const Sessions = z.looseObject({
  sessions: z.array(z.looseObject({ label: z.string(), scopes: z.array(z.string()).nullable() })),
})

export type Fields = Readonly<Record<string, string>>

/** The form of a consent page, as the page sends it. */
export const formOf = (...shown: Parameters<typeof fieldsOf>) =>
  new URLSearchParams(fieldsOf(...shown))

export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init })
  return Promise.resolve(front.fetch(request, OWNED, createExecutionContext()))
}

/** An owner's browser: it keeps the cookies of all answers. */
export async function signedInOwner() {
  const cookies = new Map<string, string>()

  async function visit(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, accept: 'text/html', origin: ORIGIN }
    const answer = await ask(path, { ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  }

  const send = (body: URLSearchParams) => visit('/authorize', { method: 'POST', body })

  /** Sends the form, which shows the page again. */
  async function sendAgain(body: URLSearchParams): Promise<ConsentPage> {
    const answer = await send(body)
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    return readConsent(await answer.text())
  }

  /** Follows the link of a client that requests these scopes. */
  async function request(scopes: readonly string[], asked: Fields = {}): Promise<Response> {
    const search = new URLSearchParams({
      response_type: 'code',
      client_id: asked['client_id'] ?? (await registerClient()),
      redirect_uri: REDIRECT,
      state: 's',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...asked,
    })
    return visit(`/authorize?${search.toString()}`)
  }

  const open = async (scopes: readonly string[], asked: Fields = {}): Promise<ConsentPage> =>
    readConsent(await (await request(scopes, asked)).text())

  /** The scopes of the only session of a workspace; undefined if there is none. */
  async function granted(workspace: string): Promise<readonly string[] | null | undefined> {
    const answer = await visit(`/w/${workspace}/sessions`)
    return Sessions.parse(await answer.json()).sessions[0]?.scopes
  }

  await visit('/signin', { method: 'POST', body: new URLSearchParams({ secret: SECRET, to: '/' }) })
  return { send, sendAgain, request, open, granted }
}

export async function registerClient(client_name = 'Client'): Promise<string> {
  const made = await ask('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': crypto.randomUUID() },
    body: JSON.stringify({
      client_name,
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    }),
  })
  return z.looseObject({ client_id: z.string() }).parse(await made.json()).client_id
}

/** The resource of a workspace. */
export const resourceFor = (workspace: string) => ({ resource: `${ORIGIN}/w/${workspace}/mcp` })

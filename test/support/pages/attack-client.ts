/**
 * Untrusted OAuth clients of a product with an owner: they register under any name, request consent
 * with any parameters, and try to redeem the result.
 *
 * @module
 */

import { createHash, randomBytes } from 'node:crypto'
import type { BrowserContextOptions } from 'playwright'
import { afterAll, beforeAll, expect } from 'vitest'
import { removeFolder, temporaryFolder } from '../e2e/folder.ts'
import { Person, SECRET } from '../e2e/person.ts'
import type { Running } from '../e2e/running.ts'
import { startProduct } from '../e2e/server.ts'

type Fields = Readonly<Record<string, string>>

export interface Client {
  readonly id: string
  readonly redirect: string
  readonly verifier: string
  /** Where it sends its person, with other parameters than an honest client would give. */
  readonly authorize: (changes?: Fields) => string
  /** Tries to get a token; answers the status. */
  readonly redeem: (code: string, changes?: Fields) => Promise<number>
}

/** The answer of the server where it does not take the client in. */
export class Refused extends Error {}

export async function register(server: string, name: string, redirect: string): Promise<Client> {
  const wish = {
    client_name: name,
    redirect_uris: [redirect],
    token_endpoint_auth_method: 'none',
  }
  const answer = await fetch(`${server}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  })
  if (answer.status !== 201) throw new Refused(`${answer.status} ${await answer.text()}`)
  const id = String(Reflect.get(Object(await answer.json()), 'client_id'))
  const verifier = randomBytes(32).toString('base64url')
  const shared = { client_id: id, redirect_uri: redirect }
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const wanted = {
    ...shared,
    response_type: 'code',
    state: `state-of-${id}`,
    scope: 'read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const grant = { ...shared, grant_type: 'authorization_code', code_verifier: verifier }
  return {
    id,
    redirect,
    verifier,
    authorize: (changes = {}) => `${server}/authorize?${formOf(wanted, changes)}`,
    async redeem(code, changes = {}) {
      const body = formOf({ ...grant, code }, changes)
      const sent = await fetch(`${server}/oauth/token`, { method: 'POST', body })
      await sent.body?.cancel()
      return sent.status
    },
  }
}

/** Fields with some of them changed; one that is empty is left out. */
function formOf(fields: Fields, changes: Fields): URLSearchParams {
  const all = Object.entries({ ...fields, ...changes })
  return new URLSearchParams(all.filter(([, value]) => value !== ''))
}

/** Messages of the library about rejected clients, without their input. */
const REJECTIONS = /^(?:OAuth error response: 4\d\d [a-z_]+ - [\w ,.]+\n)*$/

/** A product with an owner. It may log rejected clients, but no secret. */
export function useOwned(): { readonly url: string } {
  const data = temporaryFolder()
  let running: Running | undefined
  beforeAll(async () => {
    running = await startProduct(data, { EDGEWISE_OWNER_SECRET: SECRET })
  })
  afterAll(async () => {
    expect(await running?.stop()).toBe(0)
    expect(running?.complaints()).toMatch(REJECTIONS)
    removeFolder(data)
  })
  return {
    get url() {
      if (!running) throw new Error('The server runs in tests and hooks only')
      return running.url
    },
  }
}

/** A browser in which the owner is signed in. */
export async function ownersBrowser(server: string): Promise<BrowserContextOptions> {
  const person = new Person()
  await person.signIn(server)
  expect(person.cookies.size).toBe(2)
  const cookies = Array.from(person.cookies, ([name, value]) => ({
    name,
    value,
    domain: new URL(server).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  }))
  return { storageState: { cookies, origins: [] } }
}

/** What that browser sends along. */
export const cookieOf = ({ storageState }: BrowserContextOptions) =>
  typeof storageState === 'object'
    ? storageState.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    : ''

/** Chromium flag that resolves every name below `.example` to this machine, as an attacker's DNS could. */
export const FOREIGN_HOSTS_FLAG = '--host-resolver-rules=MAP *.example 127.0.0.1'

/** The same site under a name that is foreign to the product in every respect. */
export const onForeignHost = (url: string, name = 'evil.example') => url.replace('localhost', name)

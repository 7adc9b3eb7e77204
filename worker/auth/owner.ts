/**
 * The owner: checks the secret, the sign-in cookie and the token of Cloudflare Access.
 *
 * The secret set at deployment is compared through a slow hash and signs a cookie that lasts a day, so
 * changing the secret signs every browser out. With Cloudflare Access in front, its token is the proof and no
 * sign-in is needed; the address in it says who acts. `test/worker/auth/access-token.test.ts` has the cases.
 *
 * @module
 */

import { createRemoteJWKSet, jwtVerify } from 'jose'
import { hasHidden } from '#core/visible.ts'
import type { Env } from '../env.ts'
import { deletedCookie, readCookie, signedCookie } from './cookies.ts'
import type { OwnerIdentity } from '../sessions/identity.ts'
import { MAX_EMAIL_LENGTH, MAX_SECRET_LENGTH } from './limits.ts'

/** Seconds for which a browser stays signed in. */
const SIGNED_IN_SECONDS = 24 * 60 * 60

/** Seconds for which a browser is known after it has signed in; browsers keep no cookie longer. */
const KNOWN_SECONDS = 400 * 24 * 60 * 60

/** The highest PBKDF2 count that the platform permits. */
const ITERATIONS = 100_000

const encoder = new TextEncoder()

/** Whether a text is the owner's secret. The slow hash takes the same time for every text. */
export async function isOwnerSecret(given: string, env: Env): Promise<boolean> {
  const { EDGEWISE_OWNER_SECRET: known } = env
  if (!known || given.length > MAX_SECRET_LENGTH) return false
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const [one, other] = await Promise.all([slowHash(given, salt), slowHash(known, salt)])
  return crypto.subtle.timingSafeEqual(one, other)
}

async function slowHash(text: string, salt: Uint8Array): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(text), 'PBKDF2', false, [
    'deriveBits',
  ])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }
  return crypto.subtle.deriveBits(how, key, 256)
}

/** Builds the `Set-Cookie` value of a browser that has just signed in. */
export function signInCookie(request: Request, env: Env): Promise<string> {
  const text = String(Date.now() + SIGNED_IN_SECONDS * 1000)
  return signedCookie(request, env, '', { text, seconds: SIGNED_IN_SECONDS })
}

/** Builds the `Set-Cookie` value that deletes the cookie. */
export const signOutCookie = (request: Request): string => deletedCookie(request, '')

/** Builds the `Set-Cookie` value by which a browser that has signed in is known later; it gives no access. */
export async function deviceCookie(request: Request, env: Env): Promise<string> {
  const text = (await readCookie(request, env, 'device')) ?? crypto.randomUUID()
  return signedCookie(request, env, 'device', { text, seconds: KNOWN_SECONDS })
}

/** Returns the owner, if a request comes from their browser, by Access token or by cookie; otherwise null. */
export async function findOwner(request: Request, env: Env): Promise<OwnerIdentity | null> {
  const passed = env.EDGEWISE_ACCESS ? await passAccess(request, env.EDGEWISE_ACCESS) : null
  if (passed) return passed
  const until = (await readCookie(request, env, '')) ?? ''
  const isSignedIn = /^\d{1,15}$/.test(until) && Number(until) > Date.now()
  return isSignedIn ? { kind: 'owner', email: null } : null
}

const keys = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** `EDGEWISE_ACCESS` is the team's domain and the application's audience, with a space between. */
async function passAccess(request: Request, setting: string): Promise<OwnerIdentity | null> {
  const token = request.headers.get('cf-access-jwt-assertion')
  const [team = '', audience = ''] = setting.trim().split(/\s+/)
  if (token === null || team === '' || audience === '') return null
  const issuer = `https://${team}`
  const set = keys.get(issuer) ?? createRemoteJWKSet(new URL('/cdn-cgi/access/certs', issuer))
  keys.set(issuer, set)
  try {
    const { payload } = await jwtVerify(token, set, { issuer, audience, algorithms: ['RS256'] })
    return { kind: 'owner', email: parseEmail(payload['email']) }
  } catch {
    return null
  }
}

/** Returns the address of a verified token; null if it is none, too long, or has a hidden character. */
export function parseEmail(claim: unknown): string | null {
  if (typeof claim !== 'string' || claim.length > MAX_EMAIL_LENGTH) return null
  return /^[^\s@"<>]+@[^\s@"<>]+$/u.test(claim) && !hasHidden(claim) ? claim : null
}

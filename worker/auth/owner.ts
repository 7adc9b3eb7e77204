/**
 * The owner: checks the secret, the sign-in cookie and the token of Cloudflare Access.
 *
 * The secret set at deployment is compared through a slow hash and signs a cookie that lasts a day, so
 * changing the secret signs every browser out. With Cloudflare Access in front, its token is the proof and no
 * sign-in is needed.
 *
 * @module
 */

import { createRemoteJWKSet, jwtVerify } from 'jose'
import { toBase64 } from '../encoding/base64.ts'
import type { Env } from '../env.ts'
import { MAX_SECRET_LENGTH } from './limits.ts'

/** Seconds for which a browser stays signed in. */
const SIGNED_IN_SECONDS = 24 * 60 * 60

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

/** A browser accepts a cookie of this name only if it is secure and for this host alone. */
const SECURE_COOKIE = '__Host-edgewise'
const LOCAL_COOKIE = 'edgewise'

const nameFor = (request: Request) =>
  new URL(request.url).protocol === 'https:' ? SECURE_COOKIE : LOCAL_COOKIE

/** Builds the `Set-Cookie` value of a browser that has just signed in. */
export async function signInCookie(request: Request, env: Env): Promise<string> {
  const until = String(Date.now() + SIGNED_IN_SECONDS * 1000)
  const name = nameFor(request)
  const value = `${until}.${await signature(until, env)}`
  return `${name}=${value}; ${attributes(name)}; Max-Age=${SIGNED_IN_SECONDS}`
}

/** Builds the `Set-Cookie` value that deletes the cookie. */
export function signOutCookie(request: Request): string {
  const name = nameFor(request)
  return `${name}=; ${attributes(name)}; Max-Age=0`
}

const attributes = (name: string) =>
  `Path=/; HttpOnly; SameSite=Lax${name === SECURE_COOKIE ? '; Secure' : ''}`

/** Whether a request comes from the owner's browser, by Access token or by cookie. */
export async function isOwner(request: Request, env: Env): Promise<boolean> {
  if (env.EDGEWISE_ACCESS && (await passedAccess(request, env.EDGEWISE_ACCESS))) return true
  return Boolean(env.EDGEWISE_OWNER_SECRET) && (await hasCookie(request, env))
}

async function hasCookie(request: Request, env: Env): Promise<boolean> {
  const value = cookieOf(request, nameFor(request))
  const [until = '', signed = ''] = value?.split('.') ?? []
  if (!/^\d{1,15}$/.test(until) || Number(until) <= Date.now()) return false
  const known = encoder.encode(await signature(until, env))
  const given = encoder.encode(signed)
  return known.length === given.length && crypto.subtle.timingSafeEqual(known, given)
}

function cookieOf(request: Request, name: string): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((part) => part.trim())
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}

async function signature(text: string, { EDGEWISE_OWNER_SECRET: secret = '' }: Env) {
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = encoder.encode(`edgewise sign-in ${secret}`)
  const key = await crypto.subtle.importKey('raw', bytes, how, false, ['sign'])
  return toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))))
}

const keys = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** `EDGEWISE_ACCESS` is the team's domain and the application's audience, with a space between. */
async function passedAccess(request: Request, setting: string): Promise<boolean> {
  const token = request.headers.get('cf-access-jwt-assertion')
  const [team = '', audience = ''] = setting.trim().split(/\s+/)
  if (token === null || team === '' || audience === '') return false
  const issuer = `https://${team}`
  const set = keys.get(issuer) ?? createRemoteJWKSet(new URL('/cdn-cgi/access/certs', issuer))
  keys.set(issuer, set)
  try {
    await jwtVerify(token, set, { issuer, audience, algorithms: ['RS256'] })
    return true
  } catch {
    return false
  }
}

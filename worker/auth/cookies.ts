/**
 * Cookies that are signed with the owner's secret, so that changing it invalidates all of them.
 *
 * One signs the owner in, see `owner.ts`. The other names a browser that has signed in before, and gives no access: it
 * only has attempts of its own, see `attempts.ts`. `test/worker/auth/devices.test.ts` tests it.
 *
 * @module
 */

import { toBase64 } from '../encoding/base64.ts'
import type { Env } from '../env.ts'

/** What a cookie is for; it is part of the name and of what is signed, so that none passes for the other. */
export type Purpose = '' | 'device'

/** A text to sign, and how many seconds a browser keeps it. */
export interface Signed {
  readonly text: string
  readonly seconds: number
}

/** Builds the `Set-Cookie` value of a signed text. */
export async function signedCookie(
  request: Request,
  env: Env,
  purpose: Purpose,
  { text, seconds }: Signed,
): Promise<string> {
  const value = `${text}.${await signature(purpose + text, env)}`
  return `${nameFor(request, purpose)}=${value}; ${attributes(request)}; Max-Age=${seconds}`
}

/** Builds the `Set-Cookie` value that deletes a cookie. */
export const deletedCookie = (request: Request, purpose: Purpose): string =>
  `${nameFor(request, purpose)}=; ${attributes(request)}; Max-Age=0`

/** Returns the text of a cookie that is signed with the present secret, else null. */
export async function readCookie(
  request: Request,
  env: Env,
  purpose: Purpose,
): Promise<string | null> {
  const name = `${nameFor(request, purpose)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((part) => part.trim())
  // A page on another port of this host can set one of the same name for a path, which the browser sends first.
  const values = cookies.filter((one) => one.startsWith(name)).slice(0, MAX_SAME_COOKIES)
  if (!env.EDGEWISE_OWNER_SECRET) return null
  for (const value of values) {
    const [text = '', signed = ''] = value.slice(name.length).split('.')
    if (isSame(await signature(purpose + text, env), signed)) return text
  }
  return null
}

/** Cookies of one name that are looked at. */
const MAX_SAME_COOKIES = 10

function isSame(one: string, other: string): boolean {
  const [known, given] = [encode(one), encode(other)]
  return known.length === given.length && crypto.subtle.timingSafeEqual(known, given)
}

const isSecure = ({ url }: Request) => new URL(url).protocol === 'https:'

/** A browser accepts a cookie with this prefix only if it is secure and for this host alone. */
const nameFor = (request: Request, purpose: Purpose) =>
  `${isSecure(request) ? '__Host-' : ''}edgewise${purpose && `-${purpose}`}`

const attributes = (request: Request) =>
  `Path=/; HttpOnly; SameSite=Lax${isSecure(request) ? '; Secure' : ''}`

const encoder = new TextEncoder()
const encode = (text: string) => encoder.encode(text)

async function signature(text: string, { EDGEWISE_OWNER_SECRET: secret = '' }: Env) {
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = encode(`edgewise sign-in ${secret}`)
  const key = await crypto.subtle.importKey('raw', bytes, how, false, ['sign'])
  return toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text))))
}

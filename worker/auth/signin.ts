/**
 * Sign-in: a form that takes the owner's secret and gives the browser a cookie.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { isReading } from '../http.ts'
import { deviceCookie, signInCookie, signOutCookie } from './owner.ts'
import { markup } from '../encoding/html.ts'
import { page } from './page.ts'
import { boundedText } from './protocol.ts'
import { checkSecret } from './secret-check.ts'
import { MAX_SIGN_IN_BODY_BYTES } from './limits.ts'

const ELSEWHERE = 'This form was sent from another site. Try again.'

/** Serves the form and checks the secret. A success redirects to the path that was asked for. */
export async function signIn(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url)
  if (isReading(request)) return form(ownPath(url.searchParams.get('to')))
  if (request.method !== 'POST') return refuseMethod('GET, HEAD, POST')
  if (request.headers.get('origin') !== url.origin) return form('/', ELSEWHERE, 403)
  const fields = await fieldsOf(request)
  if (fields === null) return form('/', TOO_LONG, 413)
  const to = ownPath(fields.get('to'))
  const checked = await checkSecret(fields.get('secret') ?? '', request, env)
  if (checked.is === 'too_many') return tooMany(to, checked.wait)
  if (checked.is === 'wrong') return form(to, 'Wrong secret. Try again.', 401)
  const headers = new Headers({ location: to })
  for (const build of [signInCookie, deviceCookie])
    headers.append('set-cookie', await build(request, env))
  return new Response(null, { status: 303, headers })
}

/** Deletes the cookie. Only a POST of this origin is accepted. */
export function signOut(request: Request): Response {
  if (request.method !== 'POST') return refuseMethod('POST')
  // A page of this host on another port is same-site, so its requests bring the cookie.
  if (request.headers.get('origin') !== new URL(request.url).origin)
    return form('/', ELSEWHERE, 403)
  const headers = { location: '/signin', 'set-cookie': signOutCookie(request) }
  return new Response(null, { status: 303, headers })
}

/** Builds the 405 that names the methods of a page. */
export const refuseMethod = (allow: string) =>
  new Response(null, { status: 405, headers: { allow } })

/** Redirects a browser to the form, with the path to return to. */
export function redirectToSignIn({ url }: Request): Response {
  const { pathname, search } = new URL(url)
  const location = `/signin?to=${encodeURIComponent(pathname + search)}`
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}

/** Returns a path of this origin, or `/` for any other text, so that the form is no open redirect. */
function ownPath(to: string | null): string {
  const isPath = to !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && !to.includes('\\')
  return isPath ? to : '/'
}

/** Reads the fields of a form; null if it is too large. */
async function fieldsOf(request: Request): Promise<URLSearchParams | null> {
  const text = await boundedText(request, MAX_SIGN_IN_BODY_BYTES)
  return text === null ? null : new URLSearchParams(text)
}

const TOO_LONG = 'The address to return to is too long. Enter the secret here, and open it again.'

function tooMany(to: string, seconds: number): Response {
  const answer = form(to, `Too many attempts. Try again in ${seconds} seconds.`, 429)
  answer.headers.set('retry-after', String(seconds))
  return answer
}

function form(to: string, wrong = '', status = 200): Response {
  const notice = wrong === '' ? markup`` : markup`<p class="wrong" role="alert">${wrong}</p>`
  const body = markup` <h1>Sign in to your workspace</h1>
    <p class="muted">Enter the secret that was set as EDGEWISE_OWNER_SECRET.</p>
    ${notice}
    <form method="post">
      <input type="hidden" name="to" value="${to}" />
      <label
        >Secret<input
          type="password"
          name="secret"
          autocomplete="current-password"
          required
          autofocus
      /></label>
      <div class="row"><button class="main">Sign in</button></div>
    </form>`
  return page('Sign in', body, { status })
}

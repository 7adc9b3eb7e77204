/**
 * A person with a browser, as far as signing in and consent need one: follows redirects, keeps cookies,
 * submits forms.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { fieldsOf, readConsent, selectedIn, type ConsentPage } from '../core/consent-page.ts'

export const SECRET = 'correct horse battery staple'

/** The selection on the consent page. */
export interface Choice {
  readonly allow: boolean
  readonly actions?: readonly string[]
  /** A folder to add; it is selected instead of the rows that contain it. */
  readonly folder?: string
  /** The workspace whose address the client has. */
  readonly workspace?: string
}

/** The form of a consent page, as the page sends it. */
export const formOf = (...shown: Parameters<typeof fieldsOf>) =>
  new URLSearchParams(fieldsOf(...shown))

export class Person {
  readonly #cookies = new Map<string, string>()
  readonly #secret: string

  constructor(secret = SECRET) {
    this.#secret = secret
  }

  /** The cookies by their names. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies
  }

  /** The header in which a browser sends its cookies. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async visit(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', this.cookie)
    headers.set('accept', 'text/html')
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }

  /** Sends a form as the page that has it would. */
  submit(
    url: URL,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    origin = url.origin,
  ) {
    const body = new URLSearchParams(fields)
    return this.visit(url, { method: 'POST', body, headers: { origin } })
  }

  async signIn(server: string): Promise<Response> {
    return this.submit(new URL('/signin', server), { secret: this.#secret, to: '/' })
  }

  /** Opens an authorization URL, and signs in on the way. */
  async openConsent(authorize: URL): Promise<ConsentPage> {
    let page = await this.visit(authorize)
    if (page.status === 303) {
      await page.body?.cancel()
      await this.signIn(authorize.origin)
      page = await this.visit(authorize)
    }
    const read = readConsent(await page.text())
    assert(read.handle, read.html)
    return read
  }

  /** Sends the form of a consent page that shows another page. */
  async sendAgain(authorize: URL, fields: URLSearchParams): Promise<ConsentPage> {
    const sent = await this.submit(new URL('/authorize', authorize), fields)
    assert.equal(sent.status, 200)
    return readConsent(await sent.text())
  }

  /** Opens an authorization URL, decides, and returns the final redirect. */
  async consent(url: URL, choice: Choice): Promise<URL> {
    const { allow, actions = ['read', 'write'], folder, workspace } = choice
    const authorize = new URL(url)
    if (workspace !== undefined)
      authorize.searchParams.set('resource', new URL(`/w/${workspace}/mcp`, url).href)
    let page = await this.openConsent(authorize)
    if (folder !== undefined) {
      const fields = formOf(page, 'add')
      for (const action of actions) fields.set(`folder-${action}`, folder)
      page = await this.sendAgain(authorize, fields)
    }
    const selected = selectedIn(page).filter((scope) => actions.includes(scope.split(':')[0] ?? ''))
    const fields = formOf(page, allow ? 'allow' : 'deny', selected)
    const sent = await this.submit(new URL('/authorize', authorize), fields)
    assert.equal(sent.status, 303, await sent.text())
    return new URL(sent.headers.get('location') ?? '')
  }
}

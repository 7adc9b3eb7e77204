/**
 * A person with a browser, as far as signing in and consent need one: follows redirects, keeps cookies,
 * submits forms.
 *
 * @module
 */

import assert from 'node:assert/strict'

export const SECRET = 'correct horse battery staple'

/** The selection on the consent page. */
export interface Choice {
  readonly allow: boolean
  readonly actions?: readonly string[]
  readonly folders?: string
  readonly workspace?: string
}

export class Person {
  readonly #cookies = new Map<string, string>()
  readonly #secret: string

  constructor(secret = SECRET) {
    this.#secret = secret
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
  submit(url: URL, fields: Readonly<Record<string, string>>, origin = url.origin) {
    const body = new URLSearchParams(fields)
    return this.visit(url, { method: 'POST', body, headers: { origin } })
  }

  async signIn(server: string): Promise<Response> {
    return this.submit(new URL('/signin', server), { secret: this.#secret, to: '/' })
  }

  /** Opens an authorization URL, signs in on the way, decides, and returns the final redirect. */
  async consent(authorize: URL, choice: Choice): Promise<URL> {
    let page = await this.visit(authorize)
    if (page.status === 303) {
      await page.body?.cancel()
      await this.signIn(authorize.origin)
      page = await this.visit(authorize)
    }
    const html = await page.text()
    const handle = /name="handle" value="([^"]+)"/.exec(html)?.[1]
    assert(handle, html)
    const { allow, actions = ['read', 'write'], folders = '', workspace = 'default' } = choice
    const ticked = Object.fromEntries(actions.map((action) => [action, 'on']))
    const answer = { handle, folders, workspace, answer: allow ? 'allow' : 'deny' }
    const sent = await this.submit(new URL('/authorize', authorize), { ...ticked, ...answer })
    assert.equal(sent.status, 303, await sent.text())
    return new URL(sent.headers.get('location') ?? '')
  }
}

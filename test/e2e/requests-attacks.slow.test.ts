/**
 * Attacks on access requests over HTTP: an agent, a forged request of another page, and a request without a browser
 * cannot decide. The page of the owner can.
 */

import { describe, expect, it } from 'vitest'
import { Person, SECRET } from '../support/e2e/person.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

const ownPage = () => ({ origin: new URL(server.url).origin, 'sec-fetch-site': 'same-origin' })

async function signedIn(): Promise<Person> {
  const person = new Person()
  await (await person.signIn(server.url)).body?.cancel()
  return person
}

const asOwner = (person: Person, path: string, init: RequestInit = {}) => {
  const headers = { ...ownPage(), 'x-edgewise-console': '1', 'content-type': 'application/json' }
  const all = {
    cookie: person.cookie,
    ...headers,
    ...Object.fromEntries(new Headers(init.headers)),
  }
  return fetch(new URL(path, server.url), { ...init, headers: all })
}

/** A session link that may read /docs alone. */
async function linkOf(person: Person): Promise<string> {
  const body = JSON.stringify({ label: 'agent', ttl_seconds: 600, scopes: ['read:file:/docs'] })
  const made = await asOwner(person, '/sessions', { method: 'POST', body })
  const { url } = await made.json()
  return String(url)
}

async function callAs(link: string, name: string, args: object): Promise<string> {
  const answer = await fetch(link, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...ownPage(),
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: args },
    }),
  })
  return answer.text()
}

async function waitingFor(person: Person): Promise<readonly string[]> {
  const { requests } = await (await asOwner(person, '/requests')).json()
  return requests.map(({ id }: { id: string }) => id)
}

/** Has an agent ask for a file outside its scopes. */
async function prepare() {
  const person = await signedIn()
  const put = await asOwner(person, '/files/secret/a.txt', { method: 'PUT', body: 'secret' })
  await put.body?.cancel()
  const link = await linkOf(person)
  const read = () => callAs(link, 'read_file', { path: '/secret/a.txt' })
  expect(await read()).toContain('The owner can allow it')
  const [id = ''] = await waitingFor(person)
  return { person, link, read, id }
}

describe('a decision on an access request', () => {
  it('is refused to everyone but the page of the owner', async () => {
    const { person, link, read, id } = await prepare()
    const body = JSON.stringify({ for: 'session' })
    const { cookie } = person
    const secret = link.replace(/\/mcp$/, '')
    const path = `/requests/${id}/allow`
    const attempts: readonly (readonly [string, string, Record<string, string>])[] = [
      ['without signing in', `${server.url}${path}`, ownPage()],
      ['by the link itself', `${secret}${path}`, ownPage()],
      ['by a link as a cookie', `${server.url}${path}`, { ...ownPage(), cookie: `session=${id}` }],
      ['without a browser', `${server.url}${path}`, { cookie, 'x-edgewise-console': '1' }],
      [
        'by another site',
        `${server.url}${path}`,
        { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      ],
      [
        'by an app in its frame',
        `${server.url}${path}`,
        { cookie, origin: 'null', 'sec-fetch-site': 'cross-site', 'x-edgewise-console': '1' },
      ],
      ['in another workspace', `${server.url}/w/other${path}`, { ...ownPage(), cookie }],
    ]
    for (const [what, url, headers] of attempts) {
      const type = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', body, headers: { ...type, ...headers } })
      await answer.body?.cancel()
      expect([401, 403, 404], what).toContain(answer.status)
    }
    expect(await waitingFor(person)).toContain(id)
    expect(await read()).not.toContain('1: secret')
  })

  it('is not shown to the agent, and no argument or metadata of it decides', async () => {
    const { link, read, person, id } = await prepare()
    for (const path of ['/requests', `/requests/${id}`])
      expect((await fetch(link.replace(/\/mcp$/, path))).status).not.toBe(200)
    const params = {
      name: 'read_file',
      arguments: { path: '/secret/a.txt' },
      _meta: { granted_scopes: ['read'], allowed: ['read'], request: id },
    }
    const forged = await fetch(link, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    expect(await forged.text()).not.toContain('1: secret')
    const made = await asOwner(person, `/requests/${id}/allow`, {
      method: 'POST',
      body: JSON.stringify({ for: 'call' }),
    })
    expect(await made.json()).toMatchObject({ state: 'allowed', for: 'call' })
    expect(await read()).toContain('1: secret')
    expect(await read()).not.toContain('1: secret')
  })
})

/** The password of WebDAV: a session link, and nothing else; and the budget of wrong ones. */

import { MAX_PASSWORDS } from '#worker/dav/limits.ts'
import { createPasswords } from '#worker/dav/passwords.ts'
import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { basic, davWith, passwordOf } from '../../support/worker/dav.ts'

const SECRET = 'a secret of the owner'
const OWNED = { ...env, EDGEWISE_OWNER_SECRET: SECRET }

interface Asked {
  readonly authorization?: string
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly owned?: boolean
}

/** Asks for the top folder, from an address. */
async function ask(url: string, { authorization, address, headers, owned = false }: Asked = {}) {
  const request = new Request(url, {
    method: 'PROPFIND',
    headers: {
      depth: '0',
      ...(authorization !== undefined && { authorization }),
      ...(address !== undefined && { 'cf-connecting-ip': address }),
      ...headers,
    },
  })
  const answer = await front.fetch(request, owned ? OWNED : env, createExecutionContext())
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const wrong = (workspace: string, at: number) => `${workspace}.${String(at).padStart(43, 'x')}`

describe('a session link is the password', () => {
  it.each([false, true])('with any user name, where an owner is configured: %s', async (owned) => {
    const { workspace, link } = await davWith({})
    const password = passwordOf(link)
    const address = owned ? '203.0.113.1' : '127.0.0.1'
    for (const user of ['', 'me', 'é', 'a b', 'owner']) {
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      const answer = await ask(`${workspace.base}/dav/`, { authorization, address, owned })
      expect(answer.status, user).toBe(207)
    }
    const whole = basic(`http://localhost/s/${password}/mcp`)
    const answer = await ask(`${workspace.base}/dav/`, { authorization: whole, address, owned })
    expect(answer.status).toBe(207)
  })

  it('also without the name of its workspace, and in the path instead', async () => {
    const { link } = await davWith({ '/a': 'x' })
    const password = passwordOf(link)
    const short = await ask('http://localhost/dav/a', { authorization: basic(password) })
    expect(short.text).toContain('<D:href>/dav/a</D:href>')
    const inPath = await ask(`http://localhost/s/${password}/dav/a`)
    expect(inPath.text).toContain(`<D:href>/s/${password}/dav/a</D:href>`)
  })

  it('that the owner made, with the access of its rules', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x')
    await workspace.put('/b', 'x')
    const { client } = await ownerLinkOf(workspace, { scopes: ['read:file:/a'] })
    const authorization = basic(passwordOf(client))
    expect((await ask(`${workspace.base}/dav/a`, { authorization })).status).toBe(207)
    expect((await ask(`${workspace.base}/dav/b`, { authorization })).status).toBe(403)
  })
})

describe('everything else is refused in the same way', () => {
  it.each<[string, (password: string, workspace: string) => Asked]>([
    ['no password', () => ({})],
    ['the secret of the owner', () => ({ authorization: basic(SECRET, 'owner') })],
    ['a wrong link', (_, name) => ({ authorization: basic(wrong(name, 0)) })],
    ['a link of another workspace', () => ({ authorization: basic(wrong('other', 0)) })],
    ['a malformed link', () => ({ authorization: basic('x.y') })],
    ['a link as a user name', (password) => ({ authorization: basic('x', password) })],
    ['a link as a token', (password) => ({ authorization: `Bearer ${password}` })],
    ['no base64', () => ({ authorization: 'Basic ???' })],
    ['Digest', () => ({ authorization: 'Digest username="a"' })],
    ['an endless one', () => ({ authorization: basic('x'.repeat(100_000)) })],
  ])('%s', async (_, sent) => {
    const { workspace, link } = await davWith({ '/a': 'x' })
    const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
    const asked = sent(passwordOf(link), name)
    for (const owned of [false, true]) {
      const answer = await ask(`${workspace.base}/dav/a`, { ...asked, owned })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="Edgewise"/)
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'LINK_REQUIRED' })
    }
  })

  it('the cookie of the owner, which opens the console', async () => {
    const { workspace } = await davWith({ '/a': 'x' })
    const body = new URLSearchParams({ secret: SECRET, to: '/' })
    const signIn = await front.fetch(
      new Request('http://localhost/signin', {
        method: 'POST',
        body,
        headers: { origin: 'http://localhost' },
      }),
      OWNED,
      createExecutionContext(),
    )
    const cookie = signIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const headers = { cookie, 'x-edgewise-console': '1' }
    const files = await front.fetch(
      new Request(`${workspace.base}/files/a`, { headers }),
      OWNED,
      createExecutionContext(),
    )
    expect(files.status).toBe(200)
    await files.text()
    const answer = await ask(`${workspace.base}/dav/a`, { headers, owned: true })
    expect(answer.status).toBe(401)
  })

  it('a link at another workspace', async () => {
    const { link } = await davWith({})
    const { workspace } = await davWith({})
    const authorization = basic(passwordOf(link))
    expect((await ask(`${workspace.base}/dav/`, { authorization })).status).toBe(401)
    expect((await ask('http://localhost/w/none/dav/', { authorization })).status).toBe(401)
  })

  it('a transfer link, and a link that has ended', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x')
    const made = await workspace.call('transfer_link', { path: '/a', direction: 'download' })
    const url = String(made.result?.structuredContent['url'])
    const transfer = /\/s\/([^/]+)\/file$/.exec(url)?.[1] ?? ''
    expect(transfer).not.toBe('')
    const { client, session } = await linkOf(workspace)
    const ended = basic(passwordOf(client))
    expect((await ask(`${workspace.base}/dav/`, { authorization: ended })).status).toBe(207)
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    for (const authorization of [basic(transfer), ended])
      expect((await ask(`${workspace.base}/dav/a`, { authorization })).status).toBe(401)
    expect((await ask(`http://localhost/s/${transfer}/dav/a`)).status).toBe(401)
  })

  it('plain http to a deployment', async () => {
    const { workspace, link } = await davWith({})
    const url = `http://edgewise.example${new URL(workspace.base).pathname}/dav/`
    const asked = { authorization: basic(passwordOf(link)), owned: true }
    expect(await ask(url, asked)).toMatchObject({ status: 403 })
  })
})

describe('wrong passwords', () => {
  const guess = (workspace: string, at: number, address: string) =>
    ask(`http://localhost/w/${workspace}/dav/`, {
      ...{ authorization: basic(wrong(workspace, at)), address, owned: true },
    })

  it('have a budget for each address, which keeps out no link that is right', async () => {
    const { workspace, link } = await davWith({})
    const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
    const right = { authorization: basic(passwordOf(link)), owned: true }
    const address = '198.51.100.1'
    expect((await ask(`${workspace.base}/dav/`, { ...right, address })).status).toBe(207)
    const statuses = []
    for (let at = 0; at < 7; at++) statuses.push((await guess(name, at, address)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    const over = await guess(name, 9, address)
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(`${workspace.base}/dav/`, { ...right, address })).status).toBe(207)
    expect((await guess(name, 10, '198.51.100.2')).status).toBe(401)
  })

  it('keep out no link that is right, also at its first request', async () => {
    const { workspace, link } = await davWith({})
    const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
    const right = { authorization: basic(passwordOf(link)), owned: true }
    // The budget of all addresses together, and the one of an address.
    for (let at = 0; at < 60; at++) await guess(name, at, `198.51.100.${100 + Math.floor(at / 5)}`)
    expect((await guess(name, 100, '198.51.100.10')).status).toBe(429)
    for (const address of ['198.51.100.100', '198.51.100.11'])
      expect((await ask(`${workspace.base}/dav/`, { ...right, address })).status).toBe(207)
  })

  it('that a forgotten client repeats are refused without a use of the budget', async () => {
    const { workspace, link } = await davWith({})
    const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
    const address = '198.51.100.3'
    for (let at = 0; at < 20; at++) expect((await guess(name, 1, address)).status).toBe(401)
    const asked = { authorization: basic(passwordOf(link)), address, owned: true }
    expect((await ask(`${workspace.base}/dav/`, asked)).status).toBe(207)
  })
})

describe('the memory of passwords', () => {
  it('gives back the use of a right one, of which several requests come at once', () => {
    const passwords = createPasswords(() => 0)
    for (let at = 0; at < 20; at++) {
      for (let times = 0; times < 8; times++) expect(passwords.judge(`${at}`, 'a')).toBe('check')
      for (let times = 0; times < 8; times++) passwords.right(`${at}`, 'a')
    }
  })

  it('is bounded, and wrong ones take no place of right ones', () => {
    let now = 0
    const passwords = createPasswords(() => now)
    passwords.judge('right', 'a')
    passwords.right('right', 'a')
    for (let at = 0; at <= MAX_PASSWORDS; at++) passwords.wrong(`${at}`)
    // The oldest is forgotten, and would be checked again.
    expect(passwords.judge('0', 'a')).toBe('check')
    expect(passwords.judge('1', 'a')).toBe('wrong')
    expect(passwords.judge('right', 'a')).toBe('check')
    for (let at = 0; at < 10; at++) passwords.judge(`new ${at}`, 'a')
    expect(passwords.judge('right', 'a')).toBe('check')
    expect(passwords.judge('newer', 'a')).toBeGreaterThan(0)
    now += 30_000
    expect(passwords.judge('newest', 'a')).toBe('check')
  })

  it('knows that a link is not right any more', () => {
    const passwords = createPasswords(() => 0)
    passwords.judge('one', 'a')
    passwords.right('one', 'a')
    passwords.wrong('one')
    expect(passwords.judge('one', 'a')).toBe('wrong')
  })
})

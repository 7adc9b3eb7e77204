/** The whole OAuth flow: an official client, a person who consents, and a product with an owner. */

import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { MemoryProvider } from '../../support/e2e/oauth-provider.ts'
import { Person, SECRET, type Choice } from '../../support/e2e/person.ts'
import { useServer } from '../../support/e2e/server.ts'

const server = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

type Era = { pin: string } | 'legacy'

async function runFlow(choice: Choice, mode: Era = { pin: '2026-07-28' }) {
  const memory = new MemoryProvider('Client')
  const url = new URL('/mcp', server.url)
  const open = () => new StreamableHTTPClientTransport(url, { authProvider: memory })
  const options = { versionNegotiation: { mode } } as const
  const first = open()
  await expect(
    new Client({ name: 'dancer', version: '1' }, options).connect(first),
  ).rejects.toThrow(UnauthorizedError)
  expect(memory.sentTo?.pathname).toBe('/authorize')
  const back = await new Person().consent(memory.sentTo ?? url, choice)
  const code = back.searchParams.get('code')
  if (code === null) return { back, memory }
  await first.finishAuth(back.searchParams)
  const client = new Client({ name: 'dancer', version: '1' }, options)
  await client.connect(open())
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args })
  return { back, memory, client, call }
}

describe('the OAuth flow', () => {
  it('gives the client the access that the person selected', async () => {
    const { call, client, memory } = await runFlow({ allow: true })
    const written = await call?.('write_file', { path: '/a.txt', content: 'one' })
    expect(written?.isError).toBeFalsy()
    expect((await client?.listTools())?.tools.length).toBeGreaterThan(9)
    expect(memory.tokens()).toMatchObject({ token_type: 'bearer' })
    await client?.close()
  })

  it('gives the client no access when the person refuses', async () => {
    const { back, client } = await runFlow({ allow: false })
    expect(client).toBeUndefined()
    expect(back.searchParams.get('error')).toBe('access_denied')
  })
})

/** Writes a file as the person who owns the workspace. */
async function ownerWrites(path: string): Promise<number> {
  const owner = new Person()
  await owner.signIn(server.url)
  const headers = { 'x-edgewise-console': '1' }
  const url = new URL(`/files${path}`, server.url)
  return (await owner.visit(url, { method: 'PUT', body: crypto.randomUUID(), headers })).status
}

describe('notifications of a client', () => {
  it.each<[string, Era]>([
    ['modern', { pin: '2026-07-28' }],
    ['older', 'legacy'],
  ])('in the %s era is limited to the selected access', async (_, mode) => {
    const { client } = await runFlow({ allow: true, actions: ['read'], folder: '/heard' }, mode)
    const heard: string[] = []
    client?.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri)
    })
    const uris = ['file:///heard/a', 'file:///secret']
    if (mode === 'legacy') for (const uri of uris) await client?.subscribeResource({ uri })
    else await client?.listen({ resourceSubscriptions: uris })
    // Written until a notification comes, because a legacy client does not report when its stream is open.
    await expect
      .poll(async () => {
        expect(await ownerWrites('/secret')).toBeLessThan(300)
        expect(await ownerWrites('/heard/a')).toBeLessThan(300)
        return heard
      })
      .toContain('file:///heard/a')
    expect(heard).not.toContain('file:///secret')
    await client?.close()
  })
})

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error))

describe('the selected access', () => {
  it('is limited to folders, and a refusal names what is missing', async () => {
    const { call, client } = await runFlow({ allow: true, actions: ['read'], folder: '/docs' })
    const owner = new Person()
    await owner.signIn(server.url)
    const put = (path: string) =>
      owner.visit(new URL(`/files${path}`, server.url), {
        method: 'PUT',
        body: 'text',
        headers: { 'x-edgewise-console': '1' },
      })
    expect((await put('/docs/a')).status).toBe(201)
    expect((await put('/key')).status).toBe(201)
    expect((await call?.('read_file', { path: '/docs/a' }))?.isError).toBeFalsy()
    const found = await call?.('find_files', {})
    expect(JSON.stringify(found)).not.toContain('key')
    expect((await client?.listTools())?.tools.map(({ name }) => name)).not.toContain('write_file')
    await client?.close()
  })

  it('can be extended: the client steps up by itself', async () => {
    const { memory, call, client } = await runFlow({ allow: true, actions: ['read'] })
    memory.sentTo = undefined
    const write = () => call?.('write_file', { path: '/stepped.txt', content: 'up' })
    await expect(write()).rejects.toThrow(UnauthorizedError)
    expect(memory.sentTo).toBeDefined()
    const asked = (memory.sentTo as URL | undefined)?.searchParams.get('scope')
    expect(asked).toContain('write:file:/')
    await client?.close()
  })

  it('is one workspace, which is then served at /mcp', async () => {
    const { call, client, memory } = await runFlow({ allow: true, workspace: 'notes' })
    await call?.('write_file', { path: '/only-here.txt', content: 'x' })
    await client?.close()
    const headers = { authorization: `Bearer ${memory.tokens()?.access_token}` }
    const elsewhere = await fetch(new URL('/w/other/mcp', server.url), { method: 'POST', headers })
    expect(elsewhere.status).toBe(403)
    const owner = new Person()
    await owner.signIn(server.url)
    const status = async (path: string) => (await owner.visit(new URL(path, server.url))).status
    expect(await status('/w/notes/files/only-here.txt')).toBe(200)
    expect(await status('/files/only-here.txt')).toBe(404)
  })

  it('ends when the person ends the session', async () => {
    const { call, client } = await runFlow({ allow: true })
    const owner = new Person()
    await owner.signIn(server.url)
    const list = await owner.visit(new URL('/sessions', server.url))
    const { sessions } = (await list.json()) as { sessions: { id: string; label: string }[] }
    const mine = sessions.find(({ label }) => label === 'Client')
    const ended = await owner.visit(new URL(`/sessions/${mine?.id}`, server.url), {
      method: 'DELETE',
      headers: { 'x-edgewise-console': '1' },
    })
    expect(ended.status).toBe(204)
    await expect(call?.('list_roots', {})).rejects.toThrow()
    await client?.close()
  })
})

describe('without a valid token', () => {
  const ROUTES: [string, string][] = [
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['POST', '/w/notes/mcp'],
    ['GET', '/files/a.txt'],
    ['PUT', '/files/a.txt'],
    ['DELETE', '/files/a.txt'],
    ['GET', '/files/'],
    ['POST', '/import'],
    ['GET', '/export'],
    ['GET', '/status'],
    ['GET', '/config'],
    ['PUT', '/config'],
    ['GET', '/sessions'],
    ['POST', '/sessions'],
    ['GET', '/audit'],
    ['GET', '/audit/check'],
    ['GET', '/nowhere'],
    ['POST', '/attempt'],
    ['POST', '/grant'],
  ]
  const TOKENS: [string, string | undefined][] = [
    ['none', undefined],
    ['malformed', 'Bearer'],
    ['of another kind', 'Basic b3duZXI6b3duZXI='],
    ['empty', 'Bearer '],
    ['made up', `Bearer owner:${'x'.repeat(16)}:${'y'.repeat(32)}`],
    ['the secret itself', `Bearer ${SECRET.replaceAll(' ', '')}`],
    ['long', `Bearer ${'a'.repeat(5_000)}`],
  ]
  const EVERY = ROUTES.flatMap(([method, path]) =>
    TOKENS.map(([name, token]) => ({ method, path, name, token })),
  )

  it.each(EVERY)('$method $path with a token that is $name is 401', async (request) => {
    const { method, path, token } = request
    const answer = await fetch(new URL(path, server.url), {
      method,
      headers: {
        ...(token !== undefined && { authorization: token }),
        'edgewise-principal': 'owner',
        'edgewise-session': 'made-up',
        'x-edgewise-console': '1',
      },
      ...(method !== 'GET' && { body: '{}' }),
    })
    expect(answer.status).toBe(401)
    const challenge = answer.headers.get('www-authenticate')
    expect(challenge).toContain('/.well-known/oauth-protected-resource')
    expect(await answer.text()).not.toMatch(/stack|workerd|at \w+ \(/)
  })

  it('a token of another server is 401, and one of a client opens only MCP', async () => {
    const { memory, client } = await runFlow({ allow: true })
    const token = memory.tokens()?.access_token ?? ''
    const send = (path: string, authorization: string) =>
      fetch(new URL(path, server.url), { headers: { authorization } })
    for (const path of ['/files/', '/config', '/sessions', '/audit', '/export', '/status', '/'])
      expect((await send(path, `Bearer ${token}`)).status, path).toBe(403)
    expect((await send('/files/', `Bearer ${token}x`)).status).toBe(401)
    await client?.close()
  })
})

describe('signing in', () => {
  it('redirects a browser to the form, and back to its target', async () => {
    const person = new Person()
    const first = await person.visit(new URL('/?page=sessions', server.url))
    expect(first.status).toBe(303)
    expect(first.headers.get('location')).toBe('/signin?to=%2F%3Fpage%3Dsessions')
    const form = await person.visit(new URL(first.headers.get('location') ?? '', server.url))
    expect(form.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await form.text()).toContain('value="/?page=sessions"')
    const back = await person.submit(new URL('/signin', server.url), {
      secret: SECRET,
      to: '/?page=sessions',
    })
    expect(back.headers.get('location')).toBe('/?page=sessions')
    expect((await person.visit(new URL('/', server.url))).status).toBe(200)
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])(
    'does not redirect elsewhere: %j',
    async (to) => {
      const person = new Person()
      const back = await person.submit(new URL('/signin', server.url), { secret: SECRET, to })
      expect(back.headers.get('location')).toBe('/')
    },
  )

  it('ignores a form that was sent from another origin', async () => {
    const person = new Person()
    const url = new URL('/signin', server.url)
    const sent = await person.submit(url, { secret: SECRET }, 'http://localhost:1')
    expect(sent.status).toBe(403)
    expect(person.cookie).toBe('')
  })

  it('refuses changes without the header of the console', async () => {
    const person = new Person()
    await person.signIn(server.url)
    const put = (headers: Record<string, string>) =>
      person.visit(new URL('/files/forged', server.url), { method: 'PUT', body: 'x', headers })
    expect((await put({})).status).toBe(403)
    expect((await put({ 'x-edgewise-console': '1', origin: 'http://localhost:1' })).status).toBe(
      403,
    )
    expect((await put({ 'x-edgewise-console': '1' })).status).toBe(201)
  })

  it('refuses an altered cookie, and one that was signed out', async () => {
    const person = new Person()
    await person.signIn(server.url)
    const cookie = person.cookie.replace(/=(\d)/, (_, digit) => `=${(Number(digit) + 1) % 10}`)
    const forged = await fetch(new URL('/status', server.url), { headers: { cookie } })
    expect(forged.status).toBe(401)
    await person.submit(new URL('/signout', server.url), {})
    expect(person.cookie).toMatch(/^edgewise-device=\S+$/)
    expect((await person.visit(new URL('/status', server.url))).status).toBe(303)
  })

  it('limits the rate of guesses', async () => {
    const guesser = new Person('wrong')
    const statuses: number[] = []
    let last: Response | undefined
    for (let guess = 0; guess < 60; guess++) {
      last = await guesser.signIn(server.url)
      statuses.push(last.status)
      if (last.status === 429) break
    }
    expect(statuses.at(-1)).toBe(429)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(sentence(guesser.cookie)).toBe('')
  })
})

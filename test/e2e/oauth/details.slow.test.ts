/** OAuth 2.1 to the letter, asked by raw requests: codes, tokens, documents, registrations. */

import { describe, expect, it } from 'vitest'
import { readConsent } from '../../support/core/consent-page.ts'
import { Person } from '../../support/e2e/person.ts'
import { sendHead } from '../../support/e2e/raw-http.ts'
import {
  askToken,
  authorizeUrl,
  authorizeClient,
  makePkce,
  newClient,
  newCode,
  PUBLIC,
  REDIRECT,
  register,
  renew,
  s256,
  tokensOf,
  type Fields,
} from '../../support/e2e/oauth-client.ts'
import { bearer, callTool, readRaw } from '../../support/e2e/mcp-request.ts'
import { useTokenServer } from '../../support/e2e/oauth-server.ts'

const server = useTokenServer()
const person = new Person()

const errorOf = async (answer: Response) => {
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const text = await answer.text()
  expect(text).not.toMatch(/stack|\bat \w+ \(|workerd|node_modules/)
  const { error }: { error: unknown } = JSON.parse(text)
  return [answer.status, error]
}

const works = async (token: string) =>
  (await callTool(`${server.url}/mcp`, bearer(token), 'list_roots', {})).status === 200

/** Returns the parameters of the redirect that a signed-in person gets instead of a question. */
async function sentBack(fields: Fields, metadata: object = {}): Promise<URLSearchParams> {
  if (person.cookie === '') await person.signIn(server.url)
  const url = authorizeUrl(server.url, await newClient(server.url, metadata), fields)
  const answer = await person.visit(url)
  expect(answer.status, await answer.text()).toBe(302)
  const to = new URL(answer.headers.get('location') ?? '')
  expect(to.origin + to.pathname).toBe(REDIRECT)
  expect(to.searchParams.has('code')).toBe(false)
  return to.searchParams
}

describe('the proof of a code', () => {
  const { challenge } = makePkce()

  it.each<[string, Fields]>([
    ['none', {}],
    ['plain', { code_challenge: challenge, code_challenge_method: 'plain' }],
    ['of no method, which means plain', { code_challenge: challenge }],
    ['of a method without a challenge', { code_challenge_method: 'S256' }],
    ['of another method', { code_challenge: challenge, code_challenge_method: 's256' }],
  ])('may not be %s, whatever the client is', async (_, fields) => {
    for (const token_endpoint_auth_method of ['none', 'client_secret_basic']) {
      const back = await sentBack(fields, { token_endpoint_auth_method })
      expect(back.get('error')).toBe('invalid_request')
      expect(back.get('state')).toBe('s')
      expect(back.get('iss')).toBe(server.url)
    }
  })

  it.each<[string, Fields, string]>([
    ['another', { code_verifier: makePkce().verifier }, 'invalid_grant'],
    ['the challenge itself', { code_verifier: challenge }, 'invalid_grant'],
    ['empty', { code_verifier: '' }, 'invalid_request'],
  ])('is refused when it is %s', async (_, wrong, error) => {
    const code = await newCode(server.url, person)
    expect(await errorOf(await askToken(server.url, { ...code, ...wrong }))).toEqual([400, error])
    const { code_verifier: _verifier, ...without } = code
    expect(await errorOf(await askToken(server.url, without))).toEqual([400, 'invalid_request'])
    // An attempt that failed has not used it up.
    expect((await askToken(server.url, code)).status).toBe(200)
  })
})

describe('a code', () => {
  it('is valid once; a second use revokes its tokens', async () => {
    const code = await newCode(server.url, person)
    const tokens = await tokensOf(await askToken(server.url, code))
    expect(await works(tokens.access_token)).toBe(true)
    expect(await errorOf(await askToken(server.url, code))).toEqual([400, 'invalid_grant'])
    expect(await works(tokens.access_token)).toBe(false)
    const again = await renew(server.url, code['client_id'] ?? '', tokens.refresh_token)
    expect(await errorOf(again)).toEqual([400, 'invalid_grant'])
  })

  it('is valid only for its client and its redirect URI', async () => {
    const metadata = { redirect_uris: [REDIRECT, 'https://other.example/back'] }
    const client_id = await newClient(server.url, metadata)
    const code = await newCode(server.url, person, { allow: true }, { client_id })
    const other = { client_id: await newClient(server.url, metadata) }
    const elsewhere = { redirect_uri: 'https://other.example/back' }
    for (const wrong of [other, elsewhere, { redirect_uri: 'https://evil.example/' }])
      expect(await errorOf(await askToken(server.url, { ...code, ...wrong }))).toEqual([
        400,
        'invalid_grant',
      ])
    expect((await askToken(server.url, code)).status).toBe(200)
  })

  it('comes with the state as it was, and with who gave it', async () => {
    const state = 'a b+c%20&=?#/"<é>'
    const { challenge } = makePkce()
    const fields = { ...s256(challenge), state }
    const url = authorizeUrl(server.url, await newClient(server.url), fields)
    for (const allow of [true, false]) {
      const back = (await person.consent(url, { allow })).searchParams
      expect(back.get('state')).toBe(state)
      expect(back.get('iss')).toBe(server.url)
      expect(back.has('code')).toBe(allow)
    }
  })
})

describe('the redirect URI', () => {
  const REGISTERED = 'https://client.example/back?x=1'

  it.each([
    'https://client.example/back',
    'https://client.example/back?x=1&y=2',
    'https://client.example/Back?x=1',
    'https://client.example/back/?x=1',
    'https://client.example:443/back?x=1',
    'https://client.example.evil.example/back?x=1',
    'https://client.example/back?x=1#y',
    'http://client.example/back?x=1',
    'https://client.example/x/../back?x=1',
  ])('has to equal the registered one: %s', async (redirect_uri) => {
    const id = await newClient(server.url, { redirect_uris: [REGISTERED] })
    await person.signIn(server.url)
    const fields = { redirect_uri, ...s256(makePkce().challenge) }
    const page = await person.visit(authorizeUrl(server.url, id, fields))
    expect(page.status).toBe(400)
    expect(page.headers.get('location')).toBeNull()
    expect(await page.text()).toContain('Invalid redirect URI')
  })

  it('may have another port on this machine, where ports are assigned dynamically', async () => {
    const redirect_uri = REDIRECT.replace(':9/', ':54321/')
    const code = await newCode(server.url, person, { allow: true }, { redirect_uri })
    expect((await askToken(server.url, code)).status).toBe(200)
  })

  it('that is a program is called one, whatever host it pretends', async () => {
    const redirect_uri = 'cursor://claude.ai/back'
    const id = await newClient(server.url, { redirect_uris: [redirect_uri] })
    await person.signIn(server.url)
    const fields = { redirect_uri, ...s256(makePkce().challenge) }
    const html = await (await person.visit(authorizeUrl(server.url, id, fields))).text()
    expect(html).toContain('the program that opens <strong>cursor:</strong>')
    expect(html).toContain('class="warn"')
    expect(html).not.toContain('claude.ai')
  })

  it.each(['jar:https://client.example/a', 'itms-services://x', 'ms-msdt:/id', 'unknown://cb'])(
    'that no client can have is not registered, alone or among others: %s',
    async (uri) => {
      for (const redirect_uris of [[uri], [REDIRECT, uri]])
        expect(await errorOf(await register(server.url, { ...PUBLIC, redirect_uris }))).toEqual([
          400,
          'invalid_redirect_uri',
        ])
    },
  )

  it.each(['ftp://client.example/cb', 'ms-msdt:/id', 'unknown://cb'])(
    'that no client can have is refused before sign-in and after it: %s',
    async (redirect_uri) => {
      const url = authorizeUrl(server.url, await newClient(server.url), {
        redirect_uri,
        ...s256(makePkce().challenge),
      })
      const stranger = new Person()
      await person.signIn(server.url)
      for (const one of [stranger, person]) {
        const page = await one.visit(url)
        expect(page.status).toBe(400)
        expect(await page.text()).toContain('its scheme belongs to no client')
      }
    },
  )
})

describe('a refresh token', () => {
  it('is exchanged for another; the one before last is invalid', async () => {
    const { client_id, refresh_token: first } = await authorizeClient(server.url, person)
    const second = (await tokensOf(await renew(server.url, client_id, first))).refresh_token
    expect(second).not.toBe(first)
    const third = (await tokensOf(await renew(server.url, client_id, second))).refresh_token
    // An answer may be lost on the way, so a repeat gets the same one.
    expect((await tokensOf(await renew(server.url, client_id, second))).refresh_token).toBe(third)
    expect((await renew(server.url, client_id, third)).status).toBe(200)
    expect(await errorOf(await renew(server.url, client_id, first))).toEqual([400, 'invalid_grant'])
  })

  it('is valid only for its client, and is no access token', async () => {
    const { client_id, refresh_token, access_token } = await authorizeClient(server.url, person)
    const other = await newClient(server.url)
    for (const answer of [
      await renew(server.url, other, refresh_token),
      await renew(server.url, client_id, access_token),
    ])
      expect(await errorOf(answer)).toEqual([400, 'invalid_grant'])
    expect(await works(refresh_token)).toBe(false)
  })

  it('narrows what it gives, and never widens it', async () => {
    const choice = { allow: true, actions: ['read'] }
    const { client_id, refresh_token } = await authorizeClient(server.url, person, choice)
    const wider = await renew(server.url, client_id, refresh_token, { scope: 'read write' })
    expect(await wider.clone().json()).toMatchObject({ scope: 'read' })
    const { access_token, refresh_token: next } = await tokensOf(wider)
    const write = { path: '/wider.txt', content: 'x' }
    const response = await callTool(`${server.url}/mcp`, bearer(access_token), 'write_file', write)
    expect(response.status).toBe(403)
    const none = await renew(server.url, client_id, next, { scope: 'write' })
    expect(await errorOf(none)).toEqual([400, 'invalid_scope'])
  })

  it('renews nothing once the person has ended the session, and the client has to ask', async () => {
    const client_name = 'Ended'
    const client_id = await newClient(server.url, { client_name })
    const { refresh_token } = await authorizeClient(
      server.url,
      person,
      { allow: true },
      { client_id },
    )
    const list = await (await person.visit(`${server.url}/sessions`)).json()
    const { sessions } = list as { sessions: { id: string; label: string }[] }
    const mine = sessions.find(({ label }) => label === client_name)?.id
    const headers = { 'x-edgewise-console': '1' }
    await person.visit(`${server.url}/sessions/${mine}`, { method: 'DELETE', headers })
    for (let round = 0; round < 2; round++)
      expect(await errorOf(await renew(server.url, client_id, refresh_token))).toEqual([
        400,
        'invalid_grant',
      ])
  })
})

describe('a request that cannot be answered', () => {
  const stranger = (url: URL) => new Person().visit(url)
  const { challenge } = makePkce()

  it.each<[string, Fields]>([
    ['a client that is not known', { client_id: 'unknown' }],
    ['no client', { client_id: '' }],
    ['another place to come back to', { redirect_uri: 'https://evil.example/back' }],
    ['no place to come back to', { redirect_uri: '' }],
    ['a place that is no place', { redirect_uri: 'javascript:alert(1)' }],
    ['a client described nowhere', { client_id: 'https://unknown.example/client.json' }],
  ])('shows no sign-in: %s', async (_, fields) => {
    const id = await newClient(server.url)
    const url = authorizeUrl(server.url, id, { ...s256(challenge), ...fields })
    const answer = await stranger(url)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(await answer.text()).not.toMatch(/<form|name="handle"|internal error/)
  })

  it.each(['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge'])(
    'shows no sign-in and names what is repeated: %s',
    async (name) => {
      const url = authorizeUrl(server.url, await newClient(server.url), s256(challenge))
      url.searchParams.append(name, url.searchParams.get(name) ?? 'x')
      url.searchParams.append(name, 'https://evil.example/back')
      const answer = await stranger(url)
      expect(answer.status).toBe(400)
      expect(answer.headers.get('location')).toBeNull()
      expect(await answer.text()).toContain(`Invalid request: ${name} is repeated`)
    },
  )

  it.each(['client_id', 'code', 'grant_type', 'redirect_uri', 'refresh_token', 'token'])(
    'gets no token and ends no grant with a repeated %s',
    async (name) => {
      const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'x' })
      body.delete(name)
      for (const value of ['x', 'y']) body.append(name, value)
      const answer = await fetch(`${server.url}/oauth/token`, { method: 'POST', body })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          error: 'invalid_request',
          error_description: `${name} is repeated. Send each parameter once`,
        },
      ])
    },
  )

  it('may name several resources, which RFC 8707 permits', async () => {
    const url = authorizeUrl(server.url, await newClient(server.url), s256(challenge))
    for (let times = 0; times < 2; times++) url.searchParams.append('resource', `${server.url}/mcp`)
    expect((await stranger(url)).status).toBe(303)
  })

  it('with another fault is answered to the client after the sign-in', async () => {
    const answer = await stranger(authorizeUrl(server.url, await newClient(server.url)))
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^\/signin\?to=/)
  })

  it('causes no more fetches than any other unauthenticated request', async () => {
    const url = authorizeUrl(server.url, 'https://unknown.example/client.json', s256(challenge))
    const headers = { 'cf-connecting-ip': 'one and the same', accept: 'text/html' }
    const statuses = new Set<number>()
    // One more is allowed in every two seconds, in which a slow machine makes few requests.
    for (let times = 0; times < 300 && !statuses.has(429); times++)
      statuses.add((await fetch(url, { headers, redirect: 'manual' })).status)
    expect([...statuses]).toEqual([400, 429])
  })
})

describe('revocation', () => {
  it.each(['access_token', 'refresh_token'] as const)('of the %s ends the grant', async (kind) => {
    const { client_id, ...tokens } = await authorizeClient(server.url, person)
    const other = await newClient(server.url)
    const revoke = (id: string, token: string) => askToken(server.url, { client_id: id, token })
    expect((await revoke(other, tokens[kind])).status).toBe(200)
    expect(await works(tokens.access_token)).toBe(true)
    expect((await revoke(client_id, tokens[kind])).status).toBe(200)
    expect(await works(tokens.access_token)).toBe(false)
    const again = await renew(server.url, client_id, tokens.refresh_token)
    expect(await errorOf(again)).toEqual([400, 'invalid_grant'])
    // The response does not reveal whether such a token existed.
    expect((await revoke(client_id, 'owner:a:b')).status).toBe(200)
  })
})

describe('the resource', () => {
  const OURS = ['', '/', '/mcp', '/mcp/', '/w/default/mcp', '/w/notes/mcp', '/w/notes/mcp/']

  it.each(OURS)('may be named %j, and the token is for this origin', async (path) => {
    const resource = server.url + path
    const code = await newCode(server.url, person, { allow: true }, { resource })
    const answer = await askToken(server.url, { ...code, resource })
    expect(await answer.clone().json()).toMatchObject({ resource: server.url })
    expect(await works((await tokensOf(answer)).access_token)).toBe(true)
  })

  it.each([
    'https://other.example/mcp',
    'http://127.0.0.1:1/mcp',
    'here/mcp/x',
    '/mcp',
    'here/files/',
    'here/w/Not_A_Name/mcp',
    'here/mcp#x',
    'here@evil.example/mcp',
    'not a url',
  ])('of another server gets no code and no token: %s', async (named) => {
    const resource = named.replace('here', server.url)
    const back = await sentBack({ ...s256(makePkce().challenge), resource })
    expect(back.get('error')).toBe('invalid_target')
    expect(back.get('iss')).toBe(server.url)
    const code = await newCode(server.url, person)
    const refused = await askToken(server.url, { ...code, resource })
    expect(await errorOf(refused)).toEqual([400, 'invalid_target'])
    const tokens = await tokensOf(await askToken(server.url, code))
    const client = code['client_id'] ?? ''
    const later = await renew(server.url, client, tokens.refresh_token, { resource })
    expect(await errorOf(later)).toEqual([400, 'invalid_target'])
  })

  it('of a workspace is the one that the person is offered', async () => {
    await person.signIn(server.url)
    const offered = async (path: string) => {
      const fields = { ...s256(makePkce().challenge), resource: server.url + path }
      const url = authorizeUrl(server.url, await newClient(server.url), fields)
      const html = await (await person.visit(url)).text()
      return readConsent(html).workspace
    }
    expect(await offered('/w/notes/mcp')).toBe('notes')
    expect(await offered('/mcp')).toBe('default')
  })
})

const readable = async (path: string) => {
  const answer = await fetch(server.url + path)
  expect(answer.headers.get('content-type')).toBe('application/json')
  return { status: answer.status, document: await answer.json() }
}

describe('the documents', () => {
  it('of the authorization server say what it does (RFC 8414)', async () => {
    const { status, document } = await readable('/.well-known/oauth-authorization-server')
    const at = (path: string) => server.url + path
    expect(status).toBe(200)
    expect(document).toEqual({
      issuer: server.url,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/oauth/token'),
      registration_endpoint: at('/oauth/register'),
      revocation_endpoint: at('/oauth/token'),
      protected_resources: [server.url],
      scopes_supported: ['read', 'write', 'read:file', 'write:file'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'none',
        'private_key_jwt',
      ],
      token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

  it.each(['', '/mcp', '/mcp/', '/w/notes/mcp', '/w/notes/mcp/'])(
    'of the resource name the exact resource at %j (RFC 9728)',
    async (path) => {
      const { status, document } = await readable(`/.well-known/oauth-protected-resource${path}`)
      expect(status).toBe(200)
      expect(document).toEqual({
        resource: server.url + path,
        authorization_servers: [server.url],
        bearer_methods_supported: ['header'],
        scopes_supported: ['read', 'write'],
        resource_name: 'Edgewise',
      })
    },
  )

  it.each(['/files/', '/w/Not_A_Name/mcp', '/mcp//', '/w/a/b/mcp', 'x'])(
    'do not exist for %s, which accepts no token',
    async (path) => {
      const answer = await fetch(`${server.url}/.well-known/oauth-protected-resource${path}`)
      expect([401, 404]).toContain(answer.status)
    },
  )

  it.each(['/mcp', '/mcp/', '/w/notes/mcp', '/w/notes/mcp/'])(
    'are where %s says that they are',
    async (path) => {
      const { status, challenge } = await readRaw(
        await fetch(server.url + path, { method: 'POST' }),
      )
      const metadata = `${server.url}/.well-known/oauth-protected-resource${path}`
      expect(status).toBe(401)
      expect(challenge).toBe(`Bearer resource_metadata="${metadata}", scope="read write"`)
      expect(await (await fetch(metadata)).json()).toMatchObject({ resource: server.url + path })
    },
  )

  it('of an issuer with a path do not exist', async () => {
    for (const path of ['/.well-known/oauth-authorization-server/mcp', '/oauth/', '/oauth/x'])
      expect((await fetch(server.url + path)).status, path).toBe(404)
  })
})

describe('a registration', () => {
  const refused = async (metadata: unknown) => {
    const answer = await register(server.url, metadata)
    return errorOf(answer)
  }

  it.each([
    'http://client.example/back',
    'http://192.168.0.1/back',
    'http://localhost.evil.example/back',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.example/x',
    'https://user:secret@a.example/',
    'https://a.example/#part',
    'https://a.example/#',
    'java\nscript:alert(1)',
    '/back',
    '',
  ])('never redirects to %j', async (redirect) => {
    const metadata = { ...PUBLIC, redirect_uris: [redirect] }
    const code = expect.stringMatching(/^invalid_(?:client_metadata|redirect_uri)$/)
    expect(await refused(metadata)).toEqual([400, code])
  })

  it.each<[string, object]>([
    ['no place to come back to', { redirect_uris: undefined }],
    ['an empty list of them', { redirect_uris: [] }],
    ['a place that is no text', { redirect_uris: [{}] }],
    ['a name that is no text', { client_name: ['x'] }],
    ['a page of its own that is code', { client_uri: 'javascript:alert(1)' }],
    ['a grant that is not given here', { grant_types: ['password'] }],
    ['an answer that is not given here', { response_types: ['token'] }],
    ['another way to sign in', { token_endpoint_auth_method: 'tls_client_auth' }],
  ])('with %s is none', async (_, metadata) => {
    expect(await refused({ ...PUBLIC, ...metadata })).toEqual([400, 'invalid_client_metadata'])
  })

  it.each(['', 'null', '[]', '"x"', '{', '{}', `{"redirect_uris":${'['.repeat(5_000)}`])(
    'is an object: %#',
    async (text) => {
      const [status] = await refused(text)
      expect(status).toBe(400)
    },
  )

  it('has its bounds, also when it does not say how large it is', async () => {
    const large = JSON.stringify({ ...PUBLIC, contacts: ['x'.repeat(20_000)] })
    expect(await refused(large)).toEqual([413, 'invalid_request'])
    const body = new Blob([large]).stream()
    const init = { method: 'POST', body, duplex: 'half' as const }
    const unsaid = await fetch(`${server.url}/oauth/register`, init)
    expect(await errorOf(unsaid)).toEqual([413, 'invalid_request'])
    expect(await errorOf(await askToken(server.url, { token: 'x'.repeat(20_000) }))).toEqual([
      413,
      'invalid_request',
    ])
  })

  it('is shown as text, however it is called', async () => {
    const client_name = '<img src=x onerror=alert(1)>"\'&'
    const id = await newClient(server.url, { client_name })
    await person.signIn(server.url)
    const url = authorizeUrl(server.url, id, s256(makePkce().challenge))
    const html = await (await person.visit(url)).text()
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;[U+0022]&#39;&amp;')
    expect(html).not.toContain('<img')
  })

  it('by the thousand comes to an end, which does not concern who is registered', async () => {
    const { client_id, refresh_token } = await authorizeClient(server.url, person)
    let last: Response | undefined
    for (let round = 0; round < 1_000 && last?.status !== 429; round++) {
      await last?.body?.cancel()
      last = await register(server.url, PUBLIC, { 'cf-connecting-ip': 'one' })
    }
    expect(last?.status).toBe(429)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await renew(server.url, client_id, refresh_token)).status).toBe(200)
  })
})

describe('the token endpoint', () => {
  it.each<[string, RequestInit, number]>([
    ['GET', { method: 'GET' }, 405],
    ['JSON', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 400],
    ['nothing', { method: 'POST' }, 400],
  ])('is not asked with %s', async (_, init, status) => {
    const answer = await fetch(`${server.url}/oauth/token`, init)
    expect(await errorOf(answer)).toEqual([status, 'invalid_request'])
  })

  it('knows the grants that it gives, each parameter once, and one way to sign in', async () => {
    const { client_id, refresh_token } = await authorizeClient(server.url, person)
    const password = await askToken(server.url, { client_id, grant_type: 'password' })
    expect(await errorOf(password)).toEqual([400, 'unsupported_grant_type'])
    const twice = new URLSearchParams({ client_id, grant_type: 'refresh_token', refresh_token })
    twice.append('refresh_token', refresh_token)
    const init = { method: 'POST', body: twice }
    const repeated = await fetch(`${server.url}/oauth/token`, init)
    expect(await errorOf(repeated)).toEqual([400, 'invalid_request'])
    const basic = { authorization: `Basic ${btoa(`${client_id}:x`)}` }
    const both = await askToken(server.url, { client_id, token: 'x' }, basic)
    expect(await errorOf(both)).toEqual([400, 'invalid_request'])
    const secret = await askToken(server.url, { client_id, client_secret: 'x', token: 'x' })
    expect(await errorOf(secret)).toEqual([401, 'invalid_client'])
  })

  it('forbids caching', async () => {
    const answer = await askToken(server.url, await newCode(server.url, person))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toMatchObject({ token_type: 'bearer', expires_in: 3_600 })
  })
})

describe('a browser of another site', () => {
  const origin = 'https://app.example'

  it.each<[string, RequestInit]>([
    ['/.well-known/oauth-protected-resource/mcp', {}],
    ['/.well-known/oauth-authorization-server', {}],
    ['/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id: 'x' }) }],
    ['/oauth/register', { method: 'POST', body: '{}' }],
  ])('may read %s, without a cookie', async (path, init) => {
    const answer = await fetch(server.url + path, { ...init, headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('vary')).toContain('Origin')
    await answer.body?.cancel()
    const asking = { origin, 'access-control-request-headers': 'content-type' }
    const before = await fetch(server.url + path, { method: 'OPTIONS', headers: asking })
    expect(before.status).toBe(204)
    expect(before.headers.get('access-control-allow-headers')).toBe('content-type')
  })

  it('is not let near the page on which the person is asked', async () => {
    await person.signIn(server.url)
    const url = authorizeUrl(server.url, 'x')
    expect((await person.visit(url, { headers: { origin } })).status).toBe(403)
    const page = await person.visit(url)
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    await page.body?.cancel()
  })
})

it.each([
  ['GET', '/signin'],
  ['POST', '/oauth/token'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/mcp'],
  ['GET', '/'],
])('refuses credentials over plain HTTP: %s %s', async (method, path) => {
  const { status, body } = await sendHead(server.url + path, method, { host: 'files.example' })
  expect(status).toBe(403)
  expect(JSON.parse(body)).toMatchObject({ code: 'INSECURE' })
})

it('writes no secret, no code and no token to its log', async () => {
  const { access_token, refresh_token } = await authorizeClient(server.url, person)
  await works(access_token)
  for (const secret of [access_token, refresh_token]) expect(server.logged()).not.toContain(secret)
  expect(server.logged()).not.toContain('horse')
})

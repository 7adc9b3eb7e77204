/** The server card and the catalog: public, the same for every workspace, and what the server says once it is connected. */

import front from '#worker/index.ts'
import { recordOf } from '#core/json.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ENVELOPE, freshWorkspace, modernRequest } from '../../support/worker/client.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { approveSkill, skillText, writeSkill } from '../../support/worker/skills.ts'
import { serverCard } from '../../support/house/server-json.ts'

const OWNED = { ...env, EDGEWISE_OWNER_SECRET: 'a secret of the owner' }

const ask = (url: string, init: RequestInit = {}, variables: typeof env = env) =>
  front.fetch(
    new Request(new URL(url, 'http://localhost'), init),
    variables,
    createExecutionContext(),
  )

const CARD = '/mcp/server-card'
const CATALOG = '/.well-known/mcp/catalog.json'
const AI_CATALOG = '/.well-known/ai-catalog.json'
const TYPES: Record<string, string> = {
  [CATALOG]: 'application/json',
  [AI_CATALOG]: 'application/ai-catalog+json',
}

const cardAt = async (url: string, variables = env) =>
  serverCard.parse(await (await ask(url, {}, variables)).json())

describe.each([CARD, CATALOG, AI_CATALOG, '/w/notes/mcp/server-card'])('%s', (path) => {
  it('is public, also with an owner, and may be cached', async () => {
    for (const variables of [env, OWNED]) {
      const { status, headers, body } = await ask(path, {}, variables)
      expect(status).toBe(200)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('cache-control')).toBe('public, max-age=3600')
      const type = TYPES[path] ?? 'application/mcp-server-card+json'
      expect(headers.get('content-type')).toBe(type)
      await body?.cancel()
      const again = { 'if-none-match': headers.get('etag') ?? '' }
      expect((await ask(path, { headers: again }, variables)).status).toBe(304)
      expect((await ask(`${path}?q=1`, {}, variables)).headers.get('etag')).toBe(
        again['if-none-match'],
      )
    }
  })

  it('is not served away from this machine while there is no owner', async () => {
    const local = { 'x-forwarded-for': '192.0.2.1' }
    const deployed = { 'cf-ray': 'x', 'cf-connecting-ip': '192.0.2.1' }
    for (const [url, headers] of [
      [path, local],
      [`https://files.example.com${path}`, deployed],
    ] as const) {
      const answer = await ask(url, { headers })
      expect(answer.status).toBe(503)
      await answer.body?.cancel()
    }
  })

  it('is readable for a page of another site, with its preflight request', async () => {
    const origin = 'https://host.example'
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const { ok, headers, body } = await ask(path, { method, headers: { origin } }, OWNED)
      expect(ok).toBe(true)
      expect(['*', origin]).toContain(headers.get('access-control-allow-origin'))
      await body?.cancel()
    }
  })

  it('is only read', async () => {
    const answer = await ask(path, { method: 'POST', body: '{}' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    await answer.body?.cancel()
  })

  it('is not served under a host name that is not allowed', async () => {
    const answer = await ask(`http://rebound.example${path}`)
    expect(answer.status).toBe(403)
    await answer.body?.cancel()
  })
})

describe('the card', () => {
  it('has the form of its schema', async () => {
    expect(await cardAt(CARD)).toMatchObject({
      name: 'localhost/edgewise',
      websiteUrl: 'http://localhost/',
      remotes: [{ type: 'streamable-http', url: 'http://localhost/mcp' }],
    })
    expect(await cardAt('https://files.example.com/w/notes/mcp/server-card', OWNED)).toMatchObject({
      name: 'com.example.files.notes/edgewise',
      remotes: [{ url: 'https://files.example.com/w/notes/mcp' }],
    })
    const long = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example/mcp/server-card`
    expect((await cardAt(long, OWNED)).name).toHaveLength(189)
    expect((await cardAt(`http://[::1]${CARD}`)).name).toBe('---1-/edgewise')
  })

  it('is the same whether its workspace exists', async () => {
    const { base, call } = freshWorkspace()
    const before = await cardAt(`${base}/mcp/server-card`)
    await call('write_file', { path: 'a', content: 'a' })
    expect(await cardAt(`${base}/mcp/server-card`)).toEqual(before)
  })

  it('says nothing of skills, which server/discover names', async () => {
    const workspace = freshWorkspace()
    const before = await cardAt(`${workspace.base}/mcp/server-card`)
    await writeSkill(workspace, 'deploy', { 'SKILL.md': skillText('deploy') })
    await approveSkill(workspace, 'deploy')
    expect(JSON.stringify(await workspace.send('server/discover'))).toContain('deploy')
    expect(await cardAt(`${workspace.base}/mcp/server-card`)).toEqual(before)
  })

  it('has icons that are served', async () => {
    for (const { src, mimeType = '' } of (await cardAt(CARD)).icons ?? []) {
      const { status, headers, body } = await ask(src, {}, OWNED)
      expect([status, headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining(mimeType),
      ])
      await body?.cancel()
    }
  })

  it.each(['/w/Not-A-Name/mcp/server-card', '/w/a/b/mcp/server-card', '/mcp/server-card/'])(
    'is not at %s',
    async (path) => {
      const { status, body } = await ask(path)
      expect(status).toBe(404)
      await body?.cancel()
    },
  )

  it('is not served for a session link, whose address is a secret', async () => {
    const { result } = await freshWorkspace().call('delegate', { label: 'helper' })
    const { status, body } = await ask(`${String(result?.structuredContent['url'])}/server-card`)
    expect(status).toBe(401)
    await body?.cancel()
  })
})

describe('the catalog', () => {
  it.each([
    [CATALOG, 'draft'],
    [AI_CATALOG, '1.0'],
  ])('lists the card of the default workspace alone: %s', async (path, specVersion) => {
    const catalog = await (await ask(`https://files.example.com${path}`, {}, OWNED)).json()
    expect(catalog).toEqual({
      specVersion,
      entries: [
        {
          identifier: 'urn:air:files.example.com:mcp:edgewise',
          displayName: 'Edgewise',
          type: 'application/mcp-server-card+json',
          url: 'https://files.example.com/mcp/server-card',
        },
      ],
    })
  })
})

describe('the identity', () => {
  const discover = async (meta = {}) => {
    const init = modernRequest('server/discover', { _meta: { ...ENVELOPE, ...meta } })
    const { result } = recordOf(await (await ask('/mcp', init)).json())
    return recordOf(result)
  }
  const infoIn = (result: Record<string, unknown>) =>
    recordOf(recordOf(result['_meta'])['io.modelcontextprotocol/serverInfo'])

  it('is the same in the card, in server/discover and in initialize', async () => {
    const { $schema: _, remotes, name, ...about } = await cardAt(CARD)
    const discovered = await discover()
    const info = { name: 'edgewise', ...about }
    expect(infoIn(discovered)).toEqual(info)
    // The SDK answers one with a progress token.
    expect(await discover({ progressToken: 'p' })).toEqual(discovered)
    const { result } = await legacyClient({ fetch: (path, init) => ask(path, init) }).begin()
    expect(recordOf(result)['serverInfo']).toEqual(info)
    expect(name.endsWith(`/${info.name}`)).toBe(true)
    const [{ supportedProtocolVersions } = { supportedProtocolVersions: [] }] = remotes
    for (const version of z.array(z.string()).parse(discovered['supportedVersions']))
      expect(supportedProtocolVersions).toContain(version)
    expect(supportedProtocolVersions).toContain(recordOf(result)['protocolVersion'])
  })

  it('is short in every other result', async () => {
    const init = modernRequest('tools/list', { _meta: ENVELOPE })
    const { result } = recordOf(await (await ask('/mcp', init)).json())
    expect(infoIn(recordOf(result))).toEqual({
      name: 'edgewise',
      title: 'Edgewise',
      version: expect.any(String),
    })
  })
})

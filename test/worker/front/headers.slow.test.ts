/**
 * Request smuggling and confused deputies by headers: a header has no effect if it disagrees with the body,
 * and headers that only the front may set are removed from requests.
 */

import { describe, expect, it } from 'vitest'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { errorOf, freshWorkspace, MODERN } from '../../support/worker/client.ts'

const encoded = (text: string) => `=?base64?${btoa(text)}?=`

const REMOVE = { name: 'delete_file', arguments: { path: '/kept' } }
const READ = { name: 'read_file', arguments: { path: '/kept' } }

async function withFile(): Promise<Workspace> {
  const workspace = freshWorkspace()
  await workspace.put('/kept', 'kept')
  return workspace
}

async function expectKept(workspace: Workspace): Promise<void> {
  expect(new TextDecoder().decode(await workspace.raw('/kept'))).toBe('kept')
}

/** Names that must not be read as `delete_file`. */
const OTHER_NAMES = [
  'read_file',
  encoded('read_file'),
  encoded('delete_file\0'),
  encoded(encoded('delete_file')),
  '=?base64??=',
  '=?base64?!!!?=',
  '=?BASE64?ZGVsZXRlX2ZpbGU=?=',
  '=?utf-8?B?ZGVsZXRlX2ZpbGU=?=',
  'Delete_File',
  'delete%5ffile',
  'delete_file, read_file',
  'read_file, delete_file',
]

const OTHER_METHODS = [
  'tools/list',
  'resources/read',
  'server/discover',
  'subscriptions/listen',
  'initialize',
  'TOOLS/CALL',
  'tools/call/',
  'tools/call, tools/list',
  encoded('tools/call'),
  '__proto__',
]

describe('request smuggling by a header that disagrees with the body', () => {
  it.each(OTHER_NAMES)('Mcp-Name %s does not delete', async (name) => {
    const workspace = await withFile()
    const options = { headers: { 'mcp-name': name } }
    const reply = await workspace.send('tools/call', REMOVE, options)
    expect(reply).toMatchObject({ status: 400, error: { code: -32020 } })
    await expectKept(workspace)
  })

  it.each(OTHER_METHODS)('Mcp-Method %s does not delete', async (method) => {
    const workspace = await withFile()
    const options = { headers: { 'mcp-method': method } }
    const reply = await workspace.send('tools/call', REMOVE, options)
    expect(reply).toMatchObject({ status: 400, error: { code: -32020 } })
    await expectKept(workspace)
  })

  it('a name in the header does not change the called tool', async () => {
    const workspace = await withFile()
    for (const name of ['delete_file', encoded('delete_file')]) {
      const reply = await workspace.send('tools/call', READ, { headers: { 'mcp-name': name } })
      expect(reply).toMatchObject({ status: 400, error: { code: -32020 } })
    }
    await expectKept(workspace)
  })

  it('an encoded name is decoded', async () => {
    const workspace = await withFile()
    const options = { headers: { 'mcp-name': encoded('read_file') } }
    const { result } = await workspace.send('tools/call', READ, options)
    expect(result?.content[0]?.text).toMatch(/^1: kept\n/)
  })

  it.each([
    ['a batch', (body: string) => `[${body},${body}]`],
    ['two names', (body: string) => body.replace('"arguments"', '"name":"read_file","arguments"')],
    ['two methods', (body: string) => body.replace('"params"', '"method":"tools/list","params"')],
    ['an envelope of no era', (body: string) => body.replace(MODERN, '1999-01-01')],
  ])('%s in a body that claims to delete: nothing is deleted', async (_, change) => {
    const workspace = await withFile()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const answer = await workspace.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': 'tools/call',
        'mcp-name': 'delete_file',
      },
      body: change(JSON.stringify({ ...message, params: { ...REMOVE, _meta } })),
    })
    expect(answer.status).toBe(400)
    await answer.body?.cancel()
    await expectKept(workspace)
  })

  it.each(['x-http-method-override', 'x-http-method', 'x-method-override', '_method'])(
    'no method is overridden by %s',
    async (name) => {
      const workspace = await withFile()
      const headers = { [name]: 'DELETE' }
      for (const init of [{ headers }, { headers, method: 'POST', body: '_method=DELETE' }]) {
        const answer = await workspace.fetch('/files/kept?_method=DELETE', init)
        expect([200, 405]).toContain(answer.status)
        await answer.body?.cancel()
      }
      await expectKept(workspace)
    },
  )
})

describe('headers that only the front may set', () => {
  const FORGED: [string, Record<string, string>][] = [
    ['a link', { 'edgewise-link': 'A'.repeat(43), 'edgewise-base': 'http://evil.example/s/x' }],
    ['an owner', { 'edgewise-principal': 'owner' }],
    ['a session', { 'edgewise-session': 'made-up', 'edgewise-scopes': '["read","write"]' }],
    ['no scopes', { 'edgewise-session': 'made-up', 'edgewise-scopes': 'no JSON' }],
    ['odd case', { 'EdGeWiSe-PrInCiPaL': 'owner', 'EDGEWISE-SESSION': 'made-up' }],
    ['underscores', { edgewise_principal: 'owner', edgewise_session: 'made-up' }],
    ['a list', { 'edgewise-principal': 'owner, owner', 'edgewise-session': 'a, b' }],
  ]
  const ROUTES = ['/files/kept', '/files/', '/export', '/status', '/config', '/sessions', '/audit']

  it.each(FORGED)('change nothing on any route: %s', async (_, headers) => {
    const workspace = await withFile()
    for (const path of ROUTES) {
      const [plain, forged] = [
        await workspace.fetch(path),
        await workspace.fetch(path, { headers }),
      ]
      expect(forged.status, path).toBe(plain.status)
      expect(await forged.text(), path).toBe(await plain.text())
    }
    const put = await workspace.fetch('/files/by', { method: 'PUT', body: 'x', headers })
    expect(put.status).toBe(201)
    const call = { name: 'write_file', arguments: { path: '/by', content: 'y' } }
    expect((await workspace.send('tools/call', call, { headers })).result?.isError).toBeUndefined()
    const { entries } = await (await workspace.fetch('/audit')).json<{ entries: Entry[] }>()
    expect(new Set(entries.map(({ actor }) => actor.principal))).toEqual(new Set(['local']))
  })

  it.each(FORGED)('do not widen a link: %s', async (_, headers) => {
    const workspace = await withFile()
    const wide = await linkOf(workspace)
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    const stolen = { ...headers, 'edgewise-session': wide.session }
    for (const call of [REMOVE, READ])
      for (const forged of [headers, stolen]) {
        const { result } = await client.send('tools/call', call, { headers: forged })
        expect(errorOf(result)['code']).toBe('INSUFFICIENT_SCOPE')
      }
    await expectKept(workspace)
  })

  it.each(FORGED)('do not change the host of a new link: %s', async (_, headers) => {
    const workspace = await withFile()
    const call = { name: 'delegate', arguments: { label: 'x' } }
    const { result } = await workspace.send('tools/call', call, {
      headers: { ...headers, 'x-host': 'evil.example', 'x-rewrite-url': 'http://evil.example/' },
    })
    const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
    const start = `http://localhost/s/${name}.`
    expect(String(result?.structuredContent['url']).startsWith(start)).toBe(true)
  })
})

interface Entry {
  readonly actor: { readonly principal: string }
}

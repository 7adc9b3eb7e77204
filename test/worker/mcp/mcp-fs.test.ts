/**
 * A client as the mcp4h proposals describe one of their file server: what it sends from the handshake to the repeated
 * call with a grant, in an MCP session. `docs/proposals.md` says where this server answers otherwise, and why.
 */

import { isRecord, recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'

const FILES = {
  '/docs/a.md': 'one\ntwo\nthree\n',
  '/docs/b.ts': 'const Two = 2\n',
  '/docs/.hidden': 'x\n',
  '/notes/n.txt': 'two\n',
}

/** Connects a client with a configuration to a workspace with these files. */
async function connect(configuration?: object) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(FILES)) await workspace.put(path, text)
  const { begin, request } = legacyClient(workspace, {
    experimental: configuration ? { configuration } : {},
  })
  const hello = await begin()
  async function call(name: string, args: object = {}, meta: object = {}) {
    const answer = await request('tools/call', { name, arguments: args, _meta: meta })
    const result = recordOf(answer['result'])
    const [block] = Array.isArray(result['content']) ? result['content'] : []
    return {
      error: recordOf(answer['error']),
      result,
      meta: recordOf(result['_meta']),
      structured: recordOf(result['structuredContent']),
      text: String(recordOf(block)['text']),
      code: recordOf(recordOf(result['_meta'])['dev.edgewise/error'])['code'],
    }
  }
  return { hello, request, put: workspace.put, raw: workspace.raw, call }
}

describe('the handshake', () => {
  it('publishes the schema of the configuration in both places, and that policies are supported', async () => {
    const { hello } = await connect()
    const result = recordOf(hello['result'])
    const capabilities = recordOf(result['capabilities'])
    expect(result['configSchema']).toEqual(capabilities['configSchema'])
    expect(capabilities['experimental']).toMatchObject({ policy: {} })
    const properties = recordOf(recordOf(result['configSchema'])['properties'])
    for (const name of [
      ...['roots', 'allow_escape', 'find_limit', 'search_max_bytes', 'search_summary_top'],
      ...['read_max_bytes', 'read_max_line_bytes', 'preview_cache_size'],
    ])
      expect(properties[name]).toMatchObject({
        scope: expect.stringMatching(/^(configuration|policy|any)$/),
        audience: expect.stringMatching(/^(human|llm|any)$/),
      })
  })

  it('takes the configuration of the client', async () => {
    const { call } = await connect({
      roots: [{ path: '/docs', immutable: ['b.ts'] }],
      find_limit: 1,
      read_max_line_bytes: 2,
    })
    expect((await call('list_roots')).structured['roots']).toEqual([
      { path: '/docs', default: true },
    ])
    expect((await call('find_files')).structured).toMatchObject({ count: 1, truncated: true })
    expect((await call('read_file', { path: 'a.md' })).structured).toMatchObject({
      truncated_reason: ['long_lines'],
    })
    expect((await call('delete_file', { path: 'b.ts' })).code).toBe('PATH_IMMUTABLE')
  })

  it.each([
    [{ unknown: 1 }, 'unknown'],
    [{ roots: {} }, 'roots'],
    [{ roots: [] }, 'roots'],
    [{ roots: ['/docs'] }, 'root entries'],
    [{ roots: [{}] }, 'path'],
    [{ roots: [{ path: 7 }] }, 'path'],
    [{ roots: [{ path: '/docs', default: 1 }] }, 'default'],
    [{ roots: [{ path: '/docs', deny: 'x' }] }, 'deny'],
    [{ roots: [{ path: '/docs', other: 1 }] }, 'other'],
    [{ find_limit: -1 }, 'find_limit'],
    [{ allow_escape: 'yes' }, 'allow_escape'],
  ])('refuses the configuration %j by the name of its field', async (configuration, field) => {
    const workspace = freshWorkspace()
    const { post } = legacyClient(workspace)
    const response = await post({
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { experimental: { configuration } },
        clientInfo: { name: 'test', version: '1' },
      },
    })
    const { error } = recordOf(await response.json())
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(field) })
  })
})

describe('the tools', () => {
  it('say their scopes, their group, their priority and that they have previews', async () => {
    const { request } = await connect()
    const { tools } = recordOf((await request('tools/list'))['result'])
    const annotations = Object.fromEntries(
      (Array.isArray(tools) ? tools : []).map((tool) => [tool.name, tool.annotations]),
    )
    const reads = { scopes: ['read:file'], group: 'filesystem' }
    const writes = { scopes: ['write:file'], group: 'filesystem', preview: true }
    expect(annotations).toMatchObject({
      list_roots: reads,
      find_files: reads,
      search_files: reads,
      read_file: reads,
      read_multiple_files: reads,
      move_file: { group: 'filesystem', preview: true },
      delete_file: writes,
      write_file: { ...writes, priority: 0 },
      edit_file: { group: 'filesystem', preview: true, priority: 1 },
    })
    for (const facts of Object.values(annotations))
      expect(recordOf(facts)['intentTemplate']).toEqual(expect.any(String))
  })

  it.each([
    ['list_roots', {}, { roots: [{ path: '/', default: true }] }],
    [
      'find_files',
      { pattern: '^A', root: 'docs', case_sensitive: false, limit: 5, offset: 0 },
      { matches: ['a.md'], pattern: '^A', root: 'docs', count: 1, limit: 5, truncated: false },
    ],
    ['find_files', { pattern: '*.TS', glob: true }, { count: 0 }],
    ['find_files', { pattern: '*.ts', glob: true }, { matches: ['docs/b.ts'] }],
    ['find_files', { type: 'dir', max_depth: 1 }, { matches: ['docs/', 'notes/'] }],
    ['find_files', { exclude: ['*.md'], root: 'docs' }, { matches: ['b.ts'] }],
    [
      'search_files',
      { pattern: 'two', root: 'docs', glob: ['*.md'], context: 1 },
      {
        files: [{ path: 'a.md', matches: ['1- one\n2: two\n3- three'] }],
        total_files: 1,
        total_matches: 1,
        mode: 'full',
        truncated: false,
      },
    ],
    ['search_files', { pattern: 'two' }, { total_files: 3 }],
    ['search_files', { pattern: 'Two' }, { total_files: 1 }],
    [
      'read_file',
      { path: 'docs/a.md', start_line: 2, limit: 1 },
      { content: '2: two', count: 1, total: 3, start_line: 2, path: 'docs/a.md' },
    ],
    ['read_file', { path: 'docs/a.md', start_line: 9 }, { count: 0, code: 'EMPTY_RANGE' }],
    [
      'read_multiple_files',
      { paths: ['docs/a.md', 'gone'] },
      {
        files: [
          { path: 'docs/a.md', count: 3 },
          { path: 'gone', code: 'FILE_NOT_FOUND' },
        ],
      },
    ],
    ['write_file', { path: 'new/c.txt', content: 'c' }, { path: 'new/c.txt' }],
    [
      'edit_file',
      {
        path: 'docs/a.md',
        edits: [
          { find: 'one', replace: 'two2' },
          { find: 'two2', replace: '1' },
        ],
      },
      { path: 'docs/a.md', match_count: 2 },
    ],
    ['move_file', { from: 'docs', to: 'deep/er/docs' }, { from: 'docs', to: 'deep/er/docs' }],
    ['delete_file', { path: 'docs' }, { path: 'docs' }],
  ])('%s %j answers as data', async (name, args, expected) => {
    const { call } = await connect()
    const { result, structured } = await call(name, args)
    expect(result['isError']).toBeUndefined()
    expect(structured).toMatchObject(expected)
  })

  it.each([
    ['append', 'a', 'a\nb'],
    ['append', 'a\n', 'a\nb'],
    ['prepend', 'a', 'b\na'],
  ])('write_file puts one line break between: %s to %j', async (mode, before, after) => {
    const { call, put, raw } = await connect()
    await put('/x', before)
    await call('write_file', { path: 'x', content: 'b', mode })
    expect(new TextDecoder().decode(await raw('/x'))).toBe(after)
  })

  it.each([
    ['read_file', {}, 'MISSING_PATH'],
    ['read_file', { path: 7 }, 'INVALID_PATH'],
    ['read_file', { path: 'gone' }, 'FILE_NOT_FOUND'],
    ['edit_file', { path: 'docs/a.md', edits: [] }, 'EMPTY_EDITS'],
    ['edit_file', { path: 'docs/a.md', edits: [{ find: '', replace: 'x' }] }, 'FIND_EMPTY'],
    ['edit_file', { path: 'docs/a.md', edits: [{ find: 'zzz', replace: 'x' }] }, 'FIND_NOT_FOUND'],
    ['edit_file', { path: 'docs/a.md', edits: [{ find: 'e', replace: 'x' }] }, 'FIND_NOT_UNIQUE'],
    ['move_file', { from: 'docs/a.md', to: 'docs/b.ts' }, 'TARGET_EXISTS'],
    ['move_file', { from: '/', to: 'x' }, 'MOVE_ROOT_DENIED'],
    ['delete_file', { path: '/' }, 'DELETE_ROOT_DENIED'],
  ])('%s %j has the code %s', async (name, args, code) => {
    const { call } = await connect()
    const answer = await call(name, args)
    expect(answer.result['isError']).toBe(true)
    expect(answer.code).toBe(code)
    expect(answer.result).not.toHaveProperty('structuredContent')
  })
})

describe('a preview', () => {
  const EDIT = { path: 'docs/a.md', edits: [{ find: 'two', replace: '2' }] }

  it.each([true, 'true'])('with the flag %j changes nothing and answers alike', async (preview) => {
    const { call, raw } = await connect()
    const before = await raw('/docs/a.md')
    const shown = await call('edit_file', EDIT, { preview })
    expect(shown.meta['preview']).toBe(true)
    expect(await raw('/docs/a.md')).toEqual(before)
    const applied = await call('edit_file', EDIT)
    expect(applied.structured).toEqual(shown.structured)
    expect(applied.text).toBe(shown.text)
    expect(applied.meta).not.toHaveProperty('preview')
  })

  it.each([null, 'yes', 'TRUE', 1, {}])('is refused with the flag %j', async (preview) => {
    const { call } = await connect()
    expect((await call('edit_file', EDIT, { preview })).error).toMatchObject({ code: -32602 })
  })

  it.each([
    ['edit_file', EDIT],
    ['write_file', { path: 'docs/a.md', content: 'x' }],
  ])('of %s links a page and a patch for people, which can be read', async (name, args) => {
    const { call, request } = await connect()
    const { result } = await call(name, args, { preview: true })
    const blocks = Array.isArray(result['content']) ? result['content'].filter(isRecord) : []
    const links = blocks.filter(({ type }) => type === 'resource_link')
    expect(links).toMatchObject([
      { mimeType: 'text/html;profile=mcp-app', annotations: { audience: ['user'] } },
      { mimeType: 'text/x-diff', annotations: { audience: ['user'] } },
    ])
    const texts = await Promise.all(
      links.map(async ({ uri }) => {
        const { contents } = recordOf((await request('resources/read', { uri }))['result'])
        return String(recordOf(Array.isArray(contents) ? contents[0] : null)['text'])
      }),
    )
    expect(texts[0]).toMatch(/Unified[^]*Side by side/)
    expect(texts[1]).toContain('--- a/docs/a.md\n+++ b/docs/a.md\n')
  })
})

describe('a policy', () => {
  it.each([
    [{ roots: [{ path: '/docs', deny: ['a.md'] }] }, 'PATH_BLOCKED'],
    [{ roots: [{ path: '/notes' }] }, 'PATH_BLOCKED'],
    [{ roots: [{ path: '/docs', immutable: ['**'] }] }, 'PATH_IMMUTABLE'],
  ])('%j restricts one call: %s', async (policy, code) => {
    const { call } = await connect()
    const args = { path: 'docs/a.md', content: 'x' }
    expect((await call('write_file', args, { policy })).code).toBe(code)
    expect((await call('write_file', args)).result['isError']).toBeUndefined()
  })

  it.each([
    ['x', 'policy must be an object'],
    [null, 'policy must be an object'],
    [{ allow_escape: true }, 'unknown policy key: allow_escape'],
    [{ roots: {} }, 'roots must be an array'],
    [{ roots: [1] }, 'root entries must be objects'],
    [{ roots: [{}] }, 'root.path is required'],
    [{ roots: [{ path: '/docs', default: false }] }, 'policy roots must not include default'],
    [{ roots: [{ path: '/', blocked: true }] }, 'policy cannot block the default root'],
    [{ find_limit: 9999 }, 'find_limit'],
  ])('%j is an error before anything runs', async (policy, message) => {
    const { call, raw } = await connect()
    const { error } = await call('write_file', { path: 'docs/a.md', content: 'x' }, { policy })
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(message) })
    expect(new TextDecoder().decode(await raw('/docs/a.md'))).toBe(FILES['/docs/a.md'])
  })

  it('cannot name another root', async () => {
    const { call } = await connect({ roots: [{ path: '/docs' }] })
    const policy = { roots: [{ path: '/sneaky/path' }] }
    const { error } = await call('list_roots', {}, { policy })
    expect(error).toMatchObject({ code: -32602, message: 'policy root not found: /sneaky/path' })
  })
})

describe('a path outside the roots', () => {
  const OUTSIDE = { from: '/docs/a.md', to: '/notes/a.md' }

  it('names all missing scopes at once, and the same call with the grant succeeds', async () => {
    const { call } = await connect({ roots: [{ path: '/elsewhere' }] })
    const refused = await call('move_file', OUTSIDE)
    expect(refused.code).toBe('PATH_OUTSIDE_ROOT')
    const { requested_scopes: requested } = refused.meta
    expect(requested).toEqual(expect.arrayContaining(['write:file:/docs', 'write:file:/notes']))
    expect(
      (await call('move_file', OUTSIDE, { granted_scopes: requested })).result,
    ).not.toHaveProperty('isError')
  })

  it.each(['granted_scopes', 'allowed_scopes'])('is opened by %s, for one call', async (name) => {
    const { call } = await connect({ roots: [{ path: '/docs' }] })
    const args = { path: '/notes/n.txt' }
    const grant = { [name]: 'read:file:/notes' }
    expect((await call('read_file', args, grant)).structured).toMatchObject({ count: 1 })
    expect((await call('read_file', args)).code).toBe('PATH_OUTSIDE_ROOT')
  })

  it('is not asked for under a policy, and a denied scope is not granted', async () => {
    const { call } = await connect({ roots: [{ path: '/docs' }] })
    const args = { path: '/notes/n.txt' }
    const under = await call('read_file', args, { policy: {}, granted_scopes: 'read' })
    expect(under.code).toBe('PATH_OUTSIDE_ROOT')
    expect(under.meta).not.toHaveProperty('requested_scopes')
    const scopes = { granted_scopes: 'read', denied_scopes: 'read:file:/notes' }
    expect((await call('read_file', args, scopes)).result['isError']).toBe(true)
  })
})

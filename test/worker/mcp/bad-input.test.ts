/**
 * Invalid input of every kind: the right code, a helpful message, no change, within a second.
 */

import { SELF } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectBytes } from '../../support/core/expect-is.ts'
import { freshWorkspace, MODERN, type Reply, errorOf } from '../../support/worker/client.ts'

let workspace: ReturnType<typeof freshWorkspace>
let began: number

const WITHIN_MS = 1_000

const everything = async () =>
  new Uint8Array(await (await workspace.fetch('/export')).arrayBuffer())

let before: Uint8Array

beforeEach(async () => {
  workspace = freshWorkspace()
  await workspace.put('/notes/a.txt', 'one\ntwo\n')
  before = await everything()
  began = performance.now()
})

afterEach(async () => {
  expect(performance.now() - began).toBeLessThan(WITHIN_MS)
  expectBytes(await everything(), before)
})

function expectRefusal(reply: Reply, code: string) {
  expect(reply.result).toMatchObject({ isError: true, _meta: { 'dev.edgewise/error': { code } } })
  expect(reply.result?.content[0]?.text?.length).toBeGreaterThan(10)
}

describe('paths', () => {
  const bad: [string, string, string][] = [
    ['empty', '', 'INVALID_PATH'],
    ['NUL', 'a\u0000b', 'INVALID_PATH'],
    ['newline', 'a\nb', 'INVALID_PATH'],
    ['C1 control', 'a\u0085b', 'INVALID_PATH'],
    ['backslash', '..\\..\\etc', 'INVALID_PATH'],
    ['lone surrogate', 'a\ud800b', 'INVALID_PATH'],
    ['too long', 'n'.repeat(1025), 'INVALID_PATH'],
    ['too long in bytes', 'é'.repeat(600), 'INVALID_PATH'],
    ['traversal', '../../../../etc/passwd', 'FILE_NOT_FOUND'],
    ['traversal within', 'notes/../../notes/b', 'FILE_NOT_FOUND'],
    ['encoded traversal', '%2e%2e%2fetc%2fpasswd', 'FILE_NOT_FOUND'],
    ['overlong encoding', '%c0%ae%c0%ae/', 'FILE_NOT_FOUND'],
    ['a scheme', 'file:///etc/passwd', 'FILE_NOT_FOUND'],
    ['below a file', 'notes/a.txt/b', 'FILE_NOT_FOUND'],
    ['a folder', 'notes', 'IS_A_FOLDER'],
    ['the root', '/', 'IS_A_FOLDER'],
  ]
  it.each(bad)('read_file: %s', async (_, path, code) => {
    expectRefusal(await workspace.call('read_file', { path }), code)
  })

  it.each(bad.filter(([, , code]) => code === 'INVALID_PATH'))(
    'every tool: %s',
    async (_, path, code) => {
      const calls: [string, Record<string, unknown>][] = [
        ['write_file', { path, content: 'x' }],
        ['edit_file', { path, edits: [{ find: 'a', replace: 'b' }] }],
        ['delete_file', { path }],
        ['move_file', { from: path, to: 'b' }],
        ['move_file', { from: 'notes', to: path }],
        ['find_files', { root: path }],
        ['search_files', { root: path, pattern: 'x' }],
      ]
      // An empty root is none.
      const refused = calls.filter(([, args]) => args['root'] !== '')
      for (const [name, args] of refused) {
        const { result } = await workspace.call(name, args)
        // A lone surrogate is refused together with the argument that contains it.
        expect(errorOf(result)['code'], name).toMatch(/^INVALID_(PATH|FROM|TO|ROOT)$/)
        expect(code).toBe('INVALID_PATH')
      }
    },
  )

  it('in different Unicode normalization forms are the same path', async () => {
    expect(await workspace.text('find_files', { root: 'note\u0073' })).toBe('a.txt')
  })
})

describe('patterns', () => {
  it.each([
    '(',
    '[z-a]',
    'a**',
    '(?<=x)y',
    '\\1',
    'a{1001}',
    '(a{1000}){1000}',
    'x'.repeat(1001),
    'a\nb',
  ])('search_files refuses %j', async (pattern) => {
    expectRefusal(await workspace.call('search_files', { pattern }), 'INVALID_PATTERN')
  })

  it.each(['(a+)+$', '(a|a)*b', '(.*)*x', '(a*)*(a*)*c', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'search_files runs %j within its time limit',
    async (pattern) => {
      const args = { pattern, root: 'notes' }
      expect((await workspace.call('search_files', args)).result?.isError).toBeUndefined()
    },
  )

  it.each(['[', '{a', 'a\\', '[]', `${'{a,'.repeat(20)}b${'}'.repeat(20)}`, 'x'.repeat(1025)])(
    'find_files refuses the glob %j',
    async (pattern) => {
      expectRefusal(await workspace.call('find_files', { pattern, glob: true }), 'INVALID_GLOB')
    },
  )

  it.each(['*a*a*a*a*a*a*a*a*b', '**/**/**/**/**/x', `${'{a,b}'.repeat(50)}`])(
    'find_files runs the glob %j within its time limit',
    async (pattern) => {
      expect(
        (await workspace.call('find_files', { pattern, glob: true })).result?.isError,
      ).toBeUndefined()
    },
  )
})

describe('arguments', () => {
  it.each<[string, unknown, string]>([
    ['read_file', {}, 'MISSING_PATH'],
    ['read_file', { path: 5 }, 'INVALID_PATH'],
    ['read_file', { path: null }, 'MISSING_PATH'],
    ['read_file', { path: 'a', start_line: 0 }, 'INVALID_START_LINE'],
    ['read_file', { path: 'a', start_line: 1.5 }, 'INVALID_START_LINE'],
    ['read_file', { path: 'a', limit: '5 lines' }, 'INVALID_LIMIT'],
    ['read_file', { path: 'a', from: 5 }, 'INVALID_ARGUMENTS'],
    ['read_file', { path: 'a', __proto__: { limit: 1 }, constructor: 1 }, 'INVALID_ARGUMENTS'],
    ['read_multiple_files', { paths: [] }, 'EMPTY_PATHS'],
    ['read_multiple_files', { paths: { 0: 'a' } }, 'INVALID_PATHS'],
    ['read_multiple_files', { paths: Array.from({ length: 101 }, () => 'a') }, 'INVALID_PATHS'],
    ['write_file', { path: 'a' }, 'MISSING_CONTENT'],
    ['write_file', { path: 'a', content: 'x', mode: 'truncate' }, 'INVALID_MODE'],
    ['write_file', { path: 'a', content: '\udfff' }, 'INVALID_CONTENT'],
    ['write_file', { path: 'a', content: 'x', if_version: -1 }, 'INVALID_IF_VERSION'],
    ['edit_file', { path: 'notes/a.txt' }, 'MISSING_EDITS'],
    ['edit_file', { path: 'notes/a.txt', edits: [] }, 'EMPTY_EDITS'],
    ['edit_file', { path: 'notes/a.txt', edits: 'one to two' }, 'INVALID_EDITS'],
    ['edit_file', { path: 'notes/a.txt', edits: {} }, 'MISSING_FIND'],
    ['edit_file', { path: 'notes/a.txt', edits: [{ replace: 'x' }] }, 'MISSING_FIND'],
    ['edit_file', { path: 'notes/a.txt', edits: [{ find: 'x' }] }, 'MISSING_REPLACE'],
    ['edit_file', { path: 'notes/a.txt', edits: [{ find: '', replace: 'x' }] }, 'FIND_EMPTY'],
    ['move_file', { to: 'b' }, 'MISSING_FROM'],
    ['move_file', { from: 'notes' }, 'MISSING_TO'],
    ['find_files', { limit: 5_001 }, 'INVALID_LIMIT'],
    ['find_files', { case_sensitive: 'sometimes' }, 'INVALID_CASE_SENSITIVE'],
    ['search_files', { pattern: '' }, 'EMPTY_PATTERN'],
    ['search_files', { pattern: 'a', context: 101 }, 'INVALID_CONTEXT'],
    ['list_roots', { more: true }, 'INVALID_ARGUMENTS'],
  ])('%s %j is %s', async (name, args, code) => {
    expectRefusal(await workspace.call(name, Object(args)), code)
  })

  it.each([5, 'x', [], '{}'])('refuses arguments that are not an object: %j', async (args) => {
    const { result, error } = await workspace.send('tools/call', {
      name: 'list_roots',
      arguments: args,
    })
    expect(error?.code === -32602 || result?.isError).toBeTruthy()
  })
})

describe('_meta', () => {
  it.each([1, 0, 'yes', null, {}, []])(
    'refuses the preview %j, and nothing runs',
    async (preview) => {
      const reply = await workspace.call('write_file', { path: 'b', content: 'x' }, { preview })
      expect(reply.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('_meta.preview'),
      })
    },
  )
})

describe('messages', () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': 'write_file',
  }
  const post = (body: BodyInit, more: Record<string, string> = {}) =>
    workspace.fetch('/mcp', { method: 'POST', headers: { ...headers, ...more }, body })

  it.each<[string, string, number, number]>([
    ['not JSON', '{"jsonrpc": ', 400, -32700],
    ['nothing', '', 400, -32700],
    ['deep arrays', '['.repeat(100_000), 400, -32600],
    ['deep objects', `{"a":`.repeat(50_000), 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['no JSON-RPC', '{"a":1}', 400, -32600],
    ['a number', '5', 400, -32600],
  ])('%s', async (_, body, status, code) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  it('refuses 5 MiB', async () => {
    const response = await post(new Uint8Array(5 * 1024 * 1024).fill(32))
    expect(response.status).toBe(413)
    await response.body?.cancel()
  })

  it('refuses another media type', async () => {
    const response = await post('{}', { 'content-type': 'text/plain' })
    expect(response.status).toBe(415)
    await response.body?.cancel()
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('refuses %s without a session', async (method) => {
    const response = await workspace.fetch('/mcp', { method, headers })
    expect(response.status).toBe(405)
    await response.body?.cancel()
  })

  it.each(['server/discover', 'tools/list', 'subscriptions/listen'])(
    'refuses GET and HEAD with the headers of %s',
    async (method) => {
      const claimed = { ...headers, 'mcp-protocol-version': MODERN, 'mcp-method': method }
      for (const verb of ['GET', 'HEAD']) {
        const response = await workspace.fetch('/mcp', { method: verb, headers: claimed })
        expect(response.status).toBe(405)
        await response.body?.cancel()
      }
    },
  )

  it('refuses an unknown tool', async () => {
    expect(await workspace.call('rm_rf', {})).toMatchObject({ error: { code: -32602 } })
  })

  it.each(['not-ours', 'L2E=%', '', btoa('/a/../b'), btoa('\u0000')])(
    'refuses the cursor %j',
    async (cursor) => {
      expect(await workspace.send('resources/list', { cursor })).toMatchObject({
        error: { code: -32602 },
      })
    },
  )

  it.each(['tools/list', 'resources/templates/list'])(
    'refuses every cursor of %s, which has one page',
    async (method) => {
      for (const cursor of ['not-ours', ''])
        expect(await workspace.send(method, { cursor })).toMatchObject({ error: { code: -32602 } })
      expect((await workspace.send(method, {})).error).toBeUndefined()
    },
  )

  it.each([
    'file:///missing',
    'file://host/a',
    'file:///%zz',
    'http://localhost/',
    'file:///notes',
    'ui://unknown/1',
  ])('refuses the resource %s', async (uri) => {
    const reply = await workspace.send('resources/read', { uri })
    expect(reply).toMatchObject({ error: { code: -32602, data: { uri } } })
  })
})

describe('untrusted origins and hosts', () => {
  const ask = (headers: Record<string, string>, url = 'http://localhost/mcp') =>
    SELF.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })

  it.each(['http://evil.example', 'null', 'http://localhost.evil.example', 'file://', 'garbage'])(
    'refuses the origin %s',
    async (origin) => {
      const response = await ask({ origin })
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      await response.body?.cancel()
    },
  )

  it.each([
    'http://evil.example/mcp',
    'http://localhost.evil.example/mcp',
    'http://169.254.169.254/mcp',
  ])('refuses the host of %s', async (url) => {
    const response = await ask({}, url)
    expect(response.status).toBe(403)
    await response.body?.cancel()
  })

  it.each([
    ['http://localhost:8787', 'http://localhost:8787', 200],
    ['http://localhost:8787', 'http://localhost:5173', 403],
    ['http://localhost:8787', 'http://127.0.0.1:8787', 403],
    ['http://localhost:8787', 'https://localhost:8787', 403],
    ['http://localhost', 'http://[::1]', 403],
  ])('a server at %s checks the origin %s', async (base, origin, status) => {
    const response = await SELF.fetch(`${base}/healthz`, { headers: { origin } })
    expect(response.status).toBe(status)
    const readable = response.headers.get('access-control-allow-origin')
    expect(readable).toBe(status === 200 ? origin : null)
    await response.body?.cancel()
  })

  it.each(['UPPER', '-a', 'a_b', 'a'.repeat(64), '%2f', 'a b'])(
    'refuses the workspace name %j',
    async (name) => {
      const response = await SELF.fetch(`http://localhost/w/${name}/files/`)
      expect(response.status).toBe(404)
      await response.body?.cancel()
    },
  )
})

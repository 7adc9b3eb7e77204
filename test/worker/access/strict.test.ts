/**
 * What gives or restricts access is taken as sent: null, an empty text, JSON text and one for many are refused by the
 * name of the field, and nothing runs. A guess could mean more than its sender wants.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { FIELD_NAMES, FIELDS } from '#core/config/fields.ts'
import { PREVIEW_META, REQUESTER_META } from '#core/wire.ts'
import { freshWorkspace, modernRequest, type Reply } from '../../support/worker/client.ts'

const WRITE = { name: 'write_file', arguments: { path: '/new', content: 'x' } }

let workspace: ReturnType<typeof freshWorkspace>

beforeAll(async () => {
  workspace = freshWorkspace()
  await workspace.put('/a', 'one')
})

/** The forms in which other arguments are taken. */
const loose = (value: unknown): unknown[] => {
  const text = JSON.stringify(value)
  const one = Array.isArray(value) ? value.slice(0, 1) : [[value]]
  return [null, '', ` ${text}`, text, ...one]
}

const rowsOf = (values: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(values).flatMap(([name, value]) =>
    loose(value).map((form): [string, unknown] => [name, form]),
  )

const ROOTS = [{ path: '/a' }]
const entry = (list: string) => (value: unknown) => ({ roots: [{ path: '/a', [list]: value }] })

/** Fields with a valid value each; numbers lower than the defaults. */
const RULES = {
  roots: ROOTS,
  read_only: true,
  approval: 'review',
  find_limit: 10,
  search_max_bytes: 10,
  search_summary_top: 10,
  read_max_bytes: 10,
  read_max_line_bytes: 10,
}

/** Every other form of every field of rules, in a document of its own. */
const DOCUMENTS: [string, unknown][] = [
  ...rowsOf(RULES).map(([name, form]): [string, unknown] => [name, { [name]: form }]),
  ...['deny', 'allow', 'immutable'].flatMap((list) =>
    [null, '', '*.key', '["*.key"]', { 0: '*' }, [null], [null, '*'], [['*']], [5]].map(
      (form): [string, unknown] => [list, entry(list)(form)],
    ),
  ),
  ...[null, '', 5, ['/a']].map((path): [string, unknown] => ['root', { roots: [{ path }] }]),
  ...[null, '', '"review"', ['review']].map((form): [string, unknown] => [
    'approval',
    entry('approval')(form),
  ]),
]

async function expectRefused(meta: Record<string, unknown>, name: string): Promise<void> {
  const { error } = await workspace.send('tools/call', WRITE, { meta })
  expect(error?.code).toBe(-32602)
  expect(error?.message).toContain(name)
  expect((await workspace.fetch('/files/new')).status).toBe(404)
}

describe('members of _meta', () => {
  it.each(
    rowsOf({
      [REQUESTER_META]: 'llm',
      policy: { read_only: true },
      granted_scopes: ['write:file:/a'],
      allowed_scopes: ['write:file:/a'],
      denied_scopes: ['read'],
    })
      // One scope as text is a form that MCP for humans has.
      .filter(([, form]) => form !== 'write:file:/a' && form !== 'read'),
  )('%s as %j', (name, form) => expectRefused({ [name]: form }, name))

  it.each([null, '', '"true"', ' true', [true], 1, 'yes', 'false'])('preview as %j', (form) =>
    expectRefused({ preview: form }, 'preview'),
  )

  it.each([null, '', ['x'], {}, 5])('the id of a preview as %j', (form) =>
    expectRefused({ [PREVIEW_META]: form }, PREVIEW_META),
  )

  it.each([[[null]], [['']], [['read', null]], [['["read"]']], [[['read']]], [{}], [5]])(
    'scopes as %j',
    async (scopes) => {
      for (const name of ['granted_scopes', 'allowed_scopes', 'denied_scopes'])
        await expectRefused({ [name]: scopes }, name)
    },
  )

  it.each(DOCUMENTS)('policy with %s: %j', (name, policy) => expectRefused({ policy }, name))
})

describe('a client’s configuration', () => {
  it.each<[string, unknown]>([
    ...[null, '', '{}', '{"read_only":true}', [], [{ read_only: true }]].map(
      (form): [string, unknown] => ['config', form],
    ),
    ...DOCUMENTS,
    ...FIELD_NAMES.filter((name) => typeof FIELDS[name].default === 'number').flatMap((name) =>
      [null, '', '10', [10]].map((form): [string, unknown] => [name, { [name]: form }]),
    ),
    ...[null, '', 'false', [false]].map((form): [string, unknown] => [
      'allow_escape',
      { allow_escape: form },
    ]),
  ])('with %s: %j', async (name, configuration) => {
    const capabilities = { experimental: { configuration } }
    await expectRefused({ 'io.modelcontextprotocol/clientCapabilities': capabilities }, name)
    const info = { clientInfo: { name: 'x', version: '1' }, protocolVersion: '2025-06-18' }
    const params = { ...info, capabilities }
    const { method, headers } = modernRequest('initialize', {})
    const response = await workspace.fetch('/mcp', {
      method: method ?? '',
      headers: { ...Object(headers), 'mcp-protocol-version': '2025-06-18' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    })
    expect(response.headers.get('mcp-session-id')).toBeNull()
    const { error } = await response.json<Reply>()
    expect(error?.code).toBe(-32602)
    expect(error?.message).toContain(name)
  })
})

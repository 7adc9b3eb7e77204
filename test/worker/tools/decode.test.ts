/**
 * Every argument of every tool in every form that models and frameworks send instead of the schema's: the result is
 * that of the strict form. What gives or restricts access is refused in any other form, by name.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { isRecord, recordOf } from '#core/json.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { errorOf, freshWorkspace, type Reply } from '../../support/worker/client.ts'

type Args = Readonly<Record<string, unknown>>

const PLAN = 'docs/plan.md'

/** Valid calls which together give every argument. Those that change files are previewed. */
const CALLS: Readonly<Record<string, readonly Args[]>> = {
  list_roots: [{}],
  list_checkpoints: [{}],
  draft_status: [{ wait_seconds: 0 }],
  respond_to_review: [
    { reason: 'The release moved.', replies: [{ comment: 'c1', text: 'It is done.' }] },
  ],
  read_file: [
    { path: PLAN, page: 1, start_line: 1, column: 1, limit: 10, encoding: 'text', offset: 0 },
    { path: PLAN, encoding: 'base64', offset: 2 },
  ],
  read_multiple_files: [{ paths: [PLAN] }, { paths: [PLAN, 'docs/gone.md'] }],
  find_files: [
    {
      ...{ pattern: 'plan', glob: true, root: 'docs', type: 'file', max_depth: 3, hidden: true },
      ...{ follow: true, case_sensitive: false, exclude: ['*.tmp'], limit: 5, offset: 1 },
    },
    { limit: 1, cursor: 'CURSOR' },
  ],
  search_files: [
    {
      ...{ pattern: 'Ship', root: 'docs', glob: ['*.md'], case_sensitive: true, hidden: true },
      ...{ before_context: 1, after_context: 1, literal: true },
    },
    { pattern: 'Ship', context: 1, glob: ['*.md', '!x'] },
  ],
  write_file: [
    { path: 'docs/new.md', content: 'x', mode: 'overwrite', if_version: 0 },
    { path: 'docs/new.bin', content_base64: 'aGk=' },
  ],
  edit_file: [
    { path: PLAN, edits: [{ find: 'Monday', replace: '' }], if_version: 1 },
    {
      path: PLAN,
      edits: [
        { find: 'Ship', replace: '[1]' },
        { find: 'Monday', replace: 'Friday' },
      ],
    },
  ],
  list_folder: [{ path: 'docs', after: 'a', limit: 5 }],
  create_folder: [{ path: 'new' }],
  copy_file: [{ from: PLAN, to: 'docs/copy.md' }],
  move_file: [{ from: PLAN, to: 'docs/moved.md', if_version: 1 }],
  delete_file: [{ path: PLAN, if_version: 1 }],
  restore_file: [{ path: 'a.txt', version: 2, if_version: 3 }],
  file_history: [{ path: PLAN, limit: 1 }],
  list_changes: [
    { path: PLAN, actor: 'another', limit: 1 },
    {
      ...{ since: '2020-01-01T00:00:00Z', until: '2120-01-01T00:00:00Z', before: 3 },
      applied: true,
    },
  ],
  undo_change: [{ version: 3 }, { id: 'gone' }],
  create_checkpoint: [{ name: 'one more' }],
  compare_checkpoints: [{ from: 'first', to: 'second', folder: 'docs' }],
  restore_checkpoint: [{ checkpoint: 'first', folder: 'docs' }],
  delegate: [{ label: 'x', scopes: ['read'], ttl_seconds: 60, policy: { read_only: true } }],
  transfer_link: [{ path: PLAN, direction: 'download', ttl_seconds: 60 }],
  lease: [{ paths: [PLAN], ttl_seconds: 60, note: 'mine' }],
}

/** What gives or restricts access, which no other form replaces. */
const ACCESS = ['policy', 'scopes', 'ttl_seconds']

/** An empty text is a text here, or refused: a version that guards a write must not be dropped. */
const KEEPS_EMPTY = [...ACCESS, 'content', 'content_base64', 'if_version']

let workspace: ReturnType<typeof freshWorkspace>
let cursor: unknown

beforeAll(async () => {
  workspace = freshWorkspace()
  await workspace.put(`/${PLAN}`, '# Plan\n\nShip on Monday.\n')
  await workspace.put('/a.txt', 'one')
  await workspace.put('/a.txt', 'two')
  await workspace.text('create_checkpoint', { name: 'first' })
  await workspace.put('/docs/later.md', 'x')
  await workspace.text('create_checkpoint', { name: 'second' })
  const { result } = await workspace.call('find_files', { limit: 1 })
  cursor = result?.structuredContent['next_cursor']
})

const schemaOf = (tool: string) => {
  const schema = TOOLS.get(tool)?.input()
  if (!(schema instanceof z.ZodMiniObject)) throw new Error(`${tool} has no object of arguments`)
  return schema.shape
}

const isOptional = (schema: z.core.$ZodType | undefined) =>
  schema !== undefined && z.safeParse(schema, undefined).success

const withCursor = (args: Args) => (args['cursor'] === 'CURSOR' ? { ...args, cursor } : args)

const call = (tool: string, args: Args): Promise<Reply> =>
  workspace.call(tool, args, TOOLS.get(tool)?.kind === 'change' ? { preview: true } : {})

/** What a call answers, without what is new in each: ids, links and times. */
async function answerOf(tool: string, args: Args): Promise<unknown> {
  const { result, error } = await call(tool, withCursor(args))
  const structured = result?.structuredContent
  const facts = TOOLS.get(tool)?.kind === 'act' ? Object.keys(recordOf(structured)) : structured
  return { facts, error, code: errorOf(result)['code'] }
}

/** The other forms of a value that mean the same. */
function formsOf(value: unknown): unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [`${value}`, ` ${value}\n`]
  if (!Array.isArray(value)) return []
  const [first] = value
  const text = JSON.stringify(value)
  const one = value.length === 1 ? [first] : []
  if (!isRecord(first)) return [text, ...one]
  return [text, [text], value.map((item) => JSON.stringify(item)), ...one, ...one.map(toJson)]
}

const toJson = (value: unknown) => JSON.stringify(value)

it('every argument of every tool is in a call', () => {
  for (const tool of TOOLS.keys()) {
    const given = new Set(CALLS[tool]?.flatMap((args) => Object.keys(args)))
    expect([...given].toSorted(), tool).toEqual(Object.keys(schemaOf(tool)).toSorted())
  }
})

const rows = Object.entries(CALLS).flatMap(([tool, calls]) =>
  calls.flatMap((args) =>
    Object.keys(args).map((name): [string, string, Args] => [tool, name, args]),
  ),
)

describe('the meaning is the same', () => {
  it.each(rows)('%s %s, absent', async (tool, name, args) => {
    const { [name]: _, ...without } = args
    const strict = await answerOf(tool, without)
    expect(await answerOf(tool, { ...args, [name]: null })).toEqual(strict)
    if (!isOptional(schemaOf(tool)[name]) || KEEPS_EMPTY.includes(name)) return
    expect(await answerOf(tool, { ...args, [name]: '' })).toEqual(strict)
  })

  it.each(rows.filter(([, name]) => !ACCESS.includes(name)))(
    '%s %s, in other forms',
    async (tool, name, args) => {
      const strict = await answerOf(tool, args)
      for (const form of formsOf(args[name]))
        expect(await answerOf(tool, { ...args, [name]: form }), toJson(form)).toEqual(strict)
    },
  )

  it.each(Object.entries(CALLS))('%s, with null for all that is optional', async (tool, [args]) => {
    const shape = schemaOf(tool)
    const names = Object.keys(shape).filter((name) => isOptional(shape[name]))
    const given = Object.entries(args ?? {}).filter(([name]) => !names.includes(name))
    const required = { ...Object.fromEntries(given), ...(tool === 'write_file' && args) }
    const filled = Object.fromEntries(names.map((name) => [name, null]))
    expect(await answerOf(tool, { ...filled, ...required })).toEqual(await answerOf(tool, required))
  })
})

describe('what gives or restricts access is taken as sent', () => {
  const policies = ['{}', '{"read_only":true}', [], [{ read_only: true }], '']
  const lists = ['read', '["read"]', '', [null], { 0: 'read' }, 'null']
  const times = ['60', '', [60], '60.0']
  const nested = [
    ...[{ approval: null }, { approval: '' }, { approval: ['review'] }, { approval: '"review"' }],
    ...[{ read_only: null }, { read_only: 'true' }, { roots: null }, { roots: '[]' }],
    ...[{ roots: { path: '/docs' } }, { roots: '/docs' }, { roots: [{ path: null }] }],
    ...['*.key', null, '["*.key"]', [null], ''].flatMap((globs) =>
      ['deny', 'allow', 'immutable'].map((list) => ({ roots: [{ path: '/', [list]: globs }] })),
    ),
  ]
  const refused: [string, string, unknown][] = [
    ...policies.map((value): [string, string, unknown] => ['delegate', 'policy', value]),
    ...nested.map((value): [string, string, unknown] => ['delegate', 'policy', value]),
    ...lists.map((value): [string, string, unknown] => ['delegate', 'scopes', value]),
    ...times.map((value): [string, string, unknown] => ['delegate', 'ttl_seconds', value]),
    ...times.map((value): [string, string, unknown] => ['transfer_link', 'ttl_seconds', value]),
    ...times.map((value): [string, string, unknown] => ['lease', 'ttl_seconds', value]),
  ]

  it.each(refused)('%s refuses %s as %j', async (tool, name, value) => {
    const { result } = await call(tool, { ...CALLS[tool]?.[0], [name]: value })
    expect(errorOf(result)['code']).toMatch(/^(INVALID|MISSING|EMPTY)_/)
    expect(result?.content[0]?.text).toContain(name)
  })

  it.each([
    { scopes: null },
    { policy: null, ttl_seconds: null },
    { scopes: null, policy: null },
    {},
  ])('a link with %j has no limit of its own, and says so', async (args) => {
    const { result } = await call('delegate', { label: 'x', ...args })
    expect(result?.content[0]?.text).toContain('Nothing of its own restricts this link')
  })

  it.each([{ scopes: ['read'] }, { policy: { read_only: true }, scopes: null }])(
    'a link with %j does not say so',
    async (args) => {
      const { result } = await call('delegate', { label: 'x', ...args })
      expect(result?.content[0]?.text).not.toContain('Nothing of its own')
    },
  )

  it('never drops a version that guards a write', async () => {
    for (const if_version of ['', ' ', 'x', [1], {}]) {
      const args = { path: PLAN, content: 'x', if_version }
      expect(await workspace.code('write_file', args)).toBe('INVALID_IF_VERSION')
    }
    const args = { path: PLAN, content: 'x', if_version: '7' }
    expect(await workspace.code('write_file', args)).toBe('VERSION_CONFLICT')
  })
})

describe('content', () => {
  const bytes = new Uint8Array([251, 255, 254, 104, 105])
  it.each(['+//+aGk=', '+//+aGk', '-__-aGk', '-__-aGk=', ' +//+\r\n\taGk=\n', '+//+ aG k'])(
    'base64 as %j',
    async (content_base64) => {
      await workspace.text('write_file', { path: 'b.bin', content_base64 })
      expect(await workspace.raw('/b.bin')).toEqual(bytes)
    },
  )

  it.each(['a', 'aGk=a', 'a===', 'aé==', 'data:,x'])('refuses base64 as %j', async (text) => {
    const code = await workspace.code('write_file', { path: 'b', content_base64: text })
    expect(code).toBe('INVALID_CONTENT_BASE64')
  })

  it.each<[unknown, string]>([
    [{ a: 1 }, '{\n  "a": 1\n}\n'],
    [[], '[]\n'],
    [[{ a: null }], '[\n  {\n    "a": null\n  }\n]\n'],
  ])('of a JSON file as %j', async (content, written) => {
    for (const more of [{}, { mode: null, content_base64: null }]) {
      await workspace.text('write_file', { path: 'c.json', content, ...more })
      expect(await (await workspace.fetch('/files/c.json')).text()).toBe(written)
    }
  })

  it.each([
    { path: 'c.txt', content: { a: 1 } },
    { path: 'c.json', content: { a: 1 }, mode: 'append' },
    { path: 'c.json', content: 5 },
  ])('refuses %j, and says how to give bytes', async (args) => {
    const { result } = await workspace.call('write_file', args)
    expect(errorOf(result)['code']).toBe('INVALID_CONTENT')
    expect(result?.content[0]?.text).toContain('content_base64')
  })

  it('as text and as bytes, one of which is empty, is the other one', async () => {
    await workspace.text('write_file', { path: 'd', content: 'x', content_base64: '' })
    expect(await (await workspace.fetch('/files/d')).text()).toBe('x')
    await workspace.text('write_file', { path: 'd', content: '', content_base64: 'aGk=' })
    expect(await (await workspace.fetch('/files/d')).text()).toBe('hi')
    await workspace.text('write_file', { path: 'd', content: '' })
    expect(await (await workspace.fetch('/files/d')).text()).toBe('')
  })
})

describe('calls as programs send them', () => {
  const edit = { find: 'Monday', replace: 'Friday' }
  it.each<[string, string, Args, Args]>([
    [
      'LangChain fills in null',
      'search_files',
      {
        ...{ pattern: 'Ship', root: null, glob: null, case_sensitive: null, hidden: null },
        ...{ before_context: null, after_context: null, context: null },
      },
      { pattern: 'Ship' },
    ],
    [
      'LlamaIndex fills in null',
      'read_file',
      { path: PLAN, start_line: null, limit: null, encoding: null, offset: null },
      { path: PLAN },
    ],
    [
      'Semantic Kernel writes all values as text',
      'find_files',
      { pattern: '', root: 'docs', hidden: 'true', limit: '5', case_sensitive: 'false' },
      { root: 'docs', hidden: true, limit: 5, case_sensitive: false },
    ],
    [
      'OpenAI strict mode requires every argument',
      'write_file',
      { path: 'new', content: 'x', content_base64: null, mode: null, if_version: null },
      { path: 'new', content: 'x' },
    ],
    [
      'a form of a person leaves empty texts',
      'list_changes',
      {
        ...{ path: '', actor: '', since: '', until: '', before: '', applied: '' },
        ...{ limit: '3' },
      },
      { limit: 3 },
    ],
    [
      'a small model writes edits as text',
      'edit_file',
      { path: PLAN, edits: `[\n  ${toJson(edit)}\n]`, if_version: null },
      { path: PLAN, edits: [edit] },
    ],
    [
      'a client with text arguments wraps the list',
      'edit_file',
      { path: PLAN, edits: [toJson([edit])] },
      { path: PLAN, edits: [edit] },
    ],
    [
      'a model gives one edit',
      'edit_file',
      { path: PLAN, edits: edit },
      { path: PLAN, edits: [edit] },
    ],
    ['a model gives one path', 'read_multiple_files', { paths: PLAN }, { paths: [PLAN] }],
    [
      'a model gives paths as text',
      'read_multiple_files',
      { paths: toJson([PLAN, 'a.txt']) },
      { paths: [PLAN, 'a.txt'] },
    ],
    [
      'a model gives one glob',
      'find_files',
      { exclude: '*.tmp', glob: 'false' },
      { exclude: ['*.tmp'] },
    ],
  ])('%s: %s', async (_, tool, sent, meant) => {
    const strict = await answerOf(tool, meant)
    expect(strict).toMatchObject({ code: undefined, error: undefined })
    expect(await answerOf(tool, sent)).toEqual(strict)
  })
})

it('an error names every wrong argument and what is wanted', async () => {
  const args = {
    limit: 'many',
    case_sensitive: 'sometimes',
    type: 'link',
    pattern: [],
    nonsense: 1,
  }
  const { result } = await workspace.call('find_files', args)
  const text = result?.content[0]?.text ?? ''
  for (const part of [
    'limit',
    'case_sensitive',
    'type',
    'pattern',
    'nonsense',
    'boolean',
    '"auto"',
  ])
    expect(text).toContain(part)
})

it('what is valid as sent is not read as anything else', async () => {
  const names = ['["a"]', '5', 'null', 'true', '{"a":1}']
  for (const name of names) await workspace.put(`/odd/${encodeURIComponent(name)}`, name)
  const { result } = await workspace.call('read_multiple_files', {
    paths: names.map((name) => `odd/${name}`),
  })
  expect(result?.structuredContent['files']).toHaveLength(names.length)
  expect(result?.content[0]?.text).not.toContain('NOT_FOUND')
  const nested = await workspace.call('read_multiple_files', { paths: ['["a"]'] })
  expect(nested.result?.structuredContent['files']).toMatchObject([{ path: '["a"]' }])
})

it('a text that is JSON of another type is one value', async () => {
  await workspace.put('/one/1.txt', 'Ship')
  const args = { pattern: 'Ship', root: 'one' }
  for (const [glob, count] of [
    ['[1]*', 1],
    ['[2]', 0],
    ['5', 0],
  ] as const)
    expect((await workspace.call('search_files', { ...args, glob })).result).toMatchObject({
      structuredContent: { total_files: count },
    })
})

it('a list that is too long is refused soon, in any form', async () => {
  const list = Array.from({ length: 300_000 }, () => 'a')
  for (const paths of [list, toJson(list), toJson(list.slice(0, 101))])
    expect(await workspace.code('read_multiple_files', { paths })).toBe('INVALID_PATHS')
  for (const paths of ['[]', []])
    expect(await workspace.code('read_multiple_files', { paths })).toBe('EMPTY_PATHS')
  const deep = '['.repeat(500_000) + ']'.repeat(500_000)
  expect(await workspace.code('edit_file', { path: PLAN, edits: deep })).toBe('INVALID_EDITS')
})

it('a person reads what a call means', async () => {
  const args = { path: 'e.txt', content: 'x', mode: null }
  await workspace.text('write_file', args)
  const { result } = await workspace.call('undo_change', { version: '1' }, { preview: true })
  expect(JSON.stringify(result?._meta)).toContain('Undo')
  const listed = await workspace.text('list_changes', { limit: '1' })
  expect(listed).toContain('Write to /e.txt')
})

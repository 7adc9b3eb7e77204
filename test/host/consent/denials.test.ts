/** Stored denials: they hold for every tool, whichever spelling of a path a call uses. */

import type { JsonRecord } from '#core/json.ts'
import { callWithConsent } from '#host/consent/call-with-consent.ts'
import { createDecisions } from '#host/consent/stored-decisions.ts'
import type { CallFacts } from '#host/consent/types.ts'
import { ConnectionError, makeProblem } from '#host/mcp/errors.ts'
import { parseCallResult } from '#host/mcp/parse.ts'
import { describe, expect, it } from 'vitest'

const SERVER = 'https://one.example/mcp'

const done = parseCallResult({ content: [{ type: 'text', text: 'done' }] })

/** What `list_roots` answers: the default root, or why there is none, such as `no tool`. */
type Roots = string

function answerRoots(roots: Roots) {
  if (roots === 'no tool')
    throw new ConnectionError(makeProblem('protocol', 'No', { code: -32602 }))
  if (roots === 'no connection') throw new ConnectionError(makeProblem('unreachable', 'No'))
  const all = [{ path: '/elsewhere', default: false }]
  const listed = roots === 'no default' ? all : [...all, { path: roots, default: true }]
  return parseCallResult({ content: [], structuredContent: { roots: listed } })
}

interface Tried {
  readonly deny: string
  readonly args: JsonRecord
  readonly tool?: string
  readonly scopes?: readonly string[]
  readonly roots?: Roots
}

/** Makes a call after "allow everything" and one denial. Returns how it ended, and the tools that were called. */
async function attempt({ deny, args, tool = 'write_file', ...rest }: Tried) {
  const { scopes = ['write:file'], roots = '/' } = rest
  const decisions = createDecisions({ storage: null })
  const stored = { server: SERVER, duration: 'session' } as const
  decisions.remember({ ...stored, decision: 'allow', scopes: ['write', 'read'] })
  decisions.remember({ ...stored, decision: 'deny', scopes: [deny] })
  const called: string[] = []
  const intent = { text: tool, parts: [] }
  const hints = { hint: 'none', preview: false, readOnly: true } as const
  const facts: CallFacts = { title: tool, intent, scopes, ...hints }
  const outcome = await callWithConsent({ tool, args, meta: {} }, facts, {
    server: SERVER,
    decisions,
    async send(call) {
      called.push(call.tool)
      return call.tool === 'list_roots' ? answerRoots(roots) : done
    },
    ask: {
      approve: async () => false,
      grant: async () => ({ allow: false, scopes: null, duration: 'call' }),
      notify: () => {},
    },
  })
  return { status: outcome.status, called: called.filter((name) => name !== 'list_roots') }
}

const DENIED = { status: 'denied', called: [] }

/** Spellings of /b/y.md, by the default root. */
const SPELLINGS: readonly (readonly [root: string, path: string])[] = [
  ...[
    '/b/y.md',
    '//b/y.md',
    '/b//y.md',
    '/b/./y.md',
    '/c/../b/y.md',
    '/../b/y.md',
    '/b/y.md/',
    'b/y.md',
    './b/y.md',
    'b//y.md',
    'b/./y.md',
    'c/../b/y.md',
    '../b/y.md',
    'b/y.md/',
    'b/c/../y.md',
  ].map((path) => ['/', path] as const),
  ['/b', 'y.md'],
  ['/b', './y.md'],
  ['/b/c', '../y.md'],
  ['/c', '../b/y.md'],
  ['/c', '/b/y.md'],
]

/** Each tool that names paths, with the arguments for one. */
const TOOLS: readonly (readonly [tool: string, argsFor: (path: string) => JsonRecord])[] = [
  ['write_file', (path) => ({ path, content: '/text' })],
  ['edit_file', (path) => ({ path, edits: [{ find: '/a', replace: '/b' }] })],
  ['delete_file', (path) => ({ path })],
  ['create_folder', (path) => ({ path })],
  ['restore_file', (path) => ({ path, version: 1 })],
  ['restore_checkpoint', (folder) => ({ checkpoint: 'one', folder })],
  ['transfer_link', (path) => ({ path, direction: 'upload' })],
  ['move_file from', (from) => ({ from, to: '/free/z.md' })],
  ['move_file to', (to) => ({ from: '/free/z.md', to })],
  ['copy_file from', (from) => ({ from, to: '/free/z.md' })],
  ['copy_file to', (to) => ({ from: '/free/z.md', to })],
  ['read_multiple_files', (path) => ({ paths: ['/free/a', path, '/free/b'] })],
  ['find_files', (root) => ({ pattern: '*', root })],
  ['search_files', (root) => ({ pattern: '/x', root })],
  ['list_folder', (path) => ({ path })],
  ['a tool with records', (path) => ({ files: [{ path: '/free' }, { path }] })],
]

describe.each(TOOLS)('%s', (tool, argsFor) => {
  it.each(SPELLINGS)('is denied: default root %s, path %j', async (roots, path) => {
    const scopes = ['read:file', 'write:file:*']
    for (const deny of ['write:file:/b', 'read:file:/b', 'write:file:/b/y.md'])
      expect(await attempt({ tool, args: argsFor(path), scopes, deny, roots })).toEqual(DENIED)
  })

  it.each([
    ['/', 'bb/y.md'],
    ['/', '/bb'],
    ['/', 'c/b/y.md'],
    ['/c', 'b/y.md'],
    ['/b', '../y.md'],
    ['/b', '/y.md'],
  ])('is made: default root %s, path %j', async (roots, path) => {
    const made = await attempt({ tool, args: argsFor(path), deny: 'write:file:/b', roots })
    expect(made).toEqual({ status: 'done', called: [tool] })
  })
})

it('composed and decomposed letters are the same path', async () => {
  for (const path of ['/caf\u00e9/a', '/cafe\u0301/a', 'caf\u00e9/a', 'cafe\u0301/a'])
    for (const deny of ['write:file:/caf\u00e9', 'write:file:/cafe\u0301'])
      expect(await attempt({ args: { path }, deny }), path).toEqual(DENIED)
})

describe('a text that may mean a denied path', () => {
  const texts = [
    ...[
      'file:///b/y.md',
      'file:///%62/y.md',
      'file://localhost/b/y.md',
      '"/b/y.md"',
      "'b/y.md'",
      '`/b/y.md`',
    ],
    ...[
      ' /b/y.md ',
      '/b/y.md\n',
      '~/b/y.md',
      'C:\\b\\y.md',
      'c:/b/y.md',
      'b\\y.md',
      '@b/y.md',
      '@/b/y.md',
    ],
    ...['/b/y.md:12', '/b/y.md:1:5', '/b/y.md#L1', '/b/y.md(1,5)', 'b/y.md ', '"file:///b/y.md"'],
  ]

  it.each(texts)('is denied: %j', async (path) => {
    for (const deny of ['write:file:/b', 'write:file:/b/y.md'])
      for (const args of [{ path }, { paths: ['/free', path] }])
        expect(await attempt({ args, deny })).toEqual(DENIED)
  })

  it('is denied under any name of an argument, if it is absolute', async () => {
    for (const target of ['file:///b/y.md', '"/b/y.md"', ' /b/y.md', '~/b/y.md', 'C:\\b\\y.md'])
      expect(await attempt({ args: { target }, deny: 'write:file:/b' }), target).toEqual(DENIED)
  })

  it('is made where no candidate is denied', async () => {
    for (const path of ['file:///free/y.md', '"/free/y.md"', '/free/y.md:12', '@free/y.md'])
      expect(await attempt({ args: { path }, deny: 'write:file:/b' }), path).toMatchObject({
        status: 'done',
      })
  })
})

describe('a call that names no path', () => {
  it('starts at the default root', async () => {
    const search = { tool: 'search_files', args: { pattern: 'x' }, scopes: ['read:file'] }
    expect(await attempt({ ...search, deny: 'read:file:/b', roots: '/b/c' })).toEqual(DENIED)
    expect(await attempt({ ...search, deny: 'read:file:/b', roots: '/' })).toMatchObject({
      status: 'done',
    })
  })
})

describe('an unknown default root', () => {
  const relative = { args: { path: 'notes/y.md' } }

  it.each<Roots>(['no default', 'no tool'])('may be any folder: %s', async (roots) => {
    expect(await attempt({ ...relative, deny: 'write:file:/b', roots })).toEqual(DENIED)
    for (const args of [{ path: '/notes/y.md' }, {}])
      expect(await attempt({ args, deny: 'write:file:/b', roots })).toMatchObject({
        status: 'done',
      })
    const other = { ...relative, deny: 'read:file:/b', roots }
    expect(await attempt(other)).toMatchObject({ status: 'done' })
  })

  it('because of a failure is that failure', async () => {
    const tried = attempt({ ...relative, deny: 'write:file:/b', roots: 'no connection' })
    await expect(tried).rejects.toThrow(ConnectionError)
  })

  it('does not matter without a denial of a folder', async () => {
    const roots = 'no connection'
    const other = await attempt({ ...relative, deny: 'write:other', roots })
    expect(other).toEqual({ status: 'done', called: ['write_file'] })
    expect(await attempt({ ...relative, deny: 'write:file', roots })).toEqual(DENIED)
  })
})

it.each(['b\\y.md', '/b\\y.md', 'b/\u0000y.md'])(
  'a path that is invalid here may be any path of another server: %j',
  async (path) => {
    expect(await attempt({ args: { path }, deny: 'write:file:/b' })).toEqual(DENIED)
    expect(await attempt({ args: { path }, deny: 'read:file:/b' })).toMatchObject({
      status: 'done',
    })
  },
)

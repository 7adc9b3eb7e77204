/** Paths as people, models and programs spell them: what is read, refused and hinted at, and what stays denied. */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { resolvePath } from '#core/path.ts'
import fc from '../../support/core/random.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { bytesOf, errorOf, freshWorkspace, type Reply } from '../../support/worker/client.ts'
import { allowOnly } from '../../support/worker/requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function workspaceWith(...paths: readonly string[]) {
  const workspace = freshWorkspace()
  for (const path of paths)
    await workspace.put(path.split('/').map(encodeURIComponent).join('/'), `in ${path}`)
  return workspace
}

const textOf = ({ result }: Reply) => result?.content[0]?.text ?? ''

describe('a URI of a file', () => {
  it('is the path of the file, in every tool', async () => {
    const { text, raw, code } = await workspaceWith('/a b/c.md')
    for (const path of ['file:///a%20b/c.md', 'file:///a b/c.md'])
      expect(await text('read_file', { path })).toContain('in /a b/c.md')
    await text('edit_file', { path: 'file:///a%20b/c.md', edits: [{ find: 'in', replace: 'at' }] })
    expect(await raw('/a%20b/c.md')).toEqual(bytesOf('at /a b/c.md'))
    expect(await text('list_folder', { path: 'file:///a%20b' })).toContain('c.md')
    expect(await text('find_files', { root: 'file:///a%20b' })).toBe('c.md')
    expect(await text('read_multiple_files', { paths: ['file:///a%20b/c.md'] })).toContain(
      'at /a b/c.md',
    )
    expect(await text('copy_file', { from: 'file:///a%20b/c.md', to: 'file:///d/' })).toBe(
      'Copied a b/c.md to d/c.md',
    )
    await text('delete_file', { path: 'file:///a%20b/c.md' })
    expect(await code('read_file', { path: '/a b/c.md' })).toBe('FILE_NOT_FOUND')
  })

  it('is the path of a new file, and makes no folder of its own', async () => {
    const workspace = freshWorkspace()
    const { text, code } = workspace
    expect(await text('write_file', { path: 'file:///uri/new%20one.md', content: 'x' })).toBe(
      'Created uri/new one.md',
    )
    expect(await text('find_files')).toBe('uri/\nuri/new one.md')
    for (const path of [
      'file://uri/a',
      'file:/uri/a',
      'file://localhost/a',
      'file:///C:/a',
      'file:///a%00',
    ])
      expect(await code('write_file', { path, content: 'x' }), path).toBe('INVALID_PATH')
    expect(await text('find_files')).toBe('uri/\nuri/new one.md')
  })

  it('is the one that the server hands out', async () => {
    const workspace = await workspaceWith('/100% #1?.txt')
    const { put, text, call, send } = workspace
    await put('/b%20%25%23%3F.bin', new Uint8Array([0, 1, 2, 255]))
    const refused = await call('read_file', { path: '/b %#?.bin' })
    const uri = /file:\/\/\/\S+(?=\. )/.exec(textOf(refused))?.[0]
    expect(uri).toBe('file:///b%20%25%23%3F.bin')
    expect(await text('read_file', { path: uri, encoding: 'base64' })).toContain('AAEC/w==')
    const { result } = await send('resources/list')
    const listed: readonly unknown[] = Array.isArray(result?.['resources'])
      ? result['resources']
      : []
    const uris = listed.map((one) => String(recordOf(one)['uri']))
    const path = uris.find((one) => one.includes('100'))
    expect(await text('read_file', { path })).toContain('in /100% #1?.txt')
    for (const spelled of [path, 'file:///100%25 %231%3F.txt'])
      expect((await send('resources/read', { uri: spelled })).error, spelled).toBeUndefined()
  })

  it('is named by its path in the history', async () => {
    const { text } = freshWorkspace()
    await text('write_file', { path: 'file:///uri/new.md', content: 'x' })
    await text('move_file', { from: 'file:///uri/new.md', to: '/done/' })
    const changes = await text('list_changes')
    expect(changes).toContain('Write to /uri/new.md')
    expect(changes).toContain('Move /uri/new.md to /done/new.md')
    expect(changes).not.toContain('file:')
  })
})

/** Spellings of /src/a.ts that are refused with that path. */
const REFUSED = [
  '"/src/a.ts"',
  "'src/a.ts'",
  '`/src/a.ts`',
  ' /src/a.ts',
  '/src/a.ts ',
  '/src/a.ts\n',
  '~/src/a.ts',
  'C:\\src\\a.ts',
  'c:/src/a.ts',
  'src\\a.ts',
  'file://src/a.ts',
  '"file:///src/a.ts"',
]

/** Spellings of the same after which it is named, if nothing has that name. */
const HINTED = [
  'src/a.ts ',
  '@src/a.ts',
  '@/src/a.ts',
  '/src/a.ts:12',
  'src/a.ts:12:5',
  '/src/a.ts:12-20',
  '/src/a.ts#L1',
  'src/a.ts#L1-L9',
  '/src/a.ts(12,5)',
  'file:///src/a.ts#L1',
]

describe('a spelling that is never meant', () => {
  it.each(REFUSED)('is refused with the right path: %j', async (path) => {
    const { call, text } = await workspaceWith('/src/a.ts')
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ['read_file', { path }],
      ['write_file', { path, content: 'x' }],
      ['move_file', { from: path, to: '/z' }],
      ['copy_file', { from: '/src/a.ts', to: path }],
      ['transfer_link', { path, direction: 'upload' }],
    ]
    for (const [tool, args] of calls) {
      const reply = await call(tool, args)
      expect(errorOf(reply.result), tool).toMatchObject({
        code: 'INVALID_PATH',
        meant: '/src/a.ts',
      })
      expect(textOf(reply), tool).toContain('Send /src/a.ts instead')
    }
    expect(await text('find_files')).toBe('src/\nsrc/a.ts')
  })

  it.each(HINTED)('is hinted at after it was not found: %j', async (path) => {
    const { call } = await workspaceWith('/src/a.ts')
    for (const [tool, args] of [
      ['read_file', { path }],
      ['delete_file', { path }],
      ['move_file', { from: path, to: '/z' }],
      ['edit_file', { path, edits: [{ find: 'a', replace: 'b' }] }],
      ['transfer_link', { path, direction: 'download' }],
    ] as const) {
      const reply = await call(tool, args)
      expect(errorOf(reply.result), tool).toMatchObject({
        code: 'FILE_NOT_FOUND',
        meant: '/src/a.ts',
      })
      expect(textOf(reply), tool).toContain('Did you mean /src/a.ts?')
    }
  })

  it('is hinted at for each of several files', async () => {
    const { text } = await workspaceWith('/src/a.ts', '/b')
    const read = await text('read_multiple_files', {
      paths: ['/b', ...REFUSED.slice(0, 4), '/src/a.ts:12'],
    })
    expect(read).toContain('in /b')
    expect(read.match(/\(did you mean \/src\/a\.ts\?\)/g)).toHaveLength(5)
  })

  it('is no hint at what does not exist or is hidden', async () => {
    const workspace = await workspaceWith('/hidden/a', '/open/a')
    const { client } = await linkOf(workspace, { scopes: ['read:file:/open'] })
    const policy = { roots: [{ path: '/', deny: ['hidden/**'] }] }
    for (const path of ['/gone:12', '@gone'])
      expect(errorOf((await workspace.call('read_file', { path })).result)).not.toHaveProperty(
        'meant',
      )
    for (const path of ['/hidden/a:12', '@hidden/a']) {
      expect(JSON.stringify((await client.call('read_file', { path })).result)).not.toContain(
        'meant',
      )
      expect(textOf(await workspace.call('read_file', { path }, { policy }))).toMatch(
        /access is denied/,
      )
    }
  })
})

/** Names of files that look like other spellings. */
const ODD = [...REFUSED, ...HINTED, 'file:///src/a.ts', '@src', '~', '~/a']
  .filter((path) => !/[\\\n]/.test(path))
  .map((path) => (path.startsWith('/') ? path : `/${path}`).replaceAll('//', '/'))

it.each(ODD)('what exists wins by its own name: %j', async (path) => {
  const { text, code } = await workspaceWith('/src/a.ts', path)
  for (const spelled of [path, path.slice(1)])
    expect(await text('read_file', { path: spelled }), spelled).toContain(`in ${path}`)
  await text('edit_file', { path: path.slice(1), edits: [{ find: 'in', replace: 'at' }] })
  await text('move_file', { from: path.slice(1), to: '/moved/plain' })
  expect(await text('read_file', { path: '/moved/plain' })).toContain(`at ${path}`)
  expect(await code('read_file', { path })).toMatch(/FILE_NOT_FOUND|INVALID_PATH/)
})

describe('a denial', () => {
  const spellings = (path: string) => [
    ...[
      `file://${path}`,
      `file://${path.replaceAll('e', '%65')}`,
      `"${path}"`,
      ` ${path}`,
      `${path}\n`,
    ],
    ...[`~${path}`, `c:${path}`, path.replaceAll('/', '\\'), `@${path}`, `@${path.slice(1)}`],
    ...[`${path}:1`, `${path}#L1`, `"file://${path}"`, ` file://${path}`, `file:///x/..${path}`],
  ]
  const calls = (path: string): readonly (readonly [string, Record<string, unknown>])[] => [
    ['read_file', { path }],
    ['write_file', { path, content: 'changed' }],
    ['write_file', { path, content: 'changed', mode: 'append' }],
    ['edit_file', { path, edits: [{ find: 'in', replace: 'at' }] }],
    ['delete_file', { path }],
    ['copy_file', { from: path, to: '/copy' }],
    ['copy_file', { from: '/open', to: path }],
    ['move_file', { from: path, to: '/copy' }],
    ['read_multiple_files', { paths: ['/open', path] }],
    ['file_history', { path }],
    ['transfer_link', { path, direction: 'download' }],
    ['search_files', { pattern: 'in', root: path }],
    ['find_files', { root: path }],
  ]

  it('holds for every spelling: rules, a policy, denied scopes, and links', async () => {
    const workspace = await workspaceWith('/secret/keep', '/open')
    const deny = { roots: [{ path: '/', default: true, deny: ['secret', 'secret/**'] }] }
    const policy = { roots: [{ path: '/', deny: ['secret', 'secret/**'] }] }
    const { client } = await linkOf(workspace, { scopes: ['read:file:/open', 'write:file:/open'] })
    const restricted = await linkOf(workspace, {
      policy: { roots: [{ path: '/', deny: ['secret', 'secret/**'] }] },
    })
    const callers: readonly (readonly [Workspace, Record<string, unknown>])[] = [
      [workspace, { policy }],
      [workspace, { denied_scopes: ['read:file:/secret', 'write:file:/secret'] }],
      [client, {}],
      [restricted.client, {}],
    ]
    const attempt = async (caller: Workspace, meta: Record<string, unknown>) => {
      for (const path of spellings('/secret/keep'))
        for (const [tool, args] of calls(path)) {
          const reply = await caller.call(tool, args, meta)
          const whole = JSON.stringify(reply)
          expect(whole, `${tool} ${path}`).not.toContain('in /secret')
          expect(whole, `${tool} ${path}`).not.toContain('did you mean')
          // Of several files, one whose text is no path has its own code.
          const isRefused = reply.result?.isError || textOf(reply).includes(': INVALID_PATH')
          expect(isRefused, `${tool} ${path}`).toBe(true)
        }
    }
    for (const [caller, meta] of callers) await attempt(caller, meta)
    const headers = { 'content-type': 'application/json' }
    await workspace.fetch('/config', { method: 'PUT', headers, body: JSON.stringify(deny) })
    await attempt(workspace, {})
    expect(await workspace.raw('/secret/keep')).toEqual(bytesOf('in /secret/keep'))
  }, 60_000)

  it('is the same as of the plain path', async () => {
    const workspace = await workspaceWith('/secret/keep')
    const policy = { roots: [{ path: '/', deny: ['secret', 'secret/**'] }] }
    for (const path of spellings('/secret/keep'))
      expect(
        errorOf((await workspace.call('read_file', { path }, { policy })).result),
        path,
      ).toMatchObject({
        code: 'PATH_BLOCKED',
      })
  })

  it('is not written in another spelling', async () => {
    const { call } = await workspaceWith('/secret/keep')
    for (const meta of [
      { denied_scopes: ['read:file:file:///secret'] },
      { policy: { roots: [{ path: 'file:///secret', blocked: true }] } },
      { policy: { roots: [{ path: '~/secret', deny: ['**'] }] } },
    ]) {
      const { error } = await call('read_file', { path: '/secret/keep' }, meta)
      expect(error).toMatchObject({ code: -32602 })
    }
  })

  it('leaves allow lists as they are', async () => {
    const { call } = await workspaceWith('/docs/a', '/docs/file:/x')
    const policy = { roots: [{ path: '/', allow: ['docs/**'] }] }
    const read = await call('read_file', { path: 'file:///docs/a' }, { policy })
    expect(textOf(read)).toContain('in /docs/a')
    expect(textOf(await call('read_file', { path: '/docs/a:3' }, { policy }))).toContain(
      'Did you mean',
    )
  })
})

it('an access request is for the path that was meant', async () => {
  const workspace = await workspaceWith('/docs/a', '/other/b')
  const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
  const args = { path: 'file:///other/b' }
  expect(await client.code('read_file', args)).toBe('INSUFFICIENT_SCOPE')
  expect(await allowOnly(workspace, 'call')).toMatchObject({
    intent: 'Read /other/b',
    paths: ['/other/b'],
  })
  expect(await client.text('read_file', args)).toContain('in /other/b')
})

it('a draft is planned again for the path that was meant', async () => {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await owner.demand('review')
  await workspace.text('write_file', { path: 'file:///uri/new.md', content: 'x' })
  await owner.decide('approve')
  expect(await workspace.text('find_files')).toBe('uri/\nuri/new.md')
})

describe('random texts', () => {
  const part = fc.constantFrom(
    ...['secret', 'a', '/', '//', '.', '..', 'file:', 'file:///', '%2f', '%73', ' ', '"', "'", '`'],
    ...['~', '~/', 'C:', 'C:\\', '\\', '@', ':1', ':12:5', '#L1', '(1,2)', '\n', 'localhost'],
  )
  const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
  // Whole spellings of the denied file between others.
  const around = fc.tuple(text, fc.constantFrom('/secret/a', 'secret/a', 'file:///secret/a'), text)
  const odd = fc.oneof(
    text,
    around.map((parts) => parts.join('')),
  )

  it('read nothing that is denied', async () => {
    const workspace = await workspaceWith('/secret/a', '/a')
    const policy = { roots: [{ path: '/', deny: ['secret', 'secret/**'] }] }
    await fc.assert(
      fc.asyncProperty(odd, async (path) => {
        const replies = [
          await workspace.call('read_file', { path }, { policy }),
          await workspace.call('read_multiple_files', { paths: [path] }, { policy }),
          await workspace.call(
            'copy_file',
            { from: path, to: '/copy/' },
            { policy, preview: true },
          ),
        ]
        for (const reply of replies) expect(JSON.stringify(reply)).not.toContain('in /secret')
      }),
      { numRuns: 60 },
    )
  })

  it('are the path of what exists under that name', async () => {
    await fc.assert(
      fc.asyncProperty(odd, async (path) => {
        const literal = resolvePath(path)
        if (!literal.ok || /^\/(secret|$)/.test(literal.value)) return
        const { text: run } = await workspaceWith('/secret/a', literal.value)
        expect(await run('read_file', { path })).toContain(`in ${literal.value}`)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a target', () => {
  it('that ends in a slash is a folder to put the file into', async () => {
    const { text, code } = await workspaceWith('/mv/a.txt', '/mv/b.txt', '/mv/dir/x', '/tree/y')
    expect(await text('move_file', { from: '/mv/a.txt', to: '/mv/dir/' })).toBe(
      'Moved mv/a.txt to mv/dir/a.txt',
    )
    expect(await text('copy_file', { from: '/mv/b.txt', to: 'new/folder/' })).toBe(
      'Copied mv/b.txt to new/folder/b.txt',
    )
    expect(await text('move_file', { from: '/tree', to: '/mv/' })).toContain(
      'Moved tree to mv/tree',
    )
    expect(await text('copy_file', { from: '/mv/b.txt', to: '/' })).toBe('Copied mv/b.txt to b.txt')
    expect(await code('move_file', { from: '/mv', to: '/mv/' })).toBe('INVALID_TO')
    expect(await code('move_file', { from: '/mv/b.txt', to: '/b.txt/' })).toBe('NOT_A_FOLDER')
    expect(await code('copy_file', { from: '/mv/b.txt', to: '/' })).toBe('TARGET_EXISTS')
  })

  it.each(['move_file', 'copy_file'])(
    'that is a folder is named with the file in it: %s',
    async (tool) => {
      const { call, text } = await workspaceWith('/mv/a.txt', '/mv/dir/x')
      const reply = await call(tool, { from: '/mv/a.txt', to: '/mv/dir' })
      expect(errorOf(reply.result)).toMatchObject({
        code: 'TARGET_EXISTS',
        inside: '/mv/dir/a.txt',
      })
      expect(textOf(reply)).toContain('use /mv/dir/a.txt as the target')
      expect(textOf(reply)).not.toMatch(/delete|remove/i)
      await text(tool, { from: '/mv/a.txt', to: '/mv/dir/a.txt' })
    },
  )

  it('is judged with the file in it', async () => {
    const { call } = await workspaceWith('/mv/a.txt', '/mv/dir/x')
    const policy = { roots: [{ path: '/', deny: ['mv/dir/*.txt'] }] }
    const reply = await call('move_file', { from: '/mv/a.txt', to: '/mv/dir/' }, { policy })
    expect(errorOf(reply.result)).toEqual({ code: 'PATH_BLOCKED', path: '/mv/dir/a.txt' })
  })
})

/** Regressions: scopes, policies and delegation that did not reach the access check. */

import { describe, expect, it } from 'vitest'
import { modern } from '../../support/worker/access-client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const FILES = { '/docs/a': 'plain', '/docs/private/b': 'canary', '/top': 'plain' }

async function withFiles(files: Readonly<Record<string, string>> = FILES) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  return workspace
}

describe('delegate', () => {
  const policy = { roots: [{ path: '/docs', deny: ['private/**'] }] }
  const CALLS: [string, object | undefined, object][] = [
    ['under a policy', undefined, { policy }],
    ['with a configuration', policy, {}],
    ['with denied scopes', undefined, { denied_scopes: ['read:file:/docs/private', 'write'] }],
  ]

  it.each(CALLS)('%s, delegates no more than the call may do', async (_, configuration, meta) => {
    const workspace = await withFiles()
    const params = { name: 'delegate', arguments: { label: 'child' } }
    const { body } = await modern(workspace, configuration).ask('tools/call', params, meta)
    const url = /http:[^"\\]+\/mcp/.exec(wholeOf(body))?.[0]
    const child = freshWorkspace(url)
    for (const client of [child, (await linkOf(child)).client]) {
      const granted = { granted_scopes: ['read', 'write'] }
      expect(codeOfReply(await client.call('read_file', { path: '/docs/a' }))).toBe(undefined)
      const read = await client.call('read_file', { path: '/docs/private/b' }, granted)
      expect(codeOfReply(read)).toBe('PATH_BLOCKED')
      expect(wholeOf(await client.call('search_files', { pattern: 'canary' }))).not.toContain(
        'private/b',
      )
    }
  })
})

describe('denied_scopes', () => {
  it.each(['write:*:/docs', 'read:file:/a\\b', ''])(
    'that cannot be read, as %j, refuse the call: what they should deny is unknown',
    async (scope) => {
      const workspace = await withFiles()
      const { error } = await workspace.call(
        'read_file',
        { path: '/docs/a' },
        { denied_scopes: scope },
      )
      expect(error?.code).toBe(-32602)
    },
  )

  const denied = { denied_scopes: ['read:file:/docs/private', 'write:file:/docs/private'] }

  const HOLDERS: [string, (workspace: Workspace) => Promise<Workspace>][] = [
    ['alone', async (workspace) => workspace],
    [
      'under a session policy',
      async (workspace) => {
        const policy = { roots: [{ path: '/docs', deny: ['x'] }] }
        return (await linkOf(workspace, { policy })).client
      },
    ],
    [
      'with scopes of the session',
      async (workspace) => (await linkOf(workspace, { scopes: ['read', 'write'] })).client,
    ],
  ]

  it.each(HOLDERS)('apply to every tool that shows or changes a file: %s', async (_, enter) => {
    const workspace = await withFiles()
    const client = await enter(workspace)
    const made = await client.call('write_file', { path: '/docs/private/b', content: 'canary' })
    const { id } = JSON.parse(wholeOf(made.result?._meta['dev.edgewise/change']))
    const shown = [
      await client.call('search_files', { pattern: 'canary', root: '/docs' }, denied),
      await client.call('find_files', { root: '/docs' }, denied),
      await client.call('list_changes', { path: '/docs' }, denied),
      await client.send('resources/list', {}, { meta: denied }),
    ]
    for (const reply of shown) expect(wholeOf(reply)).not.toMatch(/private\/b|canary:/)
    const refused = [
      await client.call('read_file', { path: '/docs/private/b' }, denied),
      await client.call('delete_file', { path: '/docs/private' }, denied),
      await client.call('move_file', { from: '/docs/private', to: '/docs/z' }, denied),
      await client.call('undo_change', { id }, denied),
      await client.call('restore_file', { path: '/docs/private/b', version: 2 }, denied),
      await client.send('resources/read', { uri: 'file:///docs/private/b' }, { meta: denied }),
    ]
    for (const reply of refused) expect(codeOfReply(reply)).toBeDefined()
    const parent = await client.call('delete_file', { path: '/docs' }, denied)
    expect(codeOfReply(parent)).toBeDefined()
    expect(await workspace.raw('/docs/private/b')).toHaveLength(6)
  })
})

describe('a root from a client configuration', () => {
  const CALLS: [string, object][] = [
    ['deny', { roots: [{ path: '/docs', deny: ['private/**'] }] }],
    ['allow', { roots: [{ path: '/', allow: ['docs/a'] }] }],
    ['another folder', { roots: [{ path: '/docs/other' }] }],
    ['a blocked folder', { roots: [{ path: '/docs/private', blocked: true }] }],
  ]

  it.each(CALLS)('inside another root obeys the policy of the call: %s', async (_, policy) => {
    const workspace = await withFiles()
    for (const path of ['/docs/private', '/docs/private/b']) {
      const agent = modern(workspace, { roots: [{ path: '/', default: true }, { path }] })
      const read = { name: 'read_file', arguments: { path: '/docs/private/b' } }
      const write = { name: 'write_file', arguments: { path: '/docs/private/b', content: '' } }
      for (const params of [read, write]) {
        const { body } = await agent.ask('tools/call', params, { policy })
        expect(codeOfReply(body)).toBeDefined()
        expect(wholeOf(body)).not.toContain('canary')
      }
    }
    expect(await workspace.raw('/docs/private/b')).toHaveLength(6)
  })
})

describe('a scope for a path below a folder', () => {
  it('does not show a file at the path of the folder', async () => {
    const workspace = await withFiles({ '/notes': 'canary' })
    const { client } = await linkOf(workspace, { scopes: ['read:file:/notes/today'] })
    const ref = { type: 'ref/resource', uri: 'file:///{+path}' }
    const answers = [
      await client.call('find_files'),
      await client.call('list_folder', { path: '/' }),
      await client.call('read_file', { path: '/notes' }),
      await client.call('search_files', { pattern: 'canary', root: '/notes' }),
      await client.call('list_folder', { path: '/notes' }),
      await client.send('resources/list'),
      await client.send('resources/read', { uri: 'file:///notes' }),
      await client.send('completion/complete', { ref, argument: { name: 'path', value: 'n' } }),
    ]
    const elsewhere = await withFiles({ '/other': '' })
    const { client: twin } = await linkOf(elsewhere, { scopes: ['read:file:/notes/today'] })
    expect(wholeOf(answers[0])).not.toMatch(/"notes/)
    expect(wholeOf(answers[1])).not.toMatch(/"notes/)
    expect(wholeOf(answers[5])).not.toMatch(/file:\/\/\/notes/)
    expect(wholeOf(answers[7])).not.toMatch(/"notes/)
    expect(wholeOf(answers.slice(2))).not.toContain('canary:')
    const searched = await twin.call('search_files', { pattern: 'canary', root: '/notes' })
    expect(wholeOf(answers[3])).toBe(wholeOf(searched))
    expect(wholeOf(answers[4])).toBe(wholeOf(await twin.call('list_folder', { path: '/notes' })))
  })

  it('shows the folders above the path and nothing else', async () => {
    const workspace = await withFiles({ '/notes/today/x': 'one', '/notes/y': 'canary' })
    const { client } = await linkOf(workspace, { scopes: ['read:file:/notes/today'] })
    expect(await client.text('find_files')).toBe('notes/\nnotes/today/\nnotes/today/x')
  })
})

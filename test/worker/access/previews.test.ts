/** Regressions: what a preview reveals to a caller with less access, and which call it is valid for. */

import { describe, expect, it } from 'vitest'
import { modern, sendAs } from '../../support/worker/access-client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace, type Reply } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'
import { stubOf } from '../../support/worker/object-life.ts'

const FORMS = ['', '.diff', '.json']

function idOf({ result }: Reply | { result: unknown }): string {
  const text = wholeOf(result)
  const id = /ui:\/\/\w+\/([0-9a-f-]{36})/.exec(text)?.[1]
  if (id === undefined) throw new Error(text)
  return id
}

/** Some ids of previews contain the digits of a size. */
const withoutId = (text: string, id: string) => text.replaceAll(id, 'id')

const withFiles = async (files: Readonly<Record<string, string>>) => {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  return workspace
}

const SIZE = 7_919
const FILES = { '/docs/a.md': 'one', '/docs/sub/canary.key': 'x'.repeat(SIZE) }

describe('the preview of a folder', () => {
  const NARROWER: [string, Record<string, unknown>][] = [
    ['a policy', { policy: { roots: [{ path: '/', deny: ['**/*.key'] }] } }],
    ['denied scopes', { denied_scopes: ['read:file:/docs/sub', 'write:file:/docs/sub'] }],
    ['scopes denied for reading', { denied_scopes: 'read:file:/docs/sub' }],
  ]
  it.each(NARROWER)('does not reveal a child that the caller may not read: %s', async (_, meta) => {
    const workspace = await withFiles(FILES)
    for (const [name, args] of [
      ['delete_file', { path: '/docs' }],
      ['move_file', { from: '/docs', to: '/moved' }],
    ] as const) {
      const id = idOf(await workspace.call(name, args, { preview: true }))
      for (const form of FORMS) {
        const uri = `ui://${name}/${id}${form}`
        expect(wholeOf(await workspace.send('resources/read', { uri }))).toContain('canary')
        const read = wholeOf(await workspace.send('resources/read', { uri }, { meta }))
        expect(withoutId(read, id)).not.toMatch(/canary|7,?9(19|22)/)
      }
    }
  })

  it('does not count hidden files', async () => {
    const workspace = await withFiles({})
    for (let at = 0; at < 110; at++) await workspace.put(`/docs/${at % 2 ? 'b' : 'a'}/${at}`, 'x')
    const id = idOf(await workspace.call('delete_file', { path: '/docs' }, { preview: true }))
    const uri = `ui://delete_file/${id}.json`
    expect(wholeOf(await workspace.send('resources/read', { uri }))).toContain('\\"more\\":10')
    const meta = { denied_scopes: 'read:file:/docs/b' }
    const read = wholeOf(await workspace.send('resources/read', { uri }, { meta }))
    expect(read).not.toMatch(/\\"more\\":[1-9]|\/docs\/b/)
  })

  it('shows neither names nor sizes to a write-only token', async () => {
    const workspace = await withFiles(FILES)
    const body = JSON.stringify({ label: 'client', scopes: ['read', 'write'] })
    const made = await stubOf(workspace).fetch('https://w/grant', { method: 'POST', body })
    const identity = { kind: 'client', workspace: 'w', session: await made.text() } as const
    const agent = (...scopes: string[]) => modern(sendAs(workspace, { ...identity, scopes }))
    for (const path of ['/docs', '/docs/sub/canary.key']) {
      const params = { name: 'delete_file', arguments: { path } }
      const shown = await agent('read', 'write').ask('tools/call', params, { preview: true })
      const id = idOf({ result: shown.body['result'] })
      for (const form of FORMS) {
        const uri = `ui://delete_file/${id}${form}`
        const read = await agent('write').ask('resources/read', { uri })
        // The client knows the path that it named in the call.
        expect(withoutId(wholeOf(read.body), id)).not.toMatch(
          path === '/docs' ? /canary|7,?9(19|22)/ : /7,?9(19|22)/,
        )
      }
    }
  })
})

describe('the preview of a copy', () => {
  it('does not name its source to a caller with less access', async () => {
    const workspace = await withFiles({ '/secret/canary.md': 'one', '/docs/a.md': 'two' })
    const args = { from: '/secret/canary.md', to: '/docs/copy.md' }
    const id = idOf(await workspace.call('copy_file', args, { preview: true }))
    const meta = { denied_scopes: 'read:file:/secret' }
    for (const form of FORMS) {
      const uri = `ui://copy_file/${id}${form}`
      expect(wholeOf(await workspace.send('resources/read', { uri }))).toContain('copy.md')
      const read = await workspace.send('resources/read', { uri }, { meta })
      expect(read.error).toBeUndefined()
      expect(wholeOf(read)).toContain('copy.md')
      expect(wholeOf(read)).not.toMatch(/canary|secret/)
    }
    const review = await workspace.send('resources/read', { uri: `ui://copy_file/${id}.json` })
    expect(wholeOf(review)).toContain('/secret/canary.md')
  })
})

describe('a preview', () => {
  it('is valid only for the tool that created it', async () => {
    const workspace = await withFiles({ '/a': 'one' })
    const edits = [{ find: 'one', replace: 'two' }]
    const id = idOf(await workspace.call('edit_file', { path: '/a', edits }, { preview: true }))
    const bound = { 'dev.edgewise/preview': id }
    const other = await workspace.call('write_file', { path: '/a', content: 'two' }, bound)
    expect(codeOfReply(other)).toBe('PREVIEW_STALE')
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('one')
    expect(codeOfReply(await workspace.call('edit_file', { path: '/a', edits }, bound))).toBe(
      undefined,
    )
  })

  it('is valid only in the session that created it', async () => {
    const workspace = await withFiles({ '/a': 'one' })
    const [one, other] = [await linkOf(workspace), await linkOf(workspace)]
    const args = { path: '/a', content: 'two' }
    const id = idOf(await one.client.call('write_file', args, { preview: true }))
    const bound = { 'dev.edgewise/preview': id }
    for (const client of [other.client, workspace])
      expect(codeOfReply(await client.call('write_file', args, bound))).toBe('PREVIEW_STALE')
    const uri = `ui://write_file/${id}`
    expect((await other.client.send('resources/read', { uri })).error).toBeDefined()
  })
})

/** What a page link shows, and that nothing else is reached through it, on any of its routes. */

import { describe, expect, it } from 'vitest'
import { FROM_OWN_PAGE } from '../../support/worker/requests.ts'
import { askForLink, openPage, sharedFiles } from '../../support/worker/page-links.ts'

const HIDDEN = 'TOP-HIDDEN-TEXT'

const TREE = {
  '/d/README.md': 'shown [k](.env) [s](sub/id_rsa) [n](../other/b.txt) ![p](../other/p.png)',
  '/d/a.txt': 'shown',
  '/d/.env': HIDDEN,
  '/d/.git/config': HIDDEN,
  '/d/sub/id_rsa': HIDDEN,
  '/d/sub/api_key.txt': HIDDEN,
  '/d/sub/deep/.hidden/x.txt': HIDDEN,
  '/d/private/x.txt': HIDDEN,
  '/d2/a.txt': HIDDEN,
  '/other/b.txt': HIDDEN,
}

const RULES = { roots: [{ path: '/', deny: ['/d/private/**', '/d/private'] }] }

const ASKED = [
  ...['.env', '.git', '.git/config', 'sub/id_rsa', 'sub/api_key.txt', 'sub/deep/.hidden'],
  ...['sub/deep/.hidden/x.txt', 'private', 'private/x.txt', '../d2/a.txt', '..%2fd2%2fa.txt'],
  ...['%2e%2e/other/b.txt', '..%5cother', '%252e%252e/other/b.txt', '/other/b.txt', '2/a.txt'],
  ...['./../../other/b.txt', 'sub/../../other/b.txt', '%00', 'a.txt/..%2f..%2fother%2fb.txt'],
]

describe.each([['pinned'], ['live']])('a %s folder', (kind) => {
  const shared = async () => {
    const made = await sharedFiles(TREE, '/d', { live: kind === 'live' })
    await made.workspace.fetch('/config', {
      method: 'PUT',
      headers: FROM_OWN_PAGE,
      body: JSON.stringify(RULES),
    })
    return made
  }

  it('shows nothing that is hidden, secret by its name, denied by rules, or outside', async () => {
    const { open } = await shared()
    for (const path of ASKED)
      for (const query of ['', '?download', '?image', '?part=1', '?after=.']) {
        const { status, html } = await open(path + query)
        expect([path + query, status]).toEqual([path + query, 404])
        expect(html).not.toContain(HIDDEN)
      }
  })

  it('lists nothing of it, and links to nothing of it', async () => {
    const { open } = await shared()
    for (const path of ['', 'sub', 'sub/deep', 'README.md', '?after=a']) {
      const { html } = await open(path)
      expect(html).not.toMatch(/\.env|\.git|id_rsa|api_key|hidden|private|other|d2/)
    }
  })

  it('shows the others', async () => {
    const { open } = await shared()
    for (const path of ['', 'a.txt', 'README.md', 'sub/../a.txt', 'a.txt/', './a.txt'])
      expect((await open(path)).status).toBe(200)
  })
})

it('counts for the owner what a folder does not show', async () => {
  const { link } = await sharedFiles(TREE, '/d')
  expect(link).toMatchObject({ files: 3, hidden: 5 })
})

it('shows a file that the owner names, whatever its name is, and nothing beside it', async () => {
  const { open } = await sharedFiles({ '/d/.env': 'NAMED', '/d/a.txt': 'a' }, '/d/.env')
  expect((await open()).html).toContain('NAMED')
  for (const path of ['.env', 'a.txt', '../a.txt', 'x']) expect((await open(path)).status).toBe(404)
})

it('shows no draft', async () => {
  const { workspace, open } = await sharedFiles({ '/d/a.txt': 'applied' }, '/d', { live: true })
  await workspace.fetch('/config', {
    method: 'PUT',
    headers: FROM_OWN_PAGE,
    body: JSON.stringify({ roots: [{ path: '/', approval: 'review' }] }),
  })
  await workspace.call('write_file', { path: '/d/a.txt', content: 'PROPOSED' })
  await workspace.call('write_file', { path: '/d/new.txt', content: 'PROPOSED' })
  expect((await open('a.txt')).html).toContain('applied')
  expect((await open('new.txt')).status).toBe(404)
  expect((await open()).html).not.toContain('new.txt')
})

it('keeps workspaces apart', async () => {
  const one = await sharedFiles({ '/a.txt': 'one' }, '/')
  const other = await sharedFiles({ '/b.txt': 'other' }, '/')
  const name = (url: string) => /\/p\/([^.]+)\./.exec(url)?.[1] ?? ''
  const mixed = one.link.url.replace(name(one.link.url), name(other.link.url))
  expect((await openPage({ url: mixed })).status).toBe(404)
  expect((await one.open('b.txt')).status).toBe(404)
})

it('refuses what does not exist', async () => {
  const { workspace } = await sharedFiles({ '/a.txt': '' }, '/a.txt')
  expect((await askForLink(workspace, { path: '/none' })).status).toBe(404)
  expect((await askForLink(workspace, { path: '/a\u0000' })).status).toBe(400)
})

/** The owner's acts about page links: who can make one, what is written to the audit log, and that no secret is. */

import { SELF } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { auditOf } from '../../support/worker/passkeys.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { askForLink, listLinks, sharedFiles } from '../../support/worker/page-links.ts'

it('makes a link on the host of the request, once', async () => {
  const { workspace, link } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
  expect(link.url).toMatch(/^http:\/\/localhost\/p\/[a-z0-9-]+\.[\w-]{43}\/$/)
  const secret = link.url.slice(-44, -1)
  expect(JSON.stringify(await listLinks(workspace))).not.toContain(secret)
  expect(await (await workspace.fetch('/audit')).text()).not.toContain(secret)
})

it('writes both acts to the audit log', async () => {
  const { workspace, link } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
  expect((await workspace.fetch(`/page-links/${link.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await workspace.fetch(`/page-links/${link.id}`, { method: 'DELETE' })).status).toBe(404)
  const [made] = await auditOf(workspace, 'make_page_link')
  expect(made).toMatchObject({ paths: ['/a.md'] })
  expect(made?.intent).toMatch(/^Show \/a\.md to everyone with a link, as it is now, until 2/)
  expect(await auditOf(workspace, 'end_page_link')).toMatchObject([
    { intent: 'End the link to the page of /a.md', paths: ['/a.md'] },
  ])
})

it('takes none from a program, an agent or another site', async () => {
  const { workspace } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
  const body = JSON.stringify({ path: '/a.md' })
  const ask = (headers: Record<string, string>) =>
    workspace.fetch('/page-links', { method: 'POST', body, headers })
  expect((await ask({})).status).toBe(403)
  expect(
    (await ask({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
  ).toBe(403)
  const { client } = await linkOf(workspace)
  for (const method of ['GET', 'POST'])
    expect((await client.fetch('/page-links', { method })).status).toBe(401)
})

it('refuses what it does not know', async () => {
  const { workspace } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
  const codes = await Promise.all(
    [{}, { path: '/a.md', ttl_seconds: 0 }, { path: '/a.md', x: 1 }, { path: 7 }].map(
      async (body) => {
        const response = await askForLink(workspace, body)
        return [response.status, (await response.json<{ code: string }>()).code]
      },
    ),
  )
  expect(codes).toEqual([
    [400, 'MISSING_PATH'],
    [400, 'INVALID_TTL_SECONDS'],
    [400, 'INVALID_ARGUMENTS'],
    [400, 'INVALID_PATH'],
  ])
})

it('answers only reading', async () => {
  const { link } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
  for (const method of ['PUT', 'POST', 'DELETE', 'PROPFIND'])
    expect((await SELF.fetch(link.url, { method })).status).toBe(405)
})

it('has no address of the object from outside', async () => {
  const { workspace, link } = await sharedFiles({ '/a.md': 'SECRET-TEXT' }, '/a.md')
  const forged = { 'edgewise-link': link.url.slice(-44, -1) }
  const response = await workspace.fetch('/page', { headers: forged })
  expect(response.status).toBe(404)
  expect(await response.text()).not.toContain('SECRET-TEXT')
})

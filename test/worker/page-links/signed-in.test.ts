/** Page links where an owner is configured: a reader needs no sign-in, and only https carries the secret. */

import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { sharedFiles } from '../../support/worker/page-links.ts'

const OWNED = {
  ...env,
  EDGEWISE_OWNER_SECRET: 'a secret of the owner',
  EDGEWISE_HOSTS: 'w.example',
}

const ask = (url: string, headers: HeadersInit = {}) =>
  front.fetch(new Request(url, { headers }), OWNED, createExecutionContext())

const statusOf = async (url: string, headers: HeadersInit = {}) => {
  const response = await ask(url, headers)
  await response.body?.cancel()
  return response.status
}

it('a reader needs no sign-in, and gets nothing else with the link', async () => {
  const { link } = await sharedFiles({ '/a.md': 'shown' }, '/a.md')
  const page = await ask(link.url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('shown')
  expect(page.headers.get('set-cookie')).toBeNull()
  expect(await statusOf('http://localhost/page-links')).toBe(401)
  expect(await statusOf('http://localhost/files/a.md')).toBe(401)
  const secret = link.url.slice(-44, -1)
  expect(await statusOf('http://localhost/files/a.md', { authorization: `Bearer ${secret}` })).toBe(
    401,
  )
})

it('away from this machine, only https carries the secret', async () => {
  const { link } = await sharedFiles({ '/a.md': 'shown' }, '/a.md')
  const at = (origin: string) => link.url.replace('http://localhost', origin)
  expect(await statusOf(at('http://w.example'))).toBe(403)
  expect(await statusOf(at('https://w.example'))).toBe(200)
})

it('a page of another site reads nothing', async () => {
  const { link } = await sharedFiles({ '/a.md': 'shown' }, '/a.md')
  expect(await statusOf(link.url, { origin: 'https://evil.example' })).toBe(403)
  // A page for people has no origin, and cannot read the others either.
  expect(await statusOf(link.url, { origin: 'null' })).toBe(403)
})

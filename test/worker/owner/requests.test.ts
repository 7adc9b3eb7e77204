/** `/requests`: what the owner is shown, and that only a page of this origin decides. */

import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { decideRequest, FROM_OWN_PAGE, listRequests } from '../../support/worker/requests.ts'

async function withRequest() {
  const workspace = freshWorkspace()
  const config = { roots: [{ path: '/docs' }] }
  const set = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  await set.text()
  await workspace.code('write_file', { path: '/other/a', content: 'x' })
  const [one] = await listRequests(workspace)
  if (!one) throw new Error('No request waits')
  return { workspace, one }
}

it('lists what waits, with the roots that the rules lack', async () => {
  const { workspace, one } = await withRequest()
  expect(one).toMatchObject({
    actor: 'local',
    principal: 'local',
    session: null,
    label: null,
    tool: 'write_file',
    scopes: ['write:file:/other'],
    can: ['call', 'rules'],
    ended: false,
    roots: [{ path: '/other' }],
  })
  expect(one.expires).toBeGreaterThan(one.opened)
  expect(await (await workspace.fetch('/requests')).json()).toMatchObject({ waiting: 1 })
})

it.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['the same site', { origin: 'http://localhost', 'sec-fetch-site': 'same-site' }],
  ['another origin', { origin: 'http://localhost:81', 'sec-fetch-site': 'same-origin' }],
  ['no page', {}],
  ['no origin', { 'sec-fetch-site': 'same-origin' }],
])('does not decide for %s', async (_, headers) => {
  const { workspace, one } = await withRequest()
  for (const [what, body] of [
    ['allow', { for: 'call' }],
    ['refuse', { note: '' }],
  ] as const)
    expect((await decideRequest(workspace, `${one.id}/${what}`, body, headers)).status).toBe(403)
  expect(await listRequests(workspace)).toHaveLength(1)
  const again = await workspace.code('write_file', { path: '/other/a', content: 'x' })
  expect(again).toBe('PATH_OUTSIDE_ROOT')
})

it.each([
  ['allow', {}, 400],
  ['allow', { for: 'ever' }, 400],
  ['allow', { for: 'call', scopes: ['write'] }, 400],
  ['allow', { for: 'session' }, 409],
  ['refuse', { note: 'x'.repeat(2_001) }, 400],
  ['refuse', { note: 1 }, 400],
  ['widen', { for: 'call' }, 404],
  ['allow/more', { for: 'call' }, 404],
])('answers %s %j with %d', async (what, body, status) => {
  const { workspace, one } = await withRequest()
  expect((await decideRequest(workspace, `${one.id}/${what}`, body)).status).toBe(status)
  expect(await listRequests(workspace)).toHaveLength(1)
})

it('has no other methods, and knows no other id', async () => {
  const { workspace, one } = await withRequest()
  const fetch = async (path: string, method: string) =>
    (await workspace.fetch(path, { method, headers: FROM_OWN_PAGE })).status
  expect(await fetch('/requests', 'POST')).toBe(405)
  expect(await fetch('/requests', 'DELETE')).toBe(405)
  expect(await fetch(`/requests/${one.id}/allow`, 'GET')).toBe(405)
  expect((await decideRequest(workspace, 'unknown/allow', { for: 'call' })).status).toBe(404)
})

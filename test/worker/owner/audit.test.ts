/** `POST /audit`: calls that the user of the console denied. */

import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { FROM_OWN_PAGE } from '../../support/worker/requests.ts'

const DENIED = {
  tool: 'write_file',
  intent: 'Write to /other/a.',
  scopes: ['write:file:/other/a'],
}

async function deny(body: unknown, headers: HeadersInit = FROM_OWN_PAGE) {
  const workspace = freshWorkspace()
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await workspace.fetch('/audit', init)
  await response.text()
  const { entries } = await (await workspace.fetch('/audit')).json<{ entries: unknown[] }>()
  return { status: response.status, entries }
}

it('records the No of the user as the decision of the owner', async () => {
  const { status, entries } = await deny(DENIED)
  expect(status).toBe(204)
  expect(entries).toMatchObject([
    {
      tool: 'write_file',
      intent: 'Write to /other/a.',
      outcome: 'refused',
      version: null,
      actor: { principal: 'local', session: null },
      decision: [{ kind: 'refused', code: 'DENIED_BY_PERSON' }, { kind: 'owner' }],
    },
  ])
})

it.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['no page', {}],
])('records nothing for %s', async (_, headers) => {
  expect(await deny(DENIED, headers)).toEqual({ status: 403, entries: [] })
})

it.each([
  [{}],
  [{ ...DENIED, tool: '' }],
  [{ ...DENIED, intent: 'x'.repeat(2_001) }],
  [{ ...DENIED, scopes: Array.from({ length: 51 }, () => 'read') }],
  [{ ...DENIED, outcome: 'applied' }],
])('records nothing of %j', async (body) => {
  expect(await deny(body)).toEqual({ status: 400, entries: [] })
})

it('answers 405 to other methods', async () => {
  const { fetch } = freshWorkspace()
  expect((await fetch('/audit', { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST')
  expect((await fetch('/audit/check', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
})

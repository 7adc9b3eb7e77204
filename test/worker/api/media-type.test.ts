/** The owner's routes that take JSON: any other media type is refused, and changes nothing. */

import { describe, expect, it } from 'vitest'
import { findApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { FROM_OWN_PAGE, listRequests } from '../../support/worker/requests.ts'

const HELD = { roots: [{ path: '/docs', approval: 'review' }] }

/** A workspace in which an access request and a draft wait, and that has a checkpoint. */
async function prepare() {
  const workspace = freshWorkspace()
  const json = { 'content-type': 'application/json' }
  const send = (method: string, path: string, body: object) =>
    workspace.fetch(path, { method, headers: json, body: JSON.stringify(body) })
  await (await send('PUT', '/config', HELD)).text()
  const made = await send('POST', '/checkpoints', { name: 'before' })
  const { id: checkpoint } = await made.json<{ id: string }>()
  await workspace.call('write_file', { path: '/docs/a', content: 'x' })
  await workspace.code('read_file', { path: '/other/a' })
  const [request] = await listRequests(workspace)
  const { drafts } = await (await workspace.fetch('/drafts')).json<{ drafts: { id: string }[] }>()
  const [draft] = drafts
  const shown = await workspace.fetch(`/drafts/${draft?.id}`)
  const { revision } = await shown.json<{ revision: string }>()
  await workspace.put('/.apps/board/index.html', 'page')
  const { revision: app } = await findApp(workspace, 'board')
  return {
    workspace,
    app,
    request: request?.id ?? '',
    draft: draft?.id ?? '',
    revision,
    checkpoint,
  }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

const ROUTES: readonly (readonly [string, string, (of: Prepared) => readonly [string, object]])[] =
  [
    ['PUT', 'rules', () => ['/config', { roots: [{ path: '/' }] }]],
    ['POST', 'a session', () => ['/sessions', { label: 'agent', ttl_seconds: 600 }]],
    ['POST', 'a checkpoint', () => ['/checkpoints', { name: 'other' }]],
    ['POST', 'a restore', ({ checkpoint }) => [`/checkpoints/${checkpoint}/restore`, {}]],
    ['POST', 'notices', () => ['/notices', { versions: [1] }]],
    ['POST', 'an approval', ({ draft, revision }) => [`/drafts/${draft}/approve`, { revision }]],
    ['POST', 'a rejection', ({ draft, revision }) => [`/drafts/${draft}/turn-down`, { revision }]],
    ['POST', 'an allowed call', ({ request }) => [`/requests/${request}/allow`, { for: 'call' }]],
    ['POST', 'an app', ({ app }) => ['/apps/board/approve', { revision: app }]],
    ['POST', 'a denied call', () => ['/audit', { tool: 'x', intent: 'y', scopes: [] }]],
    ['POST', 'a new passkey', () => ['/passkeys/begin', {}]],
    ['POST', 'a refusal', ({ request }) => [`/requests/${request}/refuse`, { note: '' }]],
  ]

const TYPES = [
  ['text', 'text/plain;charset=UTF-8'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['a multipart form', 'multipart/form-data; boundary=x'],
  ['a name that begins like JSON', 'application/json-patch+json'],
  ['no type', null],
] as const

describe.each(ROUTES)('%s of %s', (method, _, routeOf) => {
  it.each(TYPES)('is refused with %s', async (_name, type) => {
    const prepared = await prepare()
    const { workspace } = prepared
    const before = await stateOf(prepared)
    const [path, value] = routeOf(prepared)
    const headers = { ...FROM_OWN_PAGE, ...(type !== null && { 'content-type': type }) }
    const body = new TextEncoder().encode(JSON.stringify(value))
    const answer = await workspace.fetch(path, { method, headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([
      415,
      { code: 'UNSUPPORTED_MEDIA_TYPE' },
    ])
    expect(await stateOf(prepared)).toEqual(before)
  })

  it('is served with JSON in any spelling', async () => {
    const prepared = await prepare()
    const [path, value] = routeOf(prepared)
    const headers = { ...FROM_OWN_PAGE, 'content-type': 'Application/JSON; charset=utf-8' }
    const body = JSON.stringify(value)
    const answer = await prepared.workspace.fetch(path, { method, headers, body })
    await answer.body?.cancel()
    expect(answer.ok).toBe(true)
  })
})

/** What the routes would change. */
async function stateOf({ workspace }: Prepared) {
  const paths = [
    '/config',
    '/sessions',
    '/checkpoints',
    '/notices',
    '/drafts',
    '/requests',
    '/apps',
  ]
  return Promise.all(paths.map(async (path) => (await workspace.fetch(path)).text()))
}

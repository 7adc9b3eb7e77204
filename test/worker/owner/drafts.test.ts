/** `/drafts` over HTTP: what the owner sees, and that only a page of this server decides. */

import { SELF } from 'cloudflare:test'
import { TOOLS } from '#worker/tools/index.ts'
import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const OWN_PAGE = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
const HELD = { '/a.txt': 'old a\n', '/b.txt': 'old b\n' }

type Workspace = ReturnType<typeof freshWorkspace>

/** A workspace in which the changes of two files wait. */
async function withDraft() {
  const workspace = freshWorkspace()
  const { fetch, call } = workspace
  for (const [path, body] of Object.entries(HELD))
    await (await fetch(`/files${path}`, { method: 'PUT', body })).text()
  const config = JSON.stringify({ approval: 'review' })
  await (await fetch('/config', { method: 'PUT', body: config })).text()
  for (const path of Object.keys(HELD))
    await call('edit_file', { path, edits: [{ find: 'old', replace: 'new' }] })
  const { drafts } = await read(workspace, '/drafts')
  const { id } = recordOf(Array.isArray(drafts) ? drafts[0] : null) ?? {}
  return { workspace, path: `/drafts/${String(id)}` }
}

const read = async ({ fetch }: Workspace, path: string) =>
  recordOf(await (await fetch(path)).json()) ?? {}

/** The body of an approval of one group. */
async function groupBody(workspace: Workspace, path: string, group: number) {
  const { revision, changes } = await read(workspace, path)
  const list = Array.isArray(changes) ? changes.map(recordOf) : []
  const digest = list.find((one) => one['group'] === group && one['digest'] !== undefined)
  return { revision, groups: [group], digest: digest?.['digest'] }
}

const text = async ({ fetch }: Workspace, path: string) => (await fetch(`/files${path}`)).text()

async function post(
  { fetch }: Workspace,
  path: string,
  body: unknown,
  headers: Record<string, string> = OWN_PAGE,
) {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body), headers })
  return { status: response.status, ...recordOf(await response.json()) }
}

describe('a draft', () => {
  it('is listed and shown with its changes and files', async () => {
    const { workspace, path } = await withDraft()
    expect(await read(workspace, '/drafts')).toMatchObject({
      waiting: 2,
      drafts: [{ principal: 'local', session: null, changes: 2, ended: false }],
    })
    expect(await read(workspace, path)).toMatchObject({
      changes: [
        { tool: 'edit_file', intent: 'Edit /a.txt', level: 'review', group: 0, conflict: null },
        { tool: 'edit_file', paths: ['/b.txt'], group: 1 },
      ],
      changes_left_out: 0,
      files: [
        { path: '/a.txt', change: 'changed', before: 6, after: 6, group: 0 },
        { path: '/b.txt', group: 1 },
      ],
      files_left_out: 0,
    })
  })

  it('is paged, and shown as a diff of each file', async () => {
    const { workspace, path } = await withDraft()
    const { revision } = await read(workspace, path)
    expect(await read(workspace, `${path}/changes?offset=1`)).toMatchObject({
      revision,
      changes: [{ paths: ['/b.txt'] }],
      left: 0,
    })
    expect(await read(workspace, `${path}/files?offset=2`)).toMatchObject({ files: [], left: 0 })
    expect(await read(workspace, `${path}/diff?path=/a.txt`)).toMatchObject({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      file: { from: '/a.txt', to: '/a.txt', binary: false },
    })
    expect((await workspace.fetch(`${path}/diff?path=/none`)).status).toBe(404)
  })
})

it('an upload through a transfer link waits too', async () => {
  const { workspace } = await withDraft()
  const { result } = await workspace.call('transfer_link', { path: '/c.txt', direction: 'upload' })
  const { pathname } = new URL(String(result?.structuredContent['url']))
  const response = await SELF.fetch(`http://localhost${pathname}`, { method: 'PUT', body: 'new c' })
  expect(response.ok, await response.text()).toBe(true)
  expect((await workspace.fetch('/files/c.txt')).status).toBe(404)
  expect(await read(workspace, '/drafts')).toMatchObject({ waiting: 3 })
})

describe('a decision', () => {
  it('applies the groups that were selected, and turns down the rest with a note', async () => {
    const { workspace, path } = await withDraft()
    const { revision } = await read(workspace, path)
    const approved = await post(workspace, `${path}/approve`, await groupBody(workspace, path, 0))
    expect(approved).toMatchObject({ status: 200, decided: 1, left: 1 })
    expect(await text(workspace, '/a.txt')).toBe('new a\n')
    expect(await text(workspace, '/b.txt')).toBe('old b\n')
    const rest = await read(workspace, path)
    const body = { revision: rest['revision'], note: 'Leave b.' }
    expect(await post(workspace, `${path}/turn-down`, body)).toMatchObject({
      approval: null,
      decided: 1,
      left: 0,
    })
    const { result } = await workspace.call('draft_status')
    expect(result?.structuredContent).toMatchObject({
      draft: null,
      decisions: [{ outcome: 'turned_down', note: 'Leave b.' }, { outcome: 'approved' }],
    })
    expect(await post(workspace, `${path}/approve`, { revision })).toMatchObject({
      status: 404,
      code: 'DRAFT_NOT_FOUND',
    })
  })

  it.each([
    ['no header', {}],
    ['no origin', { 'sec-fetch-site': 'same-origin' }],
    ['no metadata', { origin: 'http://localhost' }],
    ['another site', { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' }],
    ['a frame of an app', { ...OWN_PAGE, origin: 'null' }],
  ])('needs a page of this server: %s', async (_, headers) => {
    const { workspace, path } = await withDraft()
    const { revision } = await read(workspace, path)
    for (const verb of ['approve', 'turn-down'])
      expect((await post(workspace, `${path}/${verb}`, { revision }, headers)).status).toBe(403)
    expect(await text(workspace, '/a.txt')).toBe('old a\n')
    expect(await read(workspace, '/drafts')).toMatchObject({ waiting: 2 })
  })

  it('is refused for another revision, and for a body that is no decision', async () => {
    const { workspace, path } = await withDraft()
    const { revision } = await read(workspace, path)
    await (await workspace.fetch('/files/a.txt', { method: 'PUT', body: 'old, swapped\n' })).text()
    expect(await post(workspace, `${path}/approve`, { revision })).toMatchObject({
      status: 409,
      code: 'DRAFT_CHANGED',
    })
    for (const body of [{}, { revision: 7 }, { revision, files: ['/a.txt'] }, []])
      expect((await post(workspace, `${path}/approve`, body)).status).toBe(400)
    expect(await text(workspace, '/a.txt')).toBe('old, swapped\n')
  })

  it('breaks no rule that holds when it is made', async () => {
    const { workspace, path } = await withDraft()
    const config = JSON.stringify({ roots: [{ path: '/', immutable: ['a.txt'] }] })
    await (await workspace.fetch('/config', { method: 'PUT', body: config })).text()
    const { revision, changes } = await read(workspace, path)
    expect(changes).toMatchObject([{ conflict: { code: 'PATH_IMMUTABLE' } }, { conflict: null }])
    expect(await post(workspace, `${path}/approve`, { revision, groups: [1] })).toMatchObject({
      status: 400,
      code: 'MISSING_DIGEST',
    })
    expect(await post(workspace, `${path}/approve`, { revision })).toMatchObject({
      status: 409,
      code: 'DRAFT_CONFLICT',
    })
    expect(await text(workspace, '/b.txt')).toBe('old b\n')
    const rest = await post(workspace, `${path}/approve`, await groupBody(workspace, path, 1))
    expect(rest).toMatchObject({ decided: 1, left: 1 })
    expect(await text(workspace, '/a.txt')).toBe('old a\n')
  })

  it('is a POST', async () => {
    const { workspace, path } = await withDraft()
    const response = await workspace.fetch(`${path}/approve`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('cannot be made over MCP or through a session link', async () => {
    const { workspace, path } = await withDraft()
    const { revision } = await read(workspace, path)
    const names = [...TOOLS.keys()].filter((name) => /approve|decide|turn/.test(name))
    expect(names).toEqual([])
    const { result } = await workspace.call('delegate', { label: 'helper' })
    const link = String(result?.structuredContent['url'])
    const response = await freshWorkspace(link).fetch(`${path}/approve`, {
      method: 'POST',
      headers: OWN_PAGE,
      body: JSON.stringify({ revision }),
    })
    expect(response.status).toBe(401)
    expect(await text(workspace, '/a.txt')).toBe('old a\n')
  })
})

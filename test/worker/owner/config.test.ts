/** `/config` over HTTP: reading, writing and errors. */

import { freshWorkspace } from '../../support/worker/client.ts'
import { describe, expect, it } from 'vitest'

const put = async (body: string) => {
  const workspace = freshWorkspace()
  const response = await workspace.fetch('/config', { method: 'PUT', body })
  return { workspace, status: response.status, json: await response.json() }
}

it('returns the whole configuration with the settings that were written', async () => {
  const { workspace, status, json } = await put('{"find_limit": 7}')
  expect(status).toBe(200)
  expect(json).toMatchObject({ find_limit: 7, read_only: false, roots: [{ path: '/' }] })
  expect(await (await workspace.fetch('/config')).json()).toEqual(json)
})

it('lists the code, message and pointer of each problem, and changes nothing', async () => {
  const roots = [{ path: '/' }, { path: '/docs', deny: ['a', '[bad'] }]
  const { workspace, status, json } = await put(JSON.stringify({ roots, find_limit: -1, rots: 1 }))
  expect(status).toBe(400)
  expect(json).toEqual({
    code: 'INVALID_CONFIG',
    message: 'unknown config key: rots',
    problems: [
      { code: 'UNKNOWN_FIELD', message: 'unknown config key: rots', pointer: '/rots' },
      {
        code: 'INVALID_GLOB',
        message: expect.stringContaining('[bad'),
        pointer: '/roots/1/deny/1',
      },
      { code: 'INVALID_VALUE', message: expect.any(String), pointer: '/find_limit' },
    ],
  })
  expect(await (await workspace.fetch('/config')).json()).toMatchObject({ find_limit: 200 })
  expect(await (await workspace.fetch('/audit')).json()).toMatchObject({ entries: [] })
})

it.each(['', '[]', '7', 'null', '{'])('refuses the body %j', async (body) => {
  const { status, json } = await put(body)
  expect(status).toBe(400)
  expect(json).toMatchObject({
    code: 'INVALID_CONFIG',
    problems: [{ code: 'WRONG_TYPE', pointer: '' }],
  })
})

it('names the allowed methods', async () => {
  const response = await freshWorkspace().fetch('/config', { method: 'DELETE' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, HEAD, PUT')
  await response.body?.cancel()
})

describe('with If-Match', () => {
  it('replaces what was read, and nothing that was stored since', async () => {
    const workspace = freshWorkspace()
    const set = (body: object, match: string) =>
      workspace.fetch('/config', {
        ...{ method: 'PUT', body: JSON.stringify(body), headers: { 'if-match': match } },
      })
    const first = await tagIn(await workspace.fetch('/config'))
    const second = await tagIn(await set({ find_limit: 7 }, `"other", ${first}`))
    expect(second).toBe(await tagIn(await workspace.fetch('/config')))
    expect(second).not.toBe(first)

    const refused = await set({ read_only: true }, first)
    expect(refused.status).toBe(412)
    expect(await refused.json()).toMatchObject({ code: 'VERSION_CONFLICT' })
    const now = { find_limit: 7, read_only: false }
    expect(await (await workspace.fetch('/config')).json()).toMatchObject(now)
    const { entries } = await (await workspace.fetch('/audit')).json<{ entries: unknown[] }>()
    expect(entries).toHaveLength(1)

    // The same rules again have the same tag.
    await tagIn(await set({}, second))
    expect(await tagIn(await workspace.fetch('/config'))).toBe(first)
    await tagIn(await set({ find_limit: 8 }, '*'))
  })
})

/** Reads a response that is no refusal, and returns its entity tag. */
async function tagIn(response: Response): Promise<string> {
  expect(response.status).toBe(200)
  await response.body?.cancel()
  return response.headers.get('etag') ?? ''
}

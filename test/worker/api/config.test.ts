/** `/config` over HTTP: reading, writing and errors. */

import { freshWorkspace } from '../../support/worker/client.ts'
import { expect, it } from 'vitest'

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
  expect(response.headers.get('allow')).toBe('GET, PUT')
  await response.body?.cancel()
})

/**
 * A workspace whose server starts again with other variables and flags. How flags become `EDGEWISE_FLAGS`:
 * `test/flags.test.ts`; `npm start` with some of them: `test/e2e/flags.test.ts`.
 */

import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { Workspace } from '#worker/workspace.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createMemoryNamespace } from '../../support/memory/objects.ts'
import { receivedRequest } from '../../support/memory/received-request.ts'
import { ENVELOPE, modernRequest } from '../../support/worker/client.ts'

/** A server on data of its own, which starts again with other variables. */
function createServer() {
  let given: Env = env
  const { namespace, objectOf } = createMemoryNamespace(
    async (state) => new Workspace(state, given),
  )
  const fetch = (path: string, init?: RequestInit) =>
    front.fetch(receivedRequest(`http://localhost${path}`, init), given, createExecutionContext())
  const start = (variables: Partial<Env>) => {
    given = { ...env, ...variables, WORKSPACE: namespace }
    objectOf(namespace.get(namespace.idFromName('default'))).evict()
  }
  const put = async (path: string, body: string) => {
    const headers = { 'x-edgewise-console': '1', 'content-type': 'application/json' }
    const answer = await fetch(path, { method: 'PUT', headers, body })
    expect(answer.ok).toBe(true)
    await answer.arrayBuffer()
  }
  const call = async (name: string, args: object): Promise<string> => {
    const params = { name, arguments: args, _meta: ENVELOPE }
    return (await fetch('/mcp', modernRequest('tools/call', params))).text()
  }
  const store = (config: object) => put('/config', JSON.stringify(config))
  start({})
  return { start, fetch, put, store, call }
}

/** How many of 9 files `find_files` lists, after each of the five levels. */
it('defaults, EDGEWISE_CONFIG, EDGEWISE_{FIELD} and the console override in this order, and flags restrict', async () => {
  const { start, fetch, put, store, call } = createServer()
  const countFound = async () => {
    const { result } = JSON.parse(await call('find_files', { pattern: '*.txt' }))
    return result.structuredContent.matches.length
  }
  for (let file = 0; file < 9; file++) await put(`/files/${file}.txt`, 'x')
  expect(await countFound()).toBe(9)
  const config = { EDGEWISE_CONFIG: '{"find_limit":3}' }
  const field = { ...config, EDGEWISE_FIND_LIMIT: '4' }
  const found = (variables: Partial<Env>) => {
    start(variables)
    return countFound()
  }
  const flag = (limit: number) => ({ ...field, EDGEWISE_FLAGS: `{"find_limit":${limit}}` })
  expect(await found(config)).toBe(3)
  expect(await found(field)).toBe(4)
  expect(await found(flag(2))).toBe(2)
  expect(await found(flag(8))).toBe(4)
  start(field)
  await store({ find_limit: 6 })
  expect(await found(field)).toBe(6)
  expect(await found(flag(5))).toBe(5)
  start(flag(2))
  await store({ find_limit: 0 })
  expect(await countFound()).toBe(2)
  expect(await (await fetch('/config/flags')).json()).toEqual({ find_limit: 2 })
})

it('--root and --deny hold beside stored rules, and a request for more is not granted', async () => {
  const { start, fetch, put, store, call } = createServer()
  start({ EDGEWISE_FLAGS: '{"roots":[{"path":"/notes","deny":["private/**"]}]}' })
  for (const path of ['notes/a.txt', 'notes/private/b.txt', 'other/c.txt'])
    await put(`/files/${path}`, `text of ${path}`)
  await store({ roots: [{ path: '/' }, { path: '/other' }], allow_escape: true })
  const found = await call('find_files', { pattern: '**' })
  expect(found).toContain('a.txt')
  expect(found).not.toMatch(/b\.txt|c\.txt/)
  expect(await call('read_file', { path: 'a.txt' })).toContain('text of notes/a.txt')
  for (const path of ['/other/c.txt', '/notes/private/b.txt'])
    expect(await call('read_file', { path })).toContain('isError":true')
  expect(await call('search_files', { query: 'text' })).not.toMatch(/b\.txt|c\.txt/)
  expect(await (await fetch('/requests')).json()).toMatchObject({ requests: [] })
})

/** The JSON log: requests and calls joined by an id, without secrets. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { useProgram } from '../support/e2e/server.ts'

const server = useProgram({ EDGEWISE_LOG: 'json' })

type Line = Readonly<Record<string, unknown>>

const lines = () =>
  server
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line))

const records = (event: string, asked: Line) =>
  lines().filter(
    (line) =>
      line['event'] === event && Object.entries(asked).every(([key, one]) => line[key] === one),
  )

async function connected(url: URL, mode: { pin: string } | 'legacy') {
  const client = new Client({ name: 'logged', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

it.each([
  ['modern', { pin: '2026-07-28' }],
  ['older', 'legacy'],
] as const)('joins a call to its request, its session and its change (%s)', async (era, mode) => {
  const client = await connected(new URL('/w/logged/mcp', server.url), mode)
  const path = `/private-${era}.txt`
  const done = await client.callTool({ name: 'write_file', arguments: { path, content: 'hidden' } })
  expect(done.isError).toBeFalsy()
  const { id: change } = recordOf(done._meta?.['dev.edgewise/change'])
  expect(change).toMatch(/^\d+-[0-9a-z]{12}$/)
  // The log of a process arrives later than its response.
  await expect.poll(() => records('call', { change })).toHaveLength(1)
  const [call] = records('call', { change })
  expect(call).toMatchObject({ tool: 'write_file', outcome: 'applied', workspace: 'logged' })
  expect(call).toMatchObject({ principal: 'local', code: null })
  if (mode === 'legacy') expect(call?.['session']).toMatch(/^[0-9a-f-]{36,}$/)
  await expect
    .poll(() => records('request', { request: call?.['request'], route: '/w/…/mcp' }))
    .toMatchObject([{ method: 'POST', status: 200, workspace: 'logged' }])
  expect(server.stdout()).not.toContain('private')
  expect(server.stdout()).not.toContain('hidden')
  await client.close()
})

it('logs the actions of a link, and never the link', async () => {
  const made = await fetch(new URL('/sessions', server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'helper', ttl_seconds: 60 }),
  })
  const { id, url } = await made.json()
  const client = await connected(new URL(url), { pin: '2026-07-28' })
  await client.callTool({ name: 'list_folder', arguments: { path: '/' } })
  await client.close()
  await expect.poll(() => records('call', { session: id })).toMatchObject([{ outcome: 'read' }])
  await expect.poll(() => records('request', { route: '/s/…/mcp' })).not.toEqual([])
  const secret = /\.([^/]+)\/mcp$/.exec(url)?.[1] ?? 'no secret'
  expect(server.stdout()).not.toContain(secret)
})

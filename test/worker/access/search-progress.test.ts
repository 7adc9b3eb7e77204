/** The progress of a search says nothing of files that its caller may not read: neither how many, nor their content. */

import { describe, expect, it } from 'vitest'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { ENVELOPE, freshWorkspace, modernRequest } from '../../support/worker/client.ts'
import { runAlarm, stubOf } from '../../support/worker/object-life.ts'
import { END, file, join } from '../../support/worker/raw-tar.ts'

/** Enough text that a search takes several turns. */
const LONG = 'padding line\n'.repeat(40_000)

const SOME = 'padding '.repeat(25)

const HIDING = [
  { scopes: ['read:file:/pub', 'write:file:/pub'] },
  { policy: { roots: [{ path: '/', deny: ['secret/**'] }] } },
  // It is no range, so what it denies is read.
  { policy: { roots: [{ path: '/', deny: ['secret/*.txt'] }] } },
]

/** The parameters of the notifications during a search. */
async function progressOf({ fetch }: Workspace, pattern: string): Promise<unknown[]> {
  const _meta = { ...ENVELOPE, progressToken: 'p' }
  const params = { name: 'search_files', arguments: { pattern }, _meta }
  const response = await fetch('/mcp', modernRequest('tools/call', params))
  const events = (await response.text()).matchAll(/^data: (.*)$/gm)
  return [...events]
    .map(([, data = '']) => JSON.parse(data))
    .filter(({ method }) => method === 'notifications/progress')
    .map((message) => message.params)
}

/** Has all text indexed. */
async function index(workspace: Workspace): Promise<void> {
  const unindexed = async () => {
    await runAlarm(stubOf(workspace))
    return (await (await workspace.fetch('/status')).json<{ unindexed: number }>()).unindexed
  }
  await expect.poll(unindexed).toBe(0)
}

describe.each(HIDING)('a caller with %j', (access) => {
  it('sees the same progress, whether there are hidden files or not', async () => {
    const seen: unknown[] = []
    for (const hidden of [0, 3]) {
      const workspace = freshWorkspace()
      for (const name of ['a', 'b', 'c']) await workspace.put(`/pub/${name}.txt`, `${name} ${LONG}`)
      for (let n = 0; n < hidden; n++) await workspace.put(`/secret/${n}.txt`, `text ${n}`)
      const { client } = await linkOf(workspace, access)
      seen.push((await progressOf(client, '.')).at(0))
    }
    expect(seen[0]).toEqual({ progressToken: 'p', progress: expect.any(Number) })
    expect(seen[1]).toEqual(seen[0])
  })

  it('does not learn whether a hidden file contains a text', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/secret/key.txt', 'the password is tango7\n')
    await workspace.put('/pub/own.txt', `tango6 tango7 tango8\n${LONG}`)
    await index(workspace)
    const { client } = await linkOf(workspace, access)
    const seen = ['tango6', 'tango7', 'tango8'].map(async (guess) => {
      const progress = await progressOf(client, guess)
      expect(progress.length).toBeGreaterThan(0)
      return progress.at(0)
    })
    const [first, ...others] = await Promise.all(seen)
    for (const other of others) expect(other).toEqual(first)
  })
})

it('the owner sees how many files there are', async () => {
  const workspace = freshWorkspace()
  for (const name of ['a', 'b', 'c']) await workspace.put(`/${name}.txt`, `${name} ${LONG}`)
  expect(await progressOf(workspace, '.')).toContainEqual(expect.objectContaining({ total: 3 }))
})

it('a session does not learn what the draft of another one contains', async () => {
  const workspace = freshWorkspace()
  await workspace.fetch('/config', { method: 'PUT', body: '{"approval":"review"}' })
  const files = Array.from({ length: 2_001 }, (_, at) => file(`${at}`, `tango ${at} ${SOME}`))
  await workspace.fetch('/import', { method: 'POST', body: join(...files, END) })
  const [writer, reader] = [await linkOf(workspace), await linkOf(workspace)]
  const before = await progressOf(reader.client, 'tango')
  expect(before.length).toBeGreaterThan(0)
  await writer.client.text('write_file', { path: '/own.txt', content: 'tango in a draft' })
  expect((await progressOf(reader.client, 'tango')).at(0)).toEqual(before.at(0))
})

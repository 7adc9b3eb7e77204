/**
 * What each tool uses of the things that Cloudflare bills, in the calls of the tools' examples and a few more, each in an object that has just
 * started. No call
 * may use more than the facts of its tool say, from which the page of prices is made. Some calls are also counted in a
 * larger workspace and without the alarm. The numbers are upper bounds; a change that raises one needs a reason.
 */

import { INLINE_BYTES } from '#worker/limits.ts'
import { DUE } from '#worker/search/index-due.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { pricePerMillion } from '../../../scripts/prices.ts'
import { usagesOf, type CallUsage } from '#worker/tools/lib/checked-facts.ts'
import { countedWorkspace } from '../../support/worker/counted-workspace.ts'
import { TOOL_FACTS } from '../../support/worker/tool-facts.ts'

const OWN_PAGE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
const REVIEW = JSON.stringify({ approval: 'review' })
const FILES = 250
const LARGE = 'hello\n'.repeat(40_000)

/** What a call uses before it has returned. */
interface Cost {
  read: number
  written: number
  r2: number
}

const used = new Map<string, CallUsage>()

beforeAll(async () => {
  for (const [name, facts] of TOOL_FACTS) {
    const { call, restart, take, prepare } = await countedWorkspace()
    await prepare('checkpoints')
    for (const { tool, arguments: args, meta } of facts.given ?? []) await call(tool, args, meta)
    await restart()
    await take()
    await call(name, facts.example)
    used.set(name, await take())
  }
  const { fetch, call, restart, take } = await countedWorkspace()
  for (let file = 0; file < FILES; file++) {
    const body = file % (FILES / 5) === 0 ? `needle ${file}\n` : `file ${file}\n`
    await fetch(`/files/many/file-${file}.txt`, { method: 'PUT', body })
  }
  await fetch('/files/many/large.txt', { method: 'PUT', body: LARGE })
  for (const [name, { alsoUses = {} }] of TOOL_FACTS)
    for (const [what, each] of Object.entries(alsoUses)) {
      await restart()
      await take()
      await call(name, each.arguments)
      used.set(`${name}, ${what}`, await take())
    }
})

it.each([...TOOL_FACTS].flatMap(([name, facts]) => usagesOf(name, facts)))(
  '%s uses no more than its limit',
  (name, limits) => {
    const usage = used.get(name) ?? {}
    for (const [what, limit] of Object.entries(limits))
      expect(Reflect.get(usage, what), `${what} of ${JSON.stringify(usage)}`).toBeLessThanOrEqual(
        limit,
      )
  },
)

it('what a reader pays for is counted', () => {
  expect(used.get('read_file, 240 kB from R2')).toMatchObject({ classA: 0, classB: 1 })
  expect(used.get('write_file, 240 kB to R2')).toMatchObject({ classA: 1 })
  expect(used.get('write_file')?.rowsWritten).toBeGreaterThan(0)
})

describe('a call in a workspace of 500 files, without its alarm', () => {
  let workspace: Awaited<ReturnType<typeof countedWorkspace>>

  beforeAll(async () => {
    workspace = await countedWorkspace()
    const put = (path: string, body: string) =>
      workspace.fetch(`/files/${path}`, { method: 'PUT', body })
    for (let file = 0; file < 500; file++) await put(`d${file % 10}/f${file}`, `text ${file}`)
    for (const name of ['large', 'moved']) await put(name, name.repeat(INLINE_BYTES))
    await put('d0/many', 'one')
    await workspace.take()
  })

  it.each<[string, Record<string, unknown>, Cost]>([
    ['list_roots', {}, { read: 0, written: 0, r2: 0 }],
    ['read_file', { path: 'd0/f0' }, { read: 2, written: 0, r2: 0 }],
    ['read_file', { path: 'large' }, { read: 2, written: 0, r2: 1 }],
    [
      'read_multiple_files',
      { paths: ['d0/f0', 'd0/f10', 'd0/f20'] },
      { read: 6, written: 0, r2: 0 },
    ],
    ['find_files', { root: 'd1', limit: 10 }, { read: 13, written: 0, r2: 0 }],
    ['search_files', { pattern: 'text 123' }, { read: 60, written: 0, r2: 0 }],
    ['write_file', { path: 'd0/new', content: 'x' }, { read: 13, written: 5, r2: 0 }],
    ['write_file', { path: 'd1/f1', content: 'y' }, { read: 11, written: 5, r2: 0 }],
    ['write_file', { path: 'big', content: 'x'.repeat(200_000) }, { read: 12, written: 7, r2: 1 }],
    [
      'edit_file',
      { path: 'd0/many', edits: [{ find: 'one', replace: 'two' }] },
      { read: 14, written: 5, r2: 0 },
    ],
    ['move_file', { from: 'd2/f2', to: 'd2/g2' }, { read: 29, written: 5, r2: 0 }],
    ['move_file', { from: 'moved', to: 'larger' }, { read: 30, written: 5, r2: 0 }],
    ['delete_file', { path: 'd3/f3' }, { read: 17, written: 3, r2: 0 }],
  ])('%s %j costs at most %j', async (name, args, most) => {
    await workspace.take()
    await workspace.call(name, args)
    const cost = await workspace.takeAlone()
    expect(cost.rowsRead, `rows read by ${JSON.stringify(cost)}`).toBeLessThanOrEqual(most.read)
    expect(
      cost.rowsWritten - cost.alarms,
      `rows written by ${JSON.stringify(cost)}`,
    ).toBeLessThanOrEqual(most.written)
    expect(cost.classA + cost.classB + cost.deletes, 'R2 operations').toBe(most.r2)
  })
})

it('a change that waits writes at most ten rows: two each of its content and its note, five of the draft, and one for the notifier', async () => {
  const workspace = await countedWorkspace()
  await workspace.fetch('/config', { method: 'PUT', headers: OWN_PAGE, body: REVIEW })
  const write = (line: string) =>
    workspace.call('write_file', { path: '/draft.md', content: line.repeat(2_048) })
  await write('a\n')
  await workspace.take()
  await write('b\n')
  const { rowsWritten, alarms } = await workspace.takeAlone()
  expect(rowsWritten - alarms).toBeLessThanOrEqual(10)
})

it('the first use of a feature creates its tables, for a few rows more', async () => {
  const workspace = await countedWorkspace()
  await workspace.take()
  await workspace.call('create_checkpoint', { name: 'first' })
  const first = await workspace.takeAlone()
  await workspace.call('create_checkpoint', { name: 'second' })
  const second = await workspace.takeAlone()
  expect(first.rowsWritten - second.rowsWritten).toBe(2)
  // The largest group: seven tables and nine indexes.
  await workspace.prepare('drafts')
  expect((await workspace.takeAlone()).rowsWritten).toBeLessThanOrEqual(40)
})

it('writes share the work of the index: one alarm for a batch, and few rows each', async () => {
  const workspace = await countedWorkspace()
  const write = (at: number) =>
    workspace.fetch(`/files/f${at}`, { method: 'PUT', body: `text ${at}` })
  await write(0)
  await workspace.take()
  await write(1)
  const { rowsWritten: alone } = await workspace.take()
  for (let at = 2; at < DUE.contents; at++) await write(at)
  const writes = DUE.contents - 2
  const { requests, rowsWritten } = await workspace.take()
  expect(requests).toBe(writes + 1)
  expect(rowsWritten / writes - alone).toBeLessThanOrEqual(2)
})

it('a million calls cost what the prices say', () => {
  const usage = { requests: 2, rowsRead: 1000, rowsWritten: 10, classA: 1, classB: 1 }
  // 0.30 for the Worker, 0.30 for the object, 1 for reading, 10 for writing, 4.50 and 0.36 for R2.
  expect(pricePerMillion(usage)).toBeCloseTo(16.46, 6)
  // One second of CPU time of each call: 20 of the Worker, and 0.128 GB-seconds of the object.
  expect(pricePerMillion(usage, 1000)).toBeCloseTo(16.46 + 20 + 1.6, 6)
})

/**
 * The heap of the isolate under work that repeats itself: once caches are full, nothing is left of a call, a session or a
 * stream. The heap is that of V8 after a garbage collection, so garbage does not count, and a few hundred bytes do.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Connection } from '../../bench/connection.ts'
import { openInspector, type Inspector } from '../../bench/inspector.ts'
import { openStreams } from '../../bench/streams.ts'
import { legacy, modern, toolCall, type Params, type Wire } from '../../bench/wire.ts'
import { startWorkerd, stop, type Server } from '../../bench/workerd.ts'
import { buildIfOld } from '../../scripts/build.ts'
import { freePort } from '../../scripts/port.ts'
import { workerModules } from '../../scripts/built.ts'

/** Of each kind of work in one round. */
const TIMES = 400

/** The first of them fills caches. */
const ROUNDS = 4

/** Bytes that a call may leave in the round with the least growth: what V8 notes for itself, spread over the calls. */
const MAX_LEFT = 200

let server: Server
let inspector: Inspector
let session: Wire

beforeAll(async () => {
  await buildIfOld()
  const port = await freePort()
  const spec = { modules: workerModules(), className: 'Workspace', binding: 'WORKSPACE' }
  server = await startWorkerd('heap', spec, [`--inspector-addr=127.0.0.1:${port}`])
  const poke = async () => (await fetch(server.url('/status'))).text()
  await poke()
  inspector = await openInspector(port, poke)
  session = await legacy(server)
  // V8 compiles what is called often.
  const calls = CALLS.map(([, call]) => call)
  for (let at = 0; at < TIMES; at++) await send(calls.map((call) => call(at, modern)))
})

afterAll(async () => {
  inspector.close()
  await stop(server)
})

/** Returns the smallest growth of the heap between two rounds, for each of the times that a round does something. */
async function leftBy(times: number, work: () => Promise<void>): Promise<number> {
  const sizes: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await work()
    const { heap, buffers } = await inspector.measureHeap()
    sizes.push(heap + buffers)
  }
  const growths = sizes.slice(1).map((size, at) => size - (sizes[at] ?? 0))
  return Math.min(...growths) / times
}

/** A call, by the number of those before it. */
type Call = (at: number, wire: Wire) => Buffer

const note = (at: number) => `/notes/${at % 10}.md`

const tool =
  (name: string, args: (at: number) => Params, meta: (at: number) => Params = () => ({})): Call =>
  (at, wire) =>
    wire('tools/call', { name, arguments: args(at), _meta: meta(at) })

const written = (at: number) => ({ path: note(at), content: `text ${at}` })

const CALLS: [string, Call][] = [
  ['write_file', tool('write_file', written)],
  [
    'edit_file',
    tool('edit_file', (at) => ({
      path: '/edited.md',
      edits: [{ find: String(at), replace: String(at + 1) }],
    })),
  ],
  ['read_file', tool('read_file', (at) => ({ path: note(at) }))],
  ['read_file of what does not exist', tool('read_file', (at) => ({ path: `/none/${at}` }))],
  ['find_files', tool('find_files', (at) => ({ pattern: `n${at}` }))],
  ['search_files', tool('search_files', (at) => ({ pattern: `text ${at}` }))],
  ['a preview', tool('write_file', written, () => ({ preview: true }))],
  [
    'a call with a policy',
    tool(
      'read_file',
      (at) => ({ path: note(at) }),
      (at) => ({ policy: { roots: [{ path: '/', deny: [`x${at % 20}/**`] }] } }),
    ),
  ],
  ['an unknown tool', tool('no_tool', (at) => ({ at }))],
  ['a resource', (at, wire) => wire('resources/read', { uri: `file://${note(at)}` })],
]

describe.each([
  ['modern', () => modern],
  ['legacy', () => session],
])('calls of the %s era leave nothing behind', (_, wireOf) => {
  it.each(CALLS)('%s', async (_name, call) => {
    let at = 0
    for (let file = 0; file < 10; file++)
      await send([toolCall(modern, 'write_file', written(file))])
    await send([toolCall(modern, 'write_file', { path: '/edited.md', content: '0' })])
    const left = await leftBy(TIMES, () =>
      send(Array.from({ length: TIMES }, () => call(at++, wireOf()))),
    )
    expect(left).toBeLessThan(MAX_LEFT)
  })
})

/** Sends requests one after the other. workerd closes a connection that waits too long, so each round has its own. */
async function send(requests: readonly Buffer[]): Promise<void> {
  const connection = new Connection('heap', server.port)
  for (const request of requests) expect((await connection.send(request)).status).toBe(200)
  connection.close()
}

it('sessions leave nothing behind', async () => {
  const sessions = TIMES / 2
  const left = await leftBy(sessions, async () => {
    for (let count = 0; count < sessions; count++) await legacy(server)
  })
  expect(left).toBeLessThan(MAX_LEFT)
})

it('streams leave nothing behind', async () => {
  const uris = Array.from({ length: TIMES }, (_, at) => `file://${note(at)}`)
  const left = await leftBy(TIMES, async () => {
    const streams = await openStreams(server, uris)
    streams.close()
    await wait(1_000)
  })
  expect(left).toBeLessThan(MAX_LEFT)
})

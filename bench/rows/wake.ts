/**
 * What a caller waits for when nothing is in memory: the first call of an evicted object, and the first answer of a
 * process.
 *
 * An object is evicted by ending its process. The next process runs on the same data, and wakes a few objects first,
 * so that the code is loaded and warm; then each of many objects gets its first call. What is measured is therefore an
 * object's own waking: constructor, opening its database, and the call. The first answer of a process is measured
 * from the start of workerd, which both have in common.
 *
 * @module
 */

import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../connection.ts'
import type { Figure } from '../figure.ts'
import { encodeRequest } from '../http.ts'
import { check, once } from '../load.ts'
import { interleave, median } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { modern, modernAt, toolCall } from '../wire.ts'
import { end, restart, startAgain, startWorkerd, stop, type Server } from '../workerd.ts'

const MARKER = 'the-last-words'
const FILE = `${'const answer = compute(question) // 64 characters with a newline\n'.repeat(62)}${MARKER}\n`

/** Objects that are called before the measured ones. */
const WARM = 20

/** The rows of waking up. */
export const rows: Row[] = [
  {
    name: 'wake',
    goal: 'at most 1.5 times a bare object that reads one row',
    limit:
      'Opening checks the version of the tables, reads configuration and counters, and assembles the services; the bare object prepares one statement.',
    run: compareWaking,
  },
  {
    name: 'cold',
    goal: 'at most the time of the stock handler',
    limit:
      'Starting workerd, and compiling and evaluating a module that is larger than that of the stock handler.',
    run: compareFirstAnswer,
  },
]

interface Sleepers {
  readonly baseline: string | null
  /** Returns where `PUT` stores the file of an object. */
  readonly file: (object: number) => string
  /** Encodes the first call of an object. */
  readonly first: (object: number) => Buffer
}

const OURS: Sleepers = {
  baseline: null,
  file: (object) => `/w/sleeper-${object}/files/read.txt`,
  first: (object) => {
    return toolCall(modernAt(`/w/sleeper-${object}/mcp`), 'read_file', { path: 'read.txt' })
  },
}

const BARE: Sleepers = {
  baseline: 'keep',
  file: (object) => `/sleeper-${object}`,
  first: (object) => {
    return encodeRequest({ method: 'GET', path: `/sleeper-${object}`, headers: {} })
  },
}

async function compareWaking(context: Context): Promise<Figure[]> {
  const objects = WARM + context.scale.requests
  const [ours, bare] = [await sleep(context, OURS, objects), await sleep(context, BARE, objects)]
  const measured = await interleave(context.scale.rounds, {
    edgewise: () => ours.wake(),
    bare: () => bare.wake(),
  })
  await Promise.all([ours.stop(), bare.stop()])
  return [
    {
      work: 'read_file, first call of an evicted object',
      unit: 'ms',
      edgewise: measured.edgewise,
      baseline: { name: 'bare object that reads one row', value: measured.bare },
      goal: { ratioAtMost: 1.5 },
    },
  ]
}

/** Creates the objects; `wake` evicts all of them and returns the median time of their first calls. */
async function sleep(context: Context, { baseline, file, first }: Sleepers, objects: number) {
  let server = await startWorkerd(`sleep-${baseline}`, await context.worker(baseline))
  for (let object = 0; object < objects; object++) await put(server, file(object), FILE)
  async function wake(): Promise<number> {
    server = await restart(server)
    const connection = new Connection('sleeper', server.port)
    const times: number[] = []
    for (let object = 0; object < objects; object++) {
      const request = first(object)
      const start = performance.now()
      const reply = await connection.send(request)
      if (object >= WARM) times.push(performance.now() - start)
      check(reply, { name: 'sleeper', marker: MARKER })
    }
    connection.close()
    return median(times)
  }
  return { wake, stop: () => stop(server) }
}

/** Longest time until a process answers, in milliseconds. */
const MAX_START_MS = 30_000

async function compareFirstAnswer(context: Context): Promise<Figure[]> {
  const [ours, stock] = [await openCold(context, null), await openCold(context, 'handler')]
  const measured = await interleave(context.scale.rounds, {
    edgewise: () => ours.start(),
    stock: () => stock.start(),
  })
  await Promise.all([ours.stop(), stock.stop()])
  return [
    {
      work: 'tools/list, first answer of a cold Worker',
      unit: 'ms',
      edgewise: measured.edgewise,
      baseline: { name: 'stock createMcpHandler', value: measured.stock },
      goal: { ratioAtMost: 1 },
    },
  ]
}

/** Runs a process; `start` ends it and returns the time from the start of the next one to its first answer. */
async function openCold(context: Context, baseline: string | null) {
  let server = await startWorkerd(`cold-${baseline}`, await context.worker(baseline))
  const repeats = Math.ceil(context.scale.requests / 30)
  async function start(): Promise<number> {
    const times: number[] = []
    while (times.length < repeats) {
      await end(server)
      const from = performance.now()
      server = startAgain(server)
      await untilAnswered(server, from)
      times.push(performance.now() - from)
    }
    return median(times)
  }
  return { start, stop: () => stop(server) }
}

async function untilAnswered({ port }: Server, from: number): Promise<void> {
  const request = () => modern('tools/list')
  for (;;) {
    try {
      await once({ name: 'cold', port, request, marker: '"name":"edit_file"' })
      return
    } catch (error) {
      if (performance.now() - from > MAX_START_MS) throw error
      await wait(1)
    }
  }
}

/**
 * The first call of an evicted object.
 *
 * workerd evicts an object that was idle for ten seconds: it closes the database, and its log is deleted. A process that
 * is ended leaves the log, and the next one reads all of it, which is no part of waking up. So the row waits. It wakes a
 * few objects first, so that the code is warm; then each of many objects gets its first call. What is measured is
 * therefore an object's own waking: constructor, opening its database, and the call.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../connection.ts'
import type { Figure } from '../../scripts/figure.ts'
import { encodeRequest } from '../http.ts'
import { check } from '../load.ts'
import { interleave, median } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { modernAt, toolCall } from '../wire.ts'
import { startWorkerd, stop, type Server } from '../workerd.ts'

const MARKER = 'the-last-words'
const FILE = `${'const answer = compute(question) // 64 characters with a newline\n'.repeat(62)}${MARKER}\n`

/** Objects that are called before the measured ones. */
const WARM = 20

/** The row of waking up. */
export const rows: Row[] = [
  {
    name: 'wake',
    goal: 'at most 1.5 times a bare object that reads one row',
    limit:
      'SQLite parses 18 tables and 13 indexes where the bare object has one table; then one statement reads rules and counters, the services are assembled, and a call takes two more statements.',
    tried:
      'One statement in place of one for each service, no transaction, the SDK and schemas loaded when they are used, and tables of rare features created with their first row: decision 24.',
    run: compareWaking,
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

/** Creates the objects; `wake` waits until all are evicted, and returns the median time of their first calls. */
async function sleep(context: Context, { baseline, file, first }: Sleepers, objects: number) {
  const server = await startWorkerd(`sleep-${baseline}`, await context.worker(baseline))
  for (let object = 0; object < objects; object++) await put(server, file(object), FILE)
  async function wake(): Promise<number> {
    await untilEvicted(server)
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

/** Longest time until objects are evicted, in milliseconds. */
const MAX_IDLE_MS = 60_000

/** Waits until no object has its database open: each has a log while it has. */
async function untilEvicted({ folder }: Server): Promise<void> {
  const end = performance.now() + MAX_IDLE_MS
  while (openDatabases(folder) > 0) {
    if (performance.now() > end) throw new Error('The objects were not evicted in time')
    await wait(250)
  }
}

/** workerd has a database of its own beside those of the objects, which stays open. */
const openDatabases = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.sqlite-wal') && !name.endsWith('metadata.sqlite-wal'),
  ).length

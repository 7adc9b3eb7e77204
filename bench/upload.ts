/**
 * Uploads content to a server before a measurement.
 *
 * @module
 */

import { setTimeout as wait } from 'node:timers/promises'
import { DUE } from '#worker/search/index-due.ts'
import type { Server } from './workerd.ts'

/** Time limit of indexing in milliseconds. */
const MAX_INDEX_MS = 15 * 60_000

/** Uploads one file, or sets the constant of a baseline. */
export function put(server: Server, path: string, body: string | Uint8Array<ArrayBuffer>) {
  return send(server, path, { method: 'PUT', body })
}

/** A workspace of a server in place of its default one. */
export const inWorkspace = (server: Server, name: string): Server => {
  return { ...server, url: (path) => server.url(`/w/${name}${path}`) }
}

/** Sets the configuration of the default workspace. */
export function configure(server: Server, config: Readonly<Record<string, unknown>>) {
  const headers = { 'content-type': 'application/json' }
  return send(server, '/config', { method: 'PUT', headers, body: JSON.stringify(config) })
}

/**
 * Imports a tar stream.
 *
 * @throws When the import was not completed.
 */
export async function importTar(server: Server, archive: ReadableStream): Promise<void> {
  const headers = { 'content-type': 'application/x-tar' }
  const report = await send(server, '/import', {
    method: 'POST',
    headers,
    body: archive,
    duplex: 'half',
  })
  if (report.includes('"error"')) throw new Error(`The import was not completed: ${report}`)
}

/**
 * Waits until the search index contains all files, or only so few are left that they wait for more.
 *
 * @throws After the time limit.
 */
export async function waitForIndex(server: Server): Promise<void> {
  const end = performance.now() + MAX_INDEX_MS
  for (let before = Infinity; ;) {
    const left = await unindexed(server)
    const mayRest = left < DUE.contents
    if (left === 0 || (mayRest && left === before)) return
    before = left
    if (performance.now() > end)
      throw new Error('The search index is still incomplete after the time limit')
    await wait(mayRest ? REST_MS : Math.min(MIN_POLL_MS + left / FILES_PER_MS, MAX_POLL_MS))
  }
}

/** The object counts what is left for each question, so it is asked seldom while that is much. */
const [MIN_POLL_MS, MAX_POLL_MS] = [100, 5_000]

/** Longer than the alarm takes to begin: what is left then waits for more. */
const REST_MS = 2_000

/** No index is made faster than this, so the wait ends no later than it would. */
const FILES_PER_MS = 20

/** Takes a sample, and waits for the index, which would otherwise take time from the next contender. */
export async function thenIndexed(server: Server, sample: () => Promise<number>): Promise<number> {
  const value = await sample()
  await waitForIndex(server)
  return value
}

async function unindexed(server: Server): Promise<number> {
  const text = await send(server, '/status', {})
  const count = /"unindexed":(\d+)/.exec(text)?.[1]
  if (count === undefined)
    throw new Error(`Cannot read the number of unindexed files from /status: ${text}`)
  return Number(count)
}

async function send(server: Server, path: string, init: RequestInit): Promise<string> {
  const response = await fetch(server.url(path), init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 400)}`)
  return text
}

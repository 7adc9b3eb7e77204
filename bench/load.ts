/**
 * Load generator: requests per second on several connections, and latency.
 *
 * Every response is checked. A status other than that of the target, or a response without the target's marker,
 * ends the measurement with an error, because fast errors would look like good figures.
 *
 * @module
 */

import { Connection } from './connection.ts'
import type { Reply } from './http.ts'
import { median } from './median.ts'

/** A server and the requests to send to it. */
export interface Target {
  readonly name: string
  readonly port: number
  /** Returns the bytes of the next request. */
  request(): Buffer
  /** Text that every correct response contains. */
  readonly marker: string
  /** The status of every correct response; by default 200. */
  readonly status?: number
}

/** Number of connections of a throughput measurement. */
export const CONNECTIONS = 16

/** Measures requests per second. */
export async function throughput(
  target: Target,
  seconds: number,
  count = CONNECTIONS,
): Promise<number> {
  const connections = Array.from({ length: count }, () => new Connection(target.name, target.port))
  const start = performance.now()
  const end = start + seconds * 1000
  const counts = await Promise.all(connections.map((one) => sendUntil(end, one, target)))
  const elapsed = performance.now() - start
  for (const connection of connections) connection.close()
  return counts.reduce((sum, one) => sum + one, 0) / (elapsed / 1000)
}

async function sendUntil(end: number, connection: Connection, target: Target): Promise<number> {
  let count = 0
  while (performance.now() < end) {
    check(await connection.send(target.request()), target)
    count++
  }
  return count
}

/** Longest duration of a latency round in milliseconds, even if requests remain. */
const ENOUGH_MS = 1_000

/** Measures the median latency of sequential requests, in milliseconds. */
export async function latency(target: Target, requests: number): Promise<number> {
  const connection = new Connection(target.name, target.port)
  const times: number[] = []
  const end = performance.now() + ENOUGH_MS
  do {
    const start = performance.now()
    const reply = await connection.send(target.request())
    times.push(performance.now() - start)
    check(reply, target)
  } while (times.length < requests && performance.now() < end)
  connection.close()
  return median(times)
}

/** Sends one request and checks its response. */
export async function once(target: Target): Promise<Reply> {
  const connection = new Connection(target.name, target.port)
  const reply = await connection.send(target.request())
  connection.close()
  check(reply, target)
  return reply
}

/**
 * Checks a response.
 *
 * @throws When its status is another one or the marker is missing.
 */
export function check(
  { status, body }: Reply,
  { name, marker, status: wanted = 200 }: Pick<Target, 'name' | 'marker' | 'status'>,
): void {
  if (status === wanted && body.includes(marker)) return
  throw new Error(`${name} returned ${status}: ${body.toString('utf8', 0, 400)}`)
}

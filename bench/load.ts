/**
 * The load generator: how many requests per second on several connections, and how long one takes.
 *
 * Every answer is looked at. One that is not 200, or that lacks the target's marker, ends the
 * measurement with an error, because an error that is answered quickly makes a fine figure.
 *
 * @module
 */

import { Connection } from './connection.ts'
import type { Reply } from './http.ts'
import { median } from './median.ts'

export interface Target {
  readonly name: string
  readonly port: number
  /** The bytes of the next request. */
  request(): Buffer
  /** Text that every right answer holds. */
  readonly marker: string
}

export const CONNECTIONS = 16

/** Requests per second. */
export async function throughput(target: Target, seconds: number): Promise<number> {
  const connections = Array.from(
    { length: CONNECTIONS },
    () => new Connection(target.name, target.port),
  )
  const start = performance.now()
  const end = start + seconds * 1000
  const counts = await Promise.all(connections.map((one) => sendUntil(end, one, target)))
  const elapsed = performance.now() - start
  for (const connection of connections) connection.close()
  return counts.reduce((sum, count) => sum + count, 0) / (elapsed / 1000)
}

async function sendUntil(end: number, connection: Connection, target: Target): Promise<number> {
  let count = 0
  while (performance.now() < end) {
    check(await connection.send(target.request()), target)
    count++
  }
  return count
}

/** A round of latency ends here, even when there are requests left. */
const ENOUGH_MS = 1_000

/** Milliseconds that the median of so many requests takes when they come one after the other. */
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

/** One request, its answer checked. */
export async function once(target: Target): Promise<Reply> {
  const connection = new Connection(target.name, target.port)
  const reply = await connection.send(target.request())
  connection.close()
  check(reply, target)
  return reply
}

function check({ status, body }: Reply, { name, marker }: Target): void {
  if (status === 200 && body.includes(marker)) return
  throw new Error(`${name} answered ${status}: ${body.toString('utf8', 0, 400)}`)
}

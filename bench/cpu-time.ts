/**
 * CPU time of a process, which counts what its threads used and not what they waited for.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { CONNECTIONS, throughput, type Target } from './load.ts'
import type { Server } from './workerd.ts'

/** Milliseconds of a clock tick, in which Linux counts: `getconf CLK_TCK` is 100 everywhere. */
const TICK_MS = 10

/** How CPU time is measured. */
interface Options {
  readonly seconds: number
  /** Waits for the work that calls leave behind. */
  readonly settle?: () => Promise<unknown>
  /** Whether each call waits for the one before. */
  readonly inTurn?: boolean
}

/** Measures the CPU time of one call in milliseconds. */
export async function cpuPerCall(
  server: Server,
  target: Target,
  { seconds, settle, inTurn = false }: Options,
): Promise<number> {
  const before = cpuTime(server)
  const start = performance.now()
  const rate = await throughput(target, seconds, inTurn ? 1 : CONNECTIONS)
  const calls = (rate * (performance.now() - start)) / 1000
  await settle?.()
  return (cpuTime(server) - before) / calls
}

/** The 14th and the 15th field are ticks in user mode and in the kernel; the second may contain spaces. */
function cpuTime({ child }: Server): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

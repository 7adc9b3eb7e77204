/**
 * CPU time of a process, which counts what its threads used and not what they waited for.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { throughput, type Target } from './load.ts'
import type { Server } from './workerd.ts'

/** Milliseconds of a clock tick, in which Linux counts: `getconf CLK_TCK` is 100 everywhere. */
const TICK_MS = 10

/** Measures the CPU time of one call in milliseconds; `settle` waits for the work that calls leave behind. */
export async function cpuPerCall(
  server: Server,
  target: Target,
  seconds: number,
  settle: () => Promise<unknown> = async () => {},
): Promise<number> {
  const before = cpuTime(server)
  const start = performance.now()
  const rate = await throughput(target, seconds)
  const calls = (rate * (performance.now() - start)) / 1000
  await settle()
  return (cpuTime(server) - before) / calls
}

/** The 14th and the 15th field are ticks in user mode and in the kernel; the second may contain spaces. */
function cpuTime({ child }: Server): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

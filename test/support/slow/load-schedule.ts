/**
 * Two schedules of load: each agent as fast as it can, or a fixed number of turns per second.
 *
 * @module
 */

import { setTimeout as wait } from 'node:timers/promises'

/** Does one piece of work; false when there must be no more of it. */
export type Worker = () => Promise<boolean>

export interface Driven {
  readonly turns: number
  readonly seconds: number
  /** Milliseconds by which each turn began late, because all agents were busy. */
  readonly late: readonly number[]
}

/** Waits for the next turn. Answers by how many milliseconds it is late, or null after the last. */
type Turn = () => Promise<number | null>

/** Each takes the next turn as soon as the previous one is done, which measures the maximum. */
export function closedLoop(workers: readonly Worker[], seconds: number): Promise<Driven> {
  const end = performance.now() + seconds * 1000
  return drive(workers, async () => (performance.now() < end ? 0 : null))
}

/** Starts turns at fixed times, however long the previous ones take, as long as an agent is free. */
export function openLoop(
  workers: readonly Worker[],
  rate: number,
  seconds: number,
): Promise<Driven> {
  const start = performance.now()
  let turn = 0
  return drive(workers, async () => {
    const due = (turn++ / rate) * 1000
    const now = performance.now() - start
    if (Math.max(due, now) >= seconds * 1000) return null
    if (due > now) await wait(due - now)
    return Math.max(0, performance.now() - start - due)
  })
}

async function drive(workers: readonly Worker[], turn: Turn): Promise<Driven> {
  const late: number[] = []
  const start = performance.now()
  const one = async (work: Worker) => {
    for (;;) {
      const lateness = await turn()
      if (lateness === null) return
      late.push(lateness)
      if (!(await work())) return
    }
  }
  await Promise.all(workers.map(one))
  return { turns: late.length, seconds: (performance.now() - start) / 1000, late }
}

/**
 * Memory and file descriptors of a running product, whose processes are found by its data folder.
 *
 * @module
 */

import { readdirSync, readFileSync } from 'node:fs'
import { quantiles } from './load-statistics.ts'

const SAMPLE_MS = 500

/** The processes of a product, which hand their environment on. */
function processesOf(data: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const folder = `EDGEWISE_DATA=${data}\0`
  return pids.filter((pid) => textOf(`/proc/${pid}/environ`).includes(folder))
}

/** Bytes in memory of a product. */
export function residentOf(data: string): number {
  const sizes = processesOf(data).map((pid) =>
    Number(/VmRSS:\s+(\d+) kB/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size * 1024, 0)
}

/** Files and sockets that a product has open. */
export function descriptorsOf(data: string): number {
  const counts = processesOf(data).map((pid) => readdirSync(`/proc/${pid}/fd`).length)
  return counts.reduce((sum, count) => sum + count, 0)
}

/** A process may end between the list and the look. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Samples memory until it is stopped. */
export function watchMemory(data: string) {
  const samples: number[] = []
  const timer = setInterval(() => samples.push(residentOf(data)), SAMPLE_MS)
  return {
    /** The medians of as many equal parts of the time, in bytes. */
    stop(parts: number): readonly number[] {
      clearInterval(timer)
      const size = Math.ceil(samples.length / parts)
      return Array.from({ length: parts }, (_, at) =>
        samples.slice(at * size, (at + 1) * size),
      ).flatMap((part) => quantiles(part, 0.5))
    },
  }
}

/**
 * The smallest growth from one size to the next, in bytes. A leak grows every time, and garbage that V8 lets wait grows
 * in leaps, of which each machine has others.
 */
export function steadyGrowth(sizes: readonly number[]): number {
  return Math.min(...sizes.slice(1).map((size, at) => size - (sizes[at] ?? Infinity)))
}

export const mib = (bytes: number) => Math.round(bytes / 1024 / 1024)

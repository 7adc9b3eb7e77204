/**
 * Types of a table row and of the context in which it is measured.
 *
 * Each file in `bench/rows/` exports `rows`. A new row needs only a new file there.
 *
 * @module
 */

import type { WorkerSpec } from './capnp.ts'
import type { Figure } from '../scripts/figure.ts'
import type { Server } from './workerd.ts'

/** A row of the table, or several with one goal. */
export interface Row {
  readonly name: string
  /** The goal in words. */
  readonly goal: string
  /** What limits it, in a sentence for the documentation. A row with a goal needs one. */
  readonly limit?: string
  /** What was done to meet its goals, in a sentence for the documentation. A row that misses one needs it. */
  readonly tried?: string
  /** Measures the figures of the row. */
  run(context: Context): Promise<Figure[]>
}

/** Duration and amount of the measurements of a run. */
export interface Scale {
  readonly rounds: number
  /** Seconds of one round of throughput. */
  readonly seconds: number
  /** Requests in one round of latency. */
  readonly requests: number
  /** Files in the tree that is searched. */
  readonly treeFiles: number
  /** Files in the larger of the two workspaces whose paths are matched. */
  readonly manyFiles: number
  /** Files in each of the workspaces that are compared by size, from the smallest to the largest. */
  readonly sizes: readonly number[]
  /** Bytes in the largest of them, most of them in large files. */
  readonly bytes: number
}

/** What a row needs for its measurements. */
export interface Context {
  readonly scale: Scale
  /** Returns a Worker of `bench/baselines/`, started on first use, or a process of it for this purpose only. */
  baseline(name: string, purpose?: string): Promise<Server>
  /** Returns a product process for this purpose only, empty at first. `options` are those of `workerd serve`. */
  product(purpose: string, options?: readonly string[]): Promise<Server>
  /** Returns the Worker of a baseline, or of the product for null, for a row that runs its processes itself. */
  worker(baseline: string | null): Promise<WorkerSpec>
  /** Returns the size of a baseline's bundle in bytes, gzipped. */
  baselineSize(name: string): Promise<number>
}

/** A full run, whose results are written. */
export const FULL: Scale = {
  rounds: 5,
  seconds: 2,
  requests: 100,
  treeFiles: 10_000,
  manyFiles: 100_000,
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  bytes: 10 * 2 ** 30,
}

/** A short run for trying out a row; its results are not written. */
export const QUICK: Scale = {
  rounds: 1,
  seconds: 0.5,
  requests: 20,
  treeFiles: 500,
  manyFiles: 5_000,
  sizes: [1_000, 5_000],
  bytes: 2 ** 27,
}

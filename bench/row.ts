/**
 * What a row of the table is, and what it is given to find its figures with.
 *
 * Each file in `bench/rows/` exports `rows`. A new row is a new file there and nothing else.
 *
 * @module
 */

import type { Figure } from './figure.ts'
import type { Server } from './workerd.ts'

export interface Row {
  readonly name: string
  /** What the design asks for, in its words. */
  readonly goal: string
  run(context: Context): Promise<Figure[]>
}

/** How long to measure, and on how much. */
export interface Pace {
  readonly rounds: number
  /** Of one round of throughput. */
  readonly seconds: number
  /** Requests in one round of latency. */
  readonly requests: number
  /** Files in the tree that is searched. */
  readonly treeFiles: number
  /** Files in the larger of the two workspaces whose paths are matched. */
  readonly manyFiles: number
}

export interface Context {
  readonly pace: Pace
  /** A worker of `bench/baselines/`, started when it is first asked for. */
  baseline(name: string): Promise<Server>
  /** A process of the product for this purpose alone, with nothing in it at first. */
  product(purpose: string): Promise<Server>
  /** Bytes of a baseline's bundle, gzipped. */
  baselineSize(name: string): Promise<number>
}

export const FULL: Pace = {
  rounds: 5,
  seconds: 2,
  requests: 100,
  treeFiles: 10_000,
  manyFiles: 100_000,
}

/** For trying out a row. Nothing is written. */
export const QUICK: Pace = {
  rounds: 1,
  seconds: 0.5,
  requests: 20,
  treeFiles: 500,
  manyFiles: 5_000,
}

/**
 * A planted fault: a small change of the product that breaks one promise, and the tests that have to find it.
 *
 * `test/planted.test.ts` checks the tables, `test/planted/run.ts` plants the faults.
 *
 * @module
 */

/** One change of the product that breaks one promise. */
export interface Fault {
  /** Unique; the run takes a part of it as a filter. */
  readonly name: string
  /** What does not hold any more. */
  readonly promise: string
  /** The file that is changed, from the top of the repository. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly before: string
  /** What replaces it. */
  readonly after: string
  /** The test files that have to find the fault, the narrowest one first. */
  readonly tests: readonly string[]
}

/** The test that found a fault. */
export interface FoundBy {
  readonly file: string
  readonly test: string
}

/** The test that found each fault at the last run, by the name of the fault: the content of `found.json`. */
export type FoundTable = Readonly<Record<string, FoundBy>>

/** The file of the table, from the top of the repository. */
export const FOUND_FILE = 'test/planted/found.json'

/**
 * The results of a lane: one for each test, one for each file, and one for the lane as a whole.
 * `scripts/test/reporter.ts` writes those of tests and files. `test/second-run.test.ts` tests them.
 *
 * @module
 */

import { readFileSync } from 'node:fs'

/** The result of a test, of a file outside of its tests, or of a lane outside of its files. */
export interface Result {
  readonly kind: 'test' | 'file' | 'lane'
  /** The Vitest project, or the name of the lane. */
  readonly project: string
  /** The path from the root folder of the lane; empty for a lane. */
  readonly file: string
  /** The name of the test with the names of its groups; empty for a file and a lane. */
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly errors: readonly ResultError[]
  /** Why a test was skipped, if it says so. */
  readonly reason?: string
  /** The errors of the first run, if this passed in the second. */
  readonly firstErrors?: readonly ResultError[]
}

/** The part of an error that the report and the second run need. */
export interface ResultError {
  readonly name: string
  readonly message: string
  /** The message of the cause. */
  readonly cause?: string
}

/** What the reporter writes: the results, and the errors that Vitest attributes to no file. */
export interface ResultFile {
  readonly results: readonly Result[]
  readonly errors: readonly ResultError[]
}

/** Returns an error with only a message. */
export const createError = (message: string): ResultError => ({ name: 'Error', message })

/** Names a result: the same test of the same file in two projects is two results. */
export const keyOf = ({ kind, project, file, name }: Result): string =>
  JSON.stringify([kind, project, file, name])

export const isFailed = ({ state }: Result): boolean => state === 'failed'

/** Reads what the reporter wrote. Returns nothing if Vitest ended before it wrote. */
export function readResults(path: string): ResultFile | undefined {
  try {
    const file: ResultFile = JSON.parse(readFileSync(path, 'utf8'))
    return file
  } catch {
    return undefined
  }
}

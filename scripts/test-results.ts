/**
 * What a run of Vitest has passed and failed, from its result file.
 *
 * `test/test-results.test.ts` tests it.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './settings.ts'

export interface Outcome {
  readonly passed: number
  readonly skipped: number
  /** What failed: a test, with its file and the first line of its error, or the name of a step. */
  readonly failures: readonly string[]
  /** What passed at the second attempt, with the error of the first. */
  readonly retried: readonly string[]
}

/** The part of the result file that is read here: https://vitest.dev/guide/reporters#json-reporter */
interface Results {
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly FileResult[]
}

interface FileResult {
  readonly name: string
  readonly status: string
  /** Why the file could not be run. */
  readonly message: string
  readonly assertionResults: readonly TestResult[]
}

interface TestResult {
  readonly fullName: string
  readonly status: string
  /** The errors of all attempts. */
  readonly failureMessages?: readonly string[]
}

const NOTHING: Outcome = { passed: 0, skipped: 0, failures: [], retried: [] }

export const passedStep: Outcome = { ...NOTHING, passed: 1 }

export const failed = (what: string): Outcome => ({ ...NOTHING, failures: [what] })

/** Reads a result file. A run that was interrupted, or failed outside a test (`fine` is false), is one failure. */
export function readOutcome(run: string, file: string, fine: boolean): Outcome {
  try {
    const results: Results = JSON.parse(readFileSync(file, 'utf8'))
    const failures = results.testResults.flatMap(failuresOf)
    const outside = fine || failures.length > 0 ? [] : [`${run}: failed outside a test`]
    const { numPassedTests: passed, numPendingTests: skipped } = results
    const retried = results.testResults.flatMap(retriedOf)
    return { passed, skipped, failures: [...failures, ...outside], retried }
  } catch {
    return failed(`${run}: wrote no results`)
  }
}

function failuresOf({ name, status, message, assertionResults }: FileResult): string[] {
  const file = relative(ROOT, name)
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && tests.length === 0) return [`${file}: ${firstLine(message)}`]
  return tests.map((test) => describe(file, test))
}

const retriedOf = ({ name, assertionResults }: FileResult): string[] =>
  assertionResults
    .filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0)
    .map((test) => describe(relative(ROOT, name), test))

const describe = (file: string, { fullName, failureMessages }: TestResult) =>
  `${file} > ${fullName}: ${firstLine(failureMessages?.[0])}`

const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0] ?? ''

export function sumOf(outcomes: readonly Outcome[]): Outcome {
  const count = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, one) => sum + of(one), 0)
  return {
    passed: count(({ passed }) => passed),
    skipped: count(({ skipped }) => skipped),
    failures: outcomes.flatMap(({ failures }) => failures),
    retried: outcomes.flatMap(({ retried }) => retried),
  }
}

/**
 * A Vitest reporter that writes the result of each test and file with its project, which the reporter for JSON leaves
 * out. `test/second-run.test.ts` tests it.
 *
 * @module
 */

import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { createError, type Result, type ResultError, type ResultFile } from './results.ts'

/** The environment variable with the path of the file to write. */
export const RESULT_FILE = 'EDGEWISE_RESULT_FILE'

/** Writes the results at the end of a run. */
export default class ResultReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: string,
  ): void {
    const results = modules.flatMap((module) => [
      createFileResult(module, unhandled.filter(isOf(module))),
      ...createTestResults(module),
    ])
    const outside = unhandled.filter((error) => !modules.some((module) => isOf(module)(error)))
    const errors = outside.map(readError)
    if (reason === 'interrupted') errors.push(createError('interrupted'))
    writeResults({ results, errors })
  }
}

function writeResults(file: ResultFile): void {
  const path = process.env[RESULT_FILE]
  if (path === undefined) throw new Error(`Cannot write the results: ${RESULT_FILE} is not set`)
  writeFileSync(path, JSON.stringify(file))
}

/** Vitest names the file of an unhandled error, and not its project. */
const isOf = (module: TestModule) => (error: SerializedError) =>
  error['VITEST_TEST_PATH'] === module.moduleId

const placeOf = ({ project, moduleId }: TestModule) => ({
  project: project.name,
  file: relative(project.vitest.config.root, moduleId),
})

/** A file fails if it cannot be loaded, if a hook of a group fails, or if an error is thrown outside of its tests. */
function createFileResult(module: TestModule, unhandled: readonly SerializedError[]): Result {
  const suites = [module, ...module.children.allSuites()]
  const errors = [...suites.flatMap((suite) => suite.errors()), ...unhandled].map(readError)
  if (!isFinished(module)) errors.push(createError(UNFINISHED))
  const state = errors.length > 0 ? 'failed' : 'passed'
  return { kind: 'file', ...placeOf(module), name: '', state, errors }
}

/** The message for a file that was still running, or had not begun, when the run ended. */
export const UNFINISHED = 'The run ended before this file did'

const isFinished = (module: TestModule) => !['queued', 'pending'].includes(module.state())

function createTestResults(module: TestModule): Result[] {
  const names = new Map<string, number>()
  return [...module.children.allTests()].map((test) => {
    const count = (names.get(test.fullName) ?? 0) + 1
    names.set(test.fullName, count)
    const name = count === 1 ? test.fullName : `${test.fullName} (${count})`
    return { kind: 'test', ...placeOf(module), name, ...readState(test) }
  })
}

function readState(test: TestCase): Pick<Result, 'state' | 'errors' | 'reason'> {
  const result = test.result()
  if (result.state === 'pending') return { state: 'skipped', errors: [], reason: 'did not run' }
  if (result.state !== 'skipped')
    return { state: result.state, errors: (result.errors ?? []).map(readError) }
  return {
    state: 'skipped',
    errors: [],
    ...(result.note === undefined ? {} : { reason: result.note }),
  }
}

function readError({ name = 'Error', message, cause }: SerializedError): ResultError {
  const error = { name, message: stripVTControlCharacters(message) }
  return cause === undefined ? error : { ...error, cause: stripVTControlCharacters(cause.message) }
}

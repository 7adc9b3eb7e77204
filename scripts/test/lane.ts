/**
 * A lane: one Vitest process with some projects. Lanes of a set run beside each other.
 * `test/second-run.test.ts` tests it.
 *
 * @module
 */

import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inProject, ROOT } from '../settings.ts'
import { RESULT_FILE } from './reporter.ts'
import { createError, isFailed, readResults, type Result, type ResultError } from './results.ts'
import { runQuietly, runStep, type Environment } from './step.ts'

/** Some projects that share a process. */
export interface Lane {
  readonly name: string
  readonly projects: readonly string[]
  /** Whether another lane prints at the same time, so that the output of this one waits. */
  readonly isQuiet?: boolean
  /** Whether temporary files go to the disk where others go to memory. */
  readonly isOnDisk?: boolean
  /** The folder of the configuration; the root of the project by default. */
  readonly root?: string
}

/** A test file in one of the projects that run it. */
export interface ProjectFile {
  readonly project: string
  readonly file: string
}

/** Runs a lane. Its output has `title` above it. */
export async function runLane(lane: Lane, env: Environment, title = lane.name): Promise<Result[]> {
  const { projects, isQuiet = false } = lane
  return runVitest(lane, { title, projects, filter: [], isQuiet, env })
}

/** Runs one file of a lane alone. A crash is a failure of the file. */
export async function runFile(
  lane: Lane,
  { project, file }: ProjectFile,
  env: Environment,
): Promise<Result[]> {
  const title = `second run of ${file}, project ${project}`
  const filter = [resolve(rootOf(lane), file)]
  const results = await runVitest(lane, { title, projects: [project], filter, isQuiet: false, env })
  const crashes = results.filter((result) => result.kind === 'lane' && isFailed(result))
  return results.flatMap((result) => {
    if (result.kind === 'lane') return []
    if (result.kind === 'test' || crashes.length === 0) return [result]
    return [{ ...result, state: 'failed', errors: crashes.flatMap(({ errors }) => errors) }]
  })
}

const rootOf = ({ root = ROOT }: Lane) => root

interface VitestRun {
  readonly title: string
  readonly projects: readonly string[]
  /** The files to run; all if there is none. */
  readonly filter: readonly string[]
  readonly isQuiet: boolean
  readonly env: Environment
}

async function runVitest(lane: Lane, run: VitestRun): Promise<Result[]> {
  const folder = join(rootOf(lane), 'dist')
  const path = join(folder, `test-results-${lane.name}.json`)
  mkdirSync(folder, { recursive: true })
  rmSync(path, { force: true })
  const succeeded = await startVitest(lane, run, { ...run.env, [RESULT_FILE]: path })
  const written = readResults(path)
  const results = written?.results ?? []
  const errors = written?.errors ?? [createError('wrote no results')]
  if (!succeeded && errors.length === 0 && !results.some(isFailed))
    return [createLaneResult(lane, [createError('failed outside of its files')]), ...results]
  return [createLaneResult(lane, errors), ...results]
}

async function startVitest(lane: Lane, run: VitestRun, env: Environment): Promise<boolean> {
  const { title, projects, filter, isQuiet } = run
  const args = [
    inProject('node_modules/vitest/vitest.mjs'),
    ...['run', '--root', rootOf(lane)],
    ...projects.map((project) => `--project=${project}`),
    ...['--reporter=default', `--reporter=${inProject('scripts/test/reporter.ts')}`],
    ...filter,
  ]
  if (!isQuiet) return (await runStep([title, args], env)).succeeded
  const { succeeded, report } = await runQuietly([title, args], { env })
  console.log(report)
  return succeeded
}

const createLaneResult = ({ name }: Lane, errors: readonly ResultError[]): Result => ({
  kind: 'lane',
  project: name,
  file: '',
  name: '',
  state: errors.length > 0 ? 'failed' : 'passed',
  errors,
})

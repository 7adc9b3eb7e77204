/**
 * Runs test files of the copy in this process, so that Vitest transforms the modules once and not for each fault.
 *
 * @module
 */

import { join, relative } from 'node:path'
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import type { FoundBy } from './fault.ts'

/** What a run of test files has shown. */
export type TestOutcome =
  | { readonly kind: 'passed' }
  | ({ readonly kind: 'failed' } & FoundBy)
  /** Modules that cannot be imported, or a hook that failed: no test has failed. */
  | { readonly kind: 'broken'; readonly error: string }

/** Runs tests of the copy at `root`. */
export interface Sessions {
  /** Runs one file of a project, or all its files, up to the first test that fails. */
  readonly run: (project: string, file?: string) => Promise<TestOutcome>
  /** Forgets what was transformed of a file. */
  readonly changed: (file: string) => void
  readonly close: () => Promise<void>
}

/** Others build what they test when they start, or in plugins with a memory of their own. */
const KEPT = new Set(['node', 'logic', 'slow-logic', 'workerd', 'slow-workerd'])

/** Errors of a module that cannot be imported while a test runs: they prove nothing. */
const LOADING =
  /^(?:SyntaxError|ReferenceError)|Failed to (?:load|resolve|parse|fetch dynamically)|Cannot find (?:module|package)|Transform failed/

/** Creates sessions, one for each project whose transformed modules can be kept. */
export function createSessions(root: string): Sessions {
  const kept = new Map<string, Promise<Vitest>>()
  return {
    async run(project, file) {
      if (!KEPT.has(project)) return runOnce(root, project, file)
      const session = kept.get(project) ?? openSession(root, project)
      kept.set(project, session)
      return runIn(await session, root, file)
    },
    changed: (file) =>
      kept.forEach((session) => void session.then((one) => one.invalidateFile(join(root, file)))),
    close: async () => {
      await Promise.allSettled([...kept.values()].map(async (session) => (await session).close()))
    },
  }
}

const openSession = (root: string, project: string) =>
  createVitest('test', {
    root,
    project: [project],
    watch: false,
    retry: 0,
    bail: 1,
    maxWorkers: 1,
    reporters: [{}],
  })

async function runOnce(root: string, project: string, file?: string): Promise<TestOutcome> {
  const session = await openSession(root, project)
  try {
    return await runIn(session, root, file)
  } finally {
    await session.close()
  }
}

async function runIn(session: Vitest, root: string, file?: string): Promise<TestOutcome> {
  const all = await session.globTestSpecifications(file === undefined ? [] : [join(root, file)])
  const specifications = all.filter((one) => file === undefined || isFile(one, root, file))
  if (specifications.length === 0) return { kind: 'broken', error: 'no such test in this project' }
  const { testModules, unhandledErrors } = await session.runTestSpecifications(specifications)
  // The result has the modules of earlier runs as well.
  const ran = new Set(specifications.map(({ moduleId }) => moduleId))
  const modules = testModules.filter(({ moduleId }) => ran.has(moduleId))
  const failed = modules.map((module) => outcomeOf(root, module))
  const first = failed.find(({ kind }) => kind === 'failed')
  const broken = failed.find(({ kind }) => kind === 'broken')
  if (first ?? broken) return first ?? broken ?? { kind: 'passed' }
  if (unhandledErrors.length === 0) return { kind: 'passed' }
  return { kind: 'broken', error: `outside of a test: ${JSON.stringify(unhandledErrors[0])}` }
}

const isFile = ({ moduleId }: TestSpecification, root: string, file: string) =>
  relative(root, moduleId) === file

function outcomeOf(root: string, module: TestModule): TestOutcome {
  for (const test of module.children.allTests('failed')) {
    const error = firstError(test.result().errors)
    if (LOADING.test(error)) return { kind: 'broken', error }
    return { kind: 'failed', file: relative(root, module.moduleId), test: test.fullName }
  }
  if (module.ok()) return { kind: 'passed' }
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  return { kind: 'broken', error: firstError([...module.errors(), ...suites]) }
}

/** The name and the first line of an error. */
function firstError(
  errors: readonly { readonly name?: string; readonly message: string }[] = [],
): string {
  const [error] = errors
  return error === undefined ? 'unknown' : `${error.name}: ${error.message.split('\n')[0]}`
}

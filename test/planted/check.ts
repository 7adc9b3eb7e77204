/**
 * Plants one fault and runs the tests that have to find it.
 *
 * A fault counts as found if a test fails that passes without it. That a file cannot be loaded proves nothing.
 *
 * @module
 */

import type { ProjectCopy } from './copy.ts'
import type { Fault, FoundBy } from './fault.ts'
import { projectOf, wholeProjects } from './places.ts'
import type { Sessions, TestOutcome } from './session.ts'

/** What became of a fault. */
export type Verdict =
  | ({ readonly kind: 'found' } & FoundBy)
  | { readonly kind: 'missed' }
  /** The product or its test does not load, or the test fails without the fault as well. */
  | { readonly kind: 'invalid'; readonly reason: string }

/** The copy, the sessions, and which test files pass without any fault. */
export interface CheckContext {
  readonly copy: ProjectCopy
  readonly sessions: Sessions
  readonly baselines: Map<string, Promise<TestOutcome>>
  /** Whether all fast tests of the room run if the named ones miss a fault. */
  readonly isWhole: boolean
}

/** Plants a fault, runs its tests one after the other until one finds it, and takes it back. */
export async function checkFault(context: CheckContext, fault: Fault): Promise<Verdict> {
  for (const file of fault.tests) {
    const baseline = await checkBaseline(context, file)
    if (baseline.kind !== 'passed') return invalid(`${file} fails without any fault`, baseline)
    const verdict = verdictOf(await runWith(context, fault, projectOf(file), file))
    if (verdict.kind !== 'missed') return verdict
  }
  return context.isWhole ? checkWhole(context, fault) : { kind: 'missed' }
}

/** Runs a test file without any fault, once, or twice on a machine that was too busy for it. */
function checkBaseline({ sessions, baselines }: CheckContext, file: string): Promise<TestOutcome> {
  const run = () => sessions.run(projectOf(file), file)
  const known =
    baselines.get(file) ?? run().then((first) => (first.kind === 'passed' ? first : run()))
  baselines.set(file, known)
  return known
}

async function checkWhole(context: CheckContext, fault: Fault): Promise<Verdict> {
  for (const project of wholeProjects(fault.file)) {
    const outcome = await runWith(context, fault, project)
    const isProof = outcome.kind === 'failed' && (await isFine(context, outcome.file))
    if (isProof) return verdictOf(outcome)
  }
  return { kind: 'missed' }
}

const isFine = async (context: CheckContext, file: string) =>
  (await checkBaseline(context, file)).kind === 'passed'

async function runWith(
  { copy, sessions }: CheckContext,
  fault: Fault,
  project: string,
  file?: string,
): Promise<TestOutcome> {
  const restore = copy.plant(fault)
  try {
    sessions.changed(fault.file)
    return await sessions.run(project, file)
  } finally {
    restore()
    sessions.changed(fault.file)
  }
}

function verdictOf(outcome: TestOutcome): Verdict {
  if (outcome.kind === 'failed') return { ...outcome, kind: 'found' }
  return outcome.kind === 'passed' ? { kind: 'missed' } : invalid('does not load', outcome)
}

function invalid(what: string, outcome: TestOutcome): Verdict {
  if (outcome.kind === 'broken') return { kind: 'invalid', reason: `${what}: ${outcome.error}` }
  const test = outcome.kind === 'failed' ? `: ${outcome.test}` : ''
  return { kind: 'invalid', reason: `${what}${test}` }
}

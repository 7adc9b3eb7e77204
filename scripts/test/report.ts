/**
 * The report at the end of a run, where it is found in a long output: what was skipped, what passed in the second run,
 * what failed, and the totals. `test/second-run.test.ts` tests it.
 *
 * @module
 */

import { isFailed, type Result, type ResultError } from './results.ts'
import type { StepResult } from './step.ts'

/** Names of skipped tests that are printed for one file. */
const MAX_SKIPPED_NAMES = 10

/** Files with skipped tests that are printed. */
const MAX_SKIPPED_FILES = 20

/** Prints the report. Returns whether nothing failed. */
export function printReport(steps: readonly StepResult[], results: readonly Result[]): boolean {
  const later = results.filter(({ firstErrors }) => firstErrors !== undefined)
  const failures = [
    ...steps.filter(({ succeeded }) => !succeeded).map(({ name }) => name),
    ...results.filter(isFailed).map((result) => describe(result, result.errors)),
  ]
  printList('skipped', describeSkipped(results))
  printList(
    'passed in the second run',
    later.map((result) => describe(result, result.firstErrors)),
  )
  printList('failed', failures)
  console.log(`\n${countPassed(steps, results)} passed, ${failures.length} failed`)
  return failures.length === 0
}

function printList(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n== ${title}\n${lines.join('\n')}`)
}

const countPassed = (steps: readonly StepResult[], results: readonly Result[]) =>
  steps.filter(({ succeeded }) => succeeded).length +
  results.filter(({ kind, state }) => kind === 'test' && state === 'passed').length

const describe = (result: Result, errors: readonly ResultError[] = []) =>
  `${nameOf(result)}: ${errors.map(firstLine).join('; ')}`

const fileOf = ({ kind, project, file }: Result) =>
  kind === 'lane' ? `lane ${project}` : `|${project}| ${file}`

const nameOf = (result: Result) =>
  result.kind === 'test' ? `${fileOf(result)} > ${result.name}` : fileOf(result)

function firstLine({ name, message }: ResultError): string {
  const [line = ''] = message.split('\n', 1)
  return name === 'Error' ? line : `${name}: ${line}`
}

function describeSkipped(results: readonly Result[]): string[] {
  const skipped = results.filter(({ state }) => state === 'skipped')
  const files = [...Map.groupBy(skipped, fileOf)]
  const lines = files
    .slice(0, MAX_SKIPPED_FILES)
    .flatMap(([file, tests]) => [
      `${file}: ${tests.length} skipped`,
      ...tests.slice(0, MAX_SKIPPED_NAMES).map(describeTest),
      ...countRest('  ', tests.length - MAX_SKIPPED_NAMES, 'tests'),
    ])
  return [...lines, ...countRest('', files.length - MAX_SKIPPED_FILES, 'files')]
}

const describeTest = ({ name, reason }: Result) =>
  reason === undefined ? `  ${name}` : `  ${name} (${reason})`

const countRest = (indent: string, count: number, what: string) =>
  count > 0 ? [`${indent}and ${count} more ${what}`] : []

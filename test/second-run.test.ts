/**
 * The second run of `npm test`, on a set of tests of its own: which failures may pass later, and what is reported.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Lane } from '../scripts/test/lane.ts'
import { MAX_SECOND_FILES } from '../scripts/test/second-run.ts'
import type { TestSet } from '../scripts/test/sets.ts'
import { inProject } from '../scripts/settings.ts'

/** What the tests expect in both runs. */
const SEED = '7'

let folder: string

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Copies the tests to a folder inside the project, so that they find Vitest, and two folders below its root. */
function prepare(): void {
  mkdirSync(inProject('dist'), { recursive: true })
  folder = mkdtempSync(inProject('dist/run-'))
  cpSync(inProject('test/support/second-run'), folder, { recursive: true })
  const entry = readFileSync(join(folder, 'entry.ts'), 'utf8')
  writeFileSync(join(folder, 'entry.ts'), entry.replaceAll('../../../scripts', '../../scripts'))
}

interface Report {
  readonly code: number | null
  readonly lastLine: string
  readonly output: string
  readonly list: (title: string) => string[]
}

/** Runs lanes of the copied tests, and optionally steps, in a process of their own. */
function run(lanes: readonly Lane[], steps: Partial<TestSet> = {}): Report {
  const inFolder = lanes.map((lane) => ({ ...lane, root: folder }))
  const set: TestSet = { preparations: [], checks: [], after: [], ...steps, lanes: inFolder }
  writeFileSync(join(folder, 'set.json'), JSON.stringify(set))
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'entry.ts')], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', EDGEWISE_SEED: SEED },
  })
  const list = (title: string) => {
    const [, section = ''] = stdout.split(`\n== ${title}\n`)
    return section.split('\n\n', 1)[0]?.split('\n').toSorted() ?? []
  }
  const lastLine = stdout.trimEnd().split('\n').at(-1) ?? ''
  return { code: status, lastLine, output: stdout, list }
}

describe('what fails the first time', () => {
  it('passes or fails in the second run by what it is', () => {
    prepare()
    const lanes: Lane[] = [
      { name: 'files', projects: ['one', 'two'] },
      { name: 'crashing', projects: ['crash'], isQuiet: true },
    ]
    const fails = ['-e', 'process.exitCode = 1']
    const report = run(lanes, {
      checks: [['a check', fails]],
      after: [['a last step', ['-e', '']]],
    })
    expect(report.list('passed in the second run')).toEqual(LATER.toSorted())
    expect(report.list('failed')).toEqual(FAILED.toSorted())
    expect(report.list('skipped')).toEqual(SKIPPED.toSorted())
    expect(report.lastLine).toBe('15 passed, 6 failed')
    expect(report.code).toBe(1)
    expect(secondRuns(report.output).toSorted()).toEqual(SECOND_RUNS)
  })
})

const secondRuns = (output: string) =>
  [...output.matchAll(/^== second run of (.*)$/gm)].map(([, what = '']) => what)

const NOT_FALSE = 'AssertionError: expected true to be false // Object.is equality'
const NOT_TWO = 'AssertionError: expected 1 to be 2 // Object.is equality'
const TIMEOUT = 'TestTimeoutError: Test timed out in 50ms.'

const LATER = [
  'lane crashing: wrote no results',
  '|one| files/attacks/timeout.test.ts > crashes once: the browser closed',
  `|one| files/attacks/timeout.test.ts > takes too long once: ${TIMEOUT}`,
  `|one| files/attacks/timeout.test.ts > waits too long once: ${NOT_FALSE}`,
  `|one| files/flaky.test.ts > a group with the same name > fails once: ${NOT_FALSE}`,
  `|one| files/flaky.test.ts > fails once: ${NOT_FALSE}`,
  "|one| files/flaky.test.ts > has the seed the second time: AssertionError: expected undefined to be '7' // Object.is equality",
  '|one| files/hook.test.ts: the hook failed; nothing caught this',
  '|one| files/loads-later.test.ts: cannot be loaded',
  `|two| files/shared.test.ts > fails once in project two: ${NOT_FALSE}`,
]

const FAILED = [
  'a check',
  `|one| files/attacks/steal.test.ts > succeeds once: ${NOT_FALSE}`,
  '|one| files/broken.test.ts: never loads',
  `|one| files/flaky.test.ts > fails twice: ${NOT_TWO}`,
  `|one| files/flaky.test.ts > fails, then is skipped: ${NOT_TWO}`,
  '|one| files/law.test.ts > has a counterexample once: Property failed after 1 tests',
]

const SKIPPED = [
  '|one| files/flaky.test.ts: 2 skipped',
  '  a group > is skipped',
  '  a group > is skipped with a reason (no program)',
]

const SECOND_RUNS = [
  'files/attacks/timeout.test.ts, project one',
  'files/broken.test.ts, project one',
  'files/flaky.test.ts, project one',
  'files/hook.test.ts, project one',
  'files/loads-later.test.ts, project one',
  'files/shared.test.ts, project two',
  'lane crashing',
]

it(`is not run again if more than ${MAX_SECOND_FILES} files fail, and lists have an end`, () => {
  prepare()
  mkdirSync(join(folder, 'many'))
  for (let at = 0; at <= MAX_SECOND_FILES; at++)
    writeFileSync(join(folder, `many/${at}.test.ts`), FAILS_AND_SKIPS)
  const { output, lastLine, list } = run([{ name: 'many', projects: ['many'] }])
  expect(output).toContain(`\n== no second run: ${MAX_SECOND_FILES + 1} files failed`)
  expect(secondRuns(output)).toEqual([])
  expect(list('skipped')).toEqual(
    expect.arrayContaining(['  and 2 more tests', 'and 1 more files']),
  )
  expect(lastLine).toBe(`0 passed, ${MAX_SECOND_FILES + 1} failed`)
})

const FAILS_AND_SKIPS = `import { expect, it } from 'vitest'
it('fails', () => expect(1).toBe(2))
it.skip.each(Array(12).fill(0))('is skipped', () => undefined)`

it('is reported as passed by its exit code if all of it passes later', () => {
  prepare()
  const { code, lastLine } = run([{ name: 'crashing', projects: ['crash'] }])
  expect([code, lastLine]).toEqual([0, '1 passed, 0 failed'])
})

/**
 * What `npm test` reports of a run: each failure by its name, also where a file cannot be loaded.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inProject, ROOT } from '../scripts/settings.ts'
import { readOutcome, sumOf } from '../scripts/test-results.ts'

const FILES = {
  'mixed.test.ts': `import { describe, expect, it } from 'vitest'
    it('passes', () => expect(1).toBe(1))
    it.skip('is skipped', () => undefined)
    describe('group', () => it('fails', () => expect(1).toBe(2)))
    let attempts = 0
    it('passes at last', { retry: 1 }, () => expect(++attempts).toBe(2))`,
  'broken.test.ts': `throw new Error('cannot be loaded')`,
}

let folder: string
const results = () => join(folder, 'results.json')

beforeAll(() => {
  // Inside the project, so that the files find Vitest.
  mkdirSync(inProject('dist'), { recursive: true })
  folder = mkdtempSync(inProject('dist/run-'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const vitest = inProject('node_modules/vitest/vitest.mjs')
  const options = ['--root', folder, '--reporter=json', `--outputFile=${results()}`]
  spawnSync(process.execPath, [vitest, 'run', ...options])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('lists what failed, and what passed at the second attempt, by file and name', () => {
  const at = relative(ROOT, folder)
  const { failures, retried, ...counts } = readOutcome('tests', results(), false)
  expect(counts).toEqual({ passed: 2, skipped: 1 })
  expect(failures.toSorted()).toEqual([
    `${at}/broken.test.ts: cannot be loaded`,
    `${at}/mixed.test.ts > group fails: AssertionError: expected 1 to be 2 // Object.is equality`,
  ])
  expect(retried).toEqual([
    `${at}/mixed.test.ts > passes at last: AssertionError: expected 1 to be 2 // Object.is equality`,
  ])
})

it('counts a run without results, and one that fails outside of its tests', () => {
  expect(readOutcome('load', join(folder, 'none.json'), true).failures).toEqual([
    'load: wrote no results',
  ])
  writeFileSync(join(folder, 'fine.json'), passing)
  const outside = readOutcome('load', join(folder, 'fine.json'), false)
  expect(sumOf([outside, outside])).toEqual({
    ...{ passed: 4, skipped: 0, retried: [] },
    failures: ['load: failed outside a test', 'load: failed outside a test'],
  })
})

const passing = JSON.stringify({ numPassedTests: 2, numPendingTests: 0, testResults: [] })

/** A run of the benchmark in which a row fails: the other rows are kept, and the failed one is named. */

import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const Outcome = z.object({
  figures: z.array(z.object({ row: z.string(), verdict: z.string() })),
  failures: z.array(z.object({ row: z.string(), error: z.string() })),
  seconds: z.array(z.object({ row: z.string(), seconds: z.number() })),
})

const BEFORE = `
  import { runRows } from './bench/run-rows.ts'
  const figure = (edgewise) => ({
    work: 'work', unit: 'ms', edgewise, baseline: { name: 'other', value: 2 }, goal: { ratioAtMost: 1 },
  })
  const row = (name, run) => ({ name, goal: 'a goal', run })
  const good = (name) => row(name, async () => [figure(1)])
`

/** Runs rows in a process of their own, because one of them fails outside of its promise. */
function outcomeOf(rows: string) {
  const script = `${BEFORE}
    const outcome = { figures: [], failures: [], seconds: [] }
    console.log = () => {}
    await runRows([good('first'), ${rows}, good('last')], {}, outcome, 500)
    process.stdout.write(JSON.stringify(outcome))`
  const run = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return Outcome.parse(JSON.parse(run))
}

describe('a run', () => {
  it.each([
    ['throws', `row('bad', async () => { throw new Error('reason') })`, 'Error: reason'],
    [
      'fails outside of its promise',
      `row('bad', () => new Promise(() => setTimeout(() => { throw new Error('reason') })))`,
      'Error: reason',
    ],
    ['never ends', `row('bad', () => new Promise(() => {}))`, 'Error: bad took longer than 0.5 s'],
    [
      'measures nothing',
      `row('bad', async () => [figure(NaN)])`,
      'Error: work: NaN is no measured value',
    ],
  ])('keeps the other rows where one %s', (_, bad, error) => {
    const { figures, failures, seconds } = outcomeOf(bad)
    expect(figures).toEqual([
      { row: 'first', verdict: 'met' },
      { row: 'last', verdict: 'met' },
    ])
    expect(failures).toEqual([{ row: 'bad', error }])
    expect(seconds.map(({ row }) => row)).toEqual(['first', 'bad', 'last'])
  })
})

it('names the rows when none begins with the text that was given', () => {
  const run = spawnSync(process.execPath, ['bench/run.ts', '--rows', 'nosuchrow'], {
    encoding: 'utf8',
  })
  expect(run.status).toBe(1)
  expect(run.stderr).toContain('no row begins with "nosuchrow". Use one of: ')
  expect(run.stderr).toContain('webmcp')
})

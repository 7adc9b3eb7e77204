/** The tables of `docs/proposals.md`: every feature has a test that exists, or a reason why there is none. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PROPOSALS, proposalsSection } from '../scripts/proposals/index.ts'
import { formatAs } from '../scripts/markdown.ts'
import { inProject } from '../scripts/settings.ts'
import { hasTest } from './support/house/named-test.ts'

describe.each(PROPOSALS)('$title', ({ rows }) => {
  it.each(rows)('$feature: has a test or a reason', ({ test, reason, here }) => {
    expect(here).not.toBe('')
    expect(test ?? reason).toBeDefined()
    expect(reason).not.toBe('')
    if (test) expect(hasTest(...test), test.join(': ')).toBe(true)
  })

  it('names each feature once', () => {
    expect(new Set(rows.map(({ feature }) => feature)).size).toBe(rows.length)
  })
})

it('docs/proposals.md has the tables', async () => {
  const page = readFileSync(inProject('docs/proposals.md'), 'utf8')
  const section = await formatAs('docs/proposals.md', proposalsSection())
  expect(page).toContain(section.trim())
})

describe('a test that a table names', () => {
  it('is found by its title alone', () => {
    const here = 'proposals.test.ts'
    expect(hasTest(here, 'is found by its title alone')).toBe(true)
    expect(hasTest(here, 'is found by its title')).toBe(false)
    expect(hasTest(here, 'utf8')).toBe(false)
    expect(hasTest('no-such.test.ts', 'is found by its title alone')).toBe(false)
  })
})

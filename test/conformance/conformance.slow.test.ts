/**
 * The official conformance suite against the fixture, which has everything that it asks for, and
 * against the product, which has files and nothing of the fixture's.
 *
 * A baseline lists the scenarios that do not apply to the product, with the reason. It works in both directions:
 * a failure that is not listed fails the run, and so does a listed one that passes by now.
 *
 * @module
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judge, required, type Revision, type Verdict } from '../support/slow/conformance-suite.ts'
import { startFixture, startProduct, type Started } from '../support/slow/servers.ts'

const REVISIONS: [Revision, number, string][] = [
  ['2026-07-28', 37, 'conformance-product-modern.yml'],
  ['2025-11-25', 30, 'conformance-product-legacy.yml'],
]

/** What is reported and never scored, and is kept all the same. */
const KEPT = ['http-header-validation', 'server-session-lifecycle']
const KEPT_BY_FIXTURE = [...KEPT, 'json-schema-2020-12', 'http-custom-header-server-validation']

describe('the fixture behind our front', () => {
  let fixture: Started
  beforeAll(async () => {
    fixture = await startFixture()
  })
  afterAll(() => fixture.stop())

  it.each(REVISIONS)('passes every scenario of %s, which are %i', async (revision, count) => {
    const scored = await required(revision)
    expect(scored).toHaveLength(count)

    const { verdicts, exitCode } = await judge(fixture.url, revision)
    expect(failures(verdicts, [...scored, ...KEPT_BY_FIXTURE])).toEqual([])
    expect(passes(verdicts)).toEqual(expect.arrayContaining(scored))
    expect(exitCode).toBe(0)
    report('fixture', revision, scored, verdicts)
  })
})

describe('the product', () => {
  let product: Started
  beforeAll(async () => {
    product = await startProduct()
    // So that there is a resource to read.
    await fetch(new URL('/files/notes/a.md', product.url), { method: 'PUT', body: 'one two' })
  })
  afterAll(() => product.stop())

  it.each(REVISIONS)('fails at %s what its baseline explains', async (revision, _, baseline) => {
    const { verdicts, exitCode, output } = await judge(product.url, revision, baseline)
    expect(output).toContain('Baseline check passed')
    expect(exitCode).toBe(0)
    expect(failures(verdicts, KEPT)).toEqual([])
    report('product', revision, await required(revision), verdicts)
  })
})

function passes(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ passed, scenario }) => (passed ? scenario : []))
}

function failures(verdicts: readonly Verdict[], among: readonly string[]): Verdict[] {
  return verdicts.filter(({ passed, scenario }) => !passed && among.includes(scenario))
}

function report(name: string, revision: Revision, scored: string[], verdicts: Verdict[]): void {
  const passed = passes(verdicts).filter((scenario) => scored.includes(scenario))
  console.log(`${name} ${revision}: ${passed.length} of ${scored.length} scored scenarios`)
}

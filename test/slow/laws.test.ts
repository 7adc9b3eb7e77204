/**
 * The laws of policies, many times over.
 *
 * @module
 */

import { describe, it } from 'vitest'
import * as laws from '../core/policy-laws.ts'

const RUNS = 10_000

describe('policies', () => {
  it('restrict is a meet, seen as data', () => laws.restrictIsAMeet(RUNS))
  it('restrict never widens, however often', () => laws.restrictNeverWidens(RUNS))
  it('judge says what the rules say', () => laws.judgeReadsTheRulesPlainly(RUNS))
  it('subtrees are judged soundly', () => laws.subtreesAreJudgedSoundly(RUNS))
  it('a model may say no more than a person', () => laws.modelsMaySayNoMore(RUNS))
  it('what strangers send is read or refused', () => laws.strangersAreReadOrRefused(RUNS))
})

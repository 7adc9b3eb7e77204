/**
 * The laws of policies, many times over.
 *
 * @module
 */

import { describe, it } from 'vitest'
import * as laws from '../support/core/policy-laws.ts'

const RUNS = 5_000

describe('policies', () => {
  it('restrict is a meet, seen as data', () => laws.restrictIsAMeet(RUNS))
  it('restrict never widens, in any number of steps', () => laws.restrictNeverWidens(RUNS))
  it('adding to the rules never opens a path', () => laws.addingToTheRulesNeverOpens(RUNS))
  it('judge agrees with the oracle', () => laws.judgeAgreesWithThePlainReading(RUNS))
  it('subtrees are judged soundly', () => laws.subtreesAreJudgedSoundly(RUNS))
  it('a model may set no more fields than a person', () => laws.modelsGetNoMoreFields(RUNS))
  it('an untrusted policy is read or refused', () => laws.untrustedPoliciesAreReadOrRefused(RUNS))
})

/**
 * Failures that no second run can mend: the counterexample of a property, and an attack that succeeded.
 * `test/second-run.test.ts` tests it.
 *
 * @module
 */

import type { Result, ResultError } from './results.ts'

/** Whether a failure fails the run at once. */
export const isFinal = ({ state, file, errors }: Result): boolean =>
  state === 'failed' &&
  errors.some((error) => isCounterexample(error) || (isAttack(file) && isAssertion(error)))

/** What fast-check says, and `batches` of `test/support/core/hostile.ts`. */
const isCounterexample = ({ message }: ResultError) => /^Property failed after \d+/m.test(message)

/** Tests of attacks are in files and folders with this word in their name. */
const isAttack = (file: string) => /\battacks?\b/.test(file)

/** A failed assertion, and not one for which `expect.poll` waited: time runs out on a busy machine, too. */
const isAssertion = ({ name, cause }: ResultError) =>
  name === 'AssertionError' && cause !== POLL_TIMEOUT

const POLL_TIMEOUT = 'Matcher did not succeed in time.'

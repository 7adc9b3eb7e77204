import fc from 'fast-check'
import { it } from 'vitest'
import { isFirstTime } from '../first-time.ts'

it('has a counterexample once', () =>
  fc.assert(fc.property(fc.integer(), () => !isFirstTime('counterexample'))))

/** The same as `edits.test.ts`, with many examples. */

import { it } from 'vitest'
import { checkEdits } from '../../support/worker/text-laws.ts'

it('what is shown can be found and replaced, and every other byte stays', () => checkEdits(10_000))

/** Edits of files of any encoding whose lines end in any way. */

import { it } from 'vitest'
import { checkEdits } from '../../support/worker/text-laws.ts'

it('what is shown can be found and replaced, and every other byte stays', () => checkEdits(300))

import { it } from 'vitest'
import { isFirstTime } from '../first-time.ts'

if (isFirstTime('load')) throw new Error('cannot be loaded')

it('passes', () => undefined)

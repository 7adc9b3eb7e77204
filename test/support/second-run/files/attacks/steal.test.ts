import { expect, it } from 'vitest'
import { isFirstTime } from '../../first-time.ts'

it('succeeds once', () => expect(isFirstTime('attack')).toBe(false))

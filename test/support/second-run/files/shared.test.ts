import { expect, it } from 'vitest'
import { isFirstTime } from '../first-time.ts'

it('fails once in project two', () => {
  if (process.env['PROJECT'] === 'two') expect(isFirstTime('two')).toBe(false)
})

import { expect, it } from 'vitest'
import { isFirstTime } from '../../first-time.ts'

it('takes too long once', { timeout: 50 }, () =>
  isFirstTime('slow') ? new Promise(() => undefined) : undefined,
)
it('waits too long once', async () => {
  const isFirst = isFirstTime('poll')
  await expect.poll(() => isFirst, { timeout: 50 }).toBe(false)
})
it('crashes once', () => {
  if (isFirstTime('crashing')) throw new Error('the browser closed')
})

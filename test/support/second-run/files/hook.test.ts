import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, it } from 'vitest'
import { isFirstTime } from '../first-time.ts'

describe('a group', () => {
  beforeAll(() => {
    if (isFirstTime('hook')) throw new Error('the hook failed')
  })
  it('runs after its hook', () => undefined)
})

it('passes while an error is thrown outside of it', async () => {
  if (isFirstTime('unhandled')) void Promise.reject(new Error('nothing caught this'))
  await wait(50)
})

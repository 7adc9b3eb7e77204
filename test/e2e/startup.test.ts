/** `npm start` prints who has access, and what to do next. */

import { describe, expect, it } from 'vitest'
import { useProgram } from '../support/e2e/server.ts'

describe('without an owner', () => {
  const server = useProgram({ EDGEWISE_OWNER_SECRET: '' })
  it('access is limited to this machine', () =>
    expect(server.stdout()).toContain('Access    this machine only, without sign-in'))

  it('prints the next steps on the first start only', async () => {
    expect(server.stdout()).toContain('Next:')
    await server.restart()
    expect(server.stdout()).not.toContain('Next:')
  })
})

describe('with an owner', () => {
  const server = useProgram({ EDGEWISE_OWNER_SECRET: 'a long secret of the owner' })
  it('sign-in is required, and the secret is not printed', () => {
    expect(server.stdout()).toContain('Access    requires sign-in')
    expect(server.stdout()).not.toContain('a long secret')
  })
})

/** The log of `npm start` says who may come in. */

import { describe, expect, it } from 'vitest'
import { useServer } from './server.ts'

describe('without an owner', () => {
  const server = useServer({ EDGEWISE_OWNER_SECRET: '' })
  it('it is this machine', () =>
    expect(server.said()).toContain('Open to   this machine alone, without signing in'))
})

describe('with an owner', () => {
  const server = useServer({ EDGEWISE_OWNER_SECRET: 'a long secret of the owner' })
  it('it is whoever signs in, and the secret stays out of it', () => {
    expect(server.said()).toContain('Open to   whoever signs in')
    expect(server.said()).not.toContain('a long secret')
  })
})

/** The channels of a deployment: which there are, what the owner is shown of them, and what refuses to serve. */

import { refuseMisconfigured } from '#worker/front/deployed-config.ts'
import { createChannels, describeChannels } from '#worker/notifier/channels.ts'
import { describe, expect, it } from 'vitest'
import { testEnv } from '../../support/worker/notifying-env.ts'

const EMAIL: SendEmail = { send: () => Promise.reject(new Error('not sent')) }
const CHAT = 'discord https://receiver.example/secret'
const ADDRESSES = 'to@a.example from@b.example'

it.each([
  [{}, [], { chat: null, email: null }],
  [{ EDGEWISE_CHAT: CHAT }, ['chat'], { chat: 'discord', email: null }],
  [{ EDGEWISE_EMAIL: ADDRESSES, EMAIL }, ['email'], { chat: null, email: 'to@a.example' }],
  [
    { EDGEWISE_CHAT: CHAT, EDGEWISE_EMAIL: ADDRESSES, EMAIL },
    ['chat', 'email'],
    { chat: 'discord', email: 'to@a.example' },
  ],
  // What is invalid is no channel: the front refuses to serve, deferred work goes on.
  [{ EDGEWISE_CHAT: 'secret', EDGEWISE_EMAIL: ADDRESSES }, [], { chat: null, email: null }],
])('of %j', (variables, names, shown) => {
  const env = testEnv(variables)
  expect(createChannels(env).map(({ name }) => name)).toEqual(names)
  expect(describeChannels(env)).toEqual(shown)
})

describe('a deployment serves nothing', () => {
  it.each([
    [{ EDGEWISE_CHAT: 'slack http://receiver.example/secret' }, 'EDGEWISE_CHAT'],
    [{ EDGEWISE_EMAIL: ADDRESSES }, 'EDGEWISE_EMAIL'],
    [{ EDGEWISE_EMAIL: 'secret', EMAIL }, 'EDGEWISE_EMAIL'],
  ])('with %j', async (variables, name) => {
    const refused = refuseMisconfigured(testEnv(variables))
    expect(refused?.status).toBe(503)
    const { code, message } = (await refused?.json<{ code: string; message: string }>()) ?? {}
    expect(code).toBe('INVALID_CONFIG')
    expect(message).toContain(`Cannot use ${name}:`)
    expect(message).not.toMatch(/secret|example/)
  })

  it('only with invalid ones', () => {
    const env = testEnv({ EDGEWISE_CHAT: CHAT, EDGEWISE_EMAIL: ADDRESSES, EMAIL })
    expect(refuseMisconfigured(env)).toBeNull()
  })
})

/**
 * The built module for passkeys, from which attestations and certificates are left out, beside the library that has
 * them: both accept what is right, and refuse what is forged.
 */

import { Assertion, Registration } from '#worker/passkeys/answers.ts'
import * as source from '#worker/passkeys/verify.ts'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildIfOld } from '../../scripts/build.ts'
import { WORKER_FILE } from '../../scripts/built.ts'
import { createAuthenticator, type Forgery } from '../support/e2e/authenticator.ts'

type Module = Pick<typeof source, 'verifyAssertion' | 'verifyRegistration'>

const PAGE = { origin: 'http://localhost', host: 'localhost' }
const CHALLENGE = Buffer.alloc(32, 7).toString('base64url')
const TO_CREATE = { challenge: CHALLENGE, rp: { id: PAGE.host } }
const TO_USE = { challenge: CHALLENGE, rpId: PAGE.host }

let built: Module

beforeAll(async () => {
  await buildIfOld()
  built = await import(join(WORKER_FILE, '../verify.mjs'))
})

const FORGERIES: readonly Forgery[] = [
  {},
  { origin: 'https://evil.example' },
  { challenge: 'AAAA' },
  { host: 'evil.example' },
  { isVerified: false },
  { isPresent: false },
]

describe.each(FORGERIES)('an answer with %j', (forgery) => {
  it('registers with both or with neither', async () => {
    const authenticator = await createAuthenticator()
    const answer = Registration.parse(await authenticator.create(TO_CREATE, forgery))
    const expected = await source.verifyRegistration(answer, CHALLENGE, PAGE)
    expect(expected !== null).toBe(Object.keys(forgery).length === 0)
    expect(await built.verifyRegistration(answer, CHALLENGE, PAGE)).toEqual(expected)
  })

  it('is verified by both or by neither', async () => {
    const { create, get } = await createAuthenticator()
    const made = Registration.parse(await create(TO_CREATE))
    const credential = await built.verifyRegistration(made, CHALLENGE, PAGE)
    if (!credential) throw new Error('It is not registered')
    const answer = Assertion.parse(await get(TO_USE, forgery))
    const expected = await source.verifyAssertion(answer, CHALLENGE, PAGE, credential)
    expect(expected).toBe(Object.keys(forgery).length === 0 ? 1 : null)
    expect(await built.verifyAssertion(answer, CHALLENGE, PAGE, credential)).toBe(expected)
  })
})

it('an attestation, which is not asked for, is not checked, if its format is known', async () => {
  const register = async (format: string) => {
    const { create } = await createAuthenticator()
    const answer = Registration.parse(await create(TO_CREATE, { format }))
    return (await built.verifyRegistration(answer, CHALLENGE, PAGE)) !== null
  }
  for (const format of ['packed', 'tpm', 'android-key', 'apple', 'fido-u2f'])
    expect(await register(format)).toBe(true)
  expect(await register('another')).toBe(false)
})

// The library reads some signatures whose lengths are wrong; what is built does not.
it.each([...Array(8).keys()])('a signature with another byte is refused, key %i', async () => {
  const { create, get } = await createAuthenticator()
  const made = Registration.parse(await create(TO_CREATE))
  const credential = await built.verifyRegistration(made, CHALLENGE, PAGE)
  if (!credential) throw new Error('It is not registered')
  const answer = Assertion.parse(await get(TO_USE))
  const signature = Buffer.from(answer.response.signature, 'base64url')
  for (const at of signature.keys()) {
    const bytes = Buffer.from(signature.map((byte, index) => (index === at ? byte ^ 1 : byte)))
    const response = { ...answer.response, signature: bytes.toString('base64url') }
    const changed = { ...answer, response }
    expect(await built.verifyAssertion(changed, CHALLENGE, PAGE, credential)).toBeNull()
  }
})

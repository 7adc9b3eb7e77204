/** A lost passkey where there is an owner: removing it takes the secret and a day, and a guess takes time. */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { createAuthenticator } from '../support/e2e/authenticator.ts'
import { useTokenServer } from '../support/e2e/oauth-server.ts'
import { Person, SECRET } from '../support/e2e/person.ts'

const server = useTokenServer()
const person = new Person()

/** Sends a request as the console of the signed-in owner does, at a host name that passkeys can have. */
async function send(path: string, body: unknown) {
  const url = server.otherUrl
  const answer = await person.visit(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: url,
      'sec-fetch-site': 'same-origin',
      'x-edgewise-console': '1',
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: recordOf(await answer.json()) }
}

async function register(): Promise<string> {
  await person.signIn(server.otherUrl)
  const authenticator = await createAuthenticator(server.otherUrl)
  const options = (await send('/passkeys/begin', {})).body
  const response = await authenticator.create(options)
  const { status, body } = await send('/passkeys', { label: 'Phone', response })
  expect(status).toBe(200)
  expect(body).toMatchObject({ needs_secret: true, host: 'localhost' })
  const [passkey] = Array.isArray(body['passkeys']) ? body['passkeys'].map(recordOf) : []
  return String(passkey?.['id'])
}

describe('a lost passkey', () => {
  it('is removed with the secret of the owner, after a day', async () => {
    const id = await register()
    const path = `/passkeys/${id}/removal`
    expect(await send(path, {})).toMatchObject({ status: 403, body: { code: 'WRONG_SECRET' } })
    const right = await send(path, { secret: SECRET })
    expect(right).toMatchObject({
      status: 200,
      body: { passkeys: [{ removal: expect.anything() }] },
    })
    const guesses: string[] = []
    for (let count = 0; count < 6; count++)
      guesses.push(String((await send(path, { secret: `guess ${count}` })).body['code']))
    expect(guesses).toContain('WRONG_SECRET')
    expect(guesses.at(-1)).toBe('TOO_MANY_ATTEMPTS')
  })
})

/** What the page says when the document of a client cannot be fetched. */

import { respondAuthorizationError } from '#worker/auth/authorization-request.ts'
import { CimdFetchError } from '@cloudflare/workers-oauth-provider'
import { expect, it } from 'vitest'

const textOf = (reason: string) =>
  respondAuthorizationError(
    new CimdFetchError('https://client.example/id', new Error(reason)),
  )?.text()

it('shows the reason', async () => {
  expect(await textOf('HTTP 404')).toContain('https://client.example/id: HTTP 404')
})

it('shows no number of an entry in a log of the runtime', async () => {
  const text = await textOf('internal error; reference = 0123456789abcdefghij')
  expect(text).toContain('https://client.example/id: its host cannot be reached')
  expect(text).not.toMatch(/reference|0123/)
})

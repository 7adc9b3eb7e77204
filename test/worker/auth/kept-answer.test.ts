/** The answer to a refresh token, sealed for a repeat. */

import { openAnswer, sealAnswer } from '#worker/auth/kept-answer.ts'
import { expect, it } from 'vitest'

it('is read with the token that it was sealed for, and with no other', async () => {
  const sealed = await sealAnswer('{"refresh_token":"next"}', 'owner:grant:token')
  expect(atob(sealed)).not.toContain('next')
  expect(await openAnswer(sealed, 'owner:grant:token')).toBe('{"refresh_token":"next"}')
  for (const [text, token] of [
    [sealed, 'owner:grant:other'],
    [sealed.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')), 'owner:grant:token'],
    ['', 'owner:grant:token'],
  ] as const)
    await expect(openAnswer(text, token)).rejects.toThrow()
})

it('is sealed differently each time', async () => {
  expect(await sealAnswer('same', 'token')).not.toBe(await sealAnswer('same', 'token'))
})

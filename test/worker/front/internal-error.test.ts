/** Responses to internal errors: whether to try again, and no detail that belongs in the log. */

import { respondInternalError } from '#worker/front/internal-error.ts'
import { afterAll, afterEach, expect, it, vi } from 'vitest'

const log = vi.spyOn(console, 'error').mockReturnValue()
afterEach(() => log.mockClear())
afterAll(() => log.mockRestore())

async function answerTo(error: unknown) {
  const answer = respondInternalError(error)
  const { code, message } = await answer.json<{ code: string; message: string }>()
  return { status: answer.status, again: answer.headers.get('retry-after'), code, message }
}

it.each(['overloaded', 'retryable'])(
  'an object that is %s gives a response with Retry-After',
  async (mark) => {
    const error = Object.assign(new Error('secret detail'), { [mark]: true })
    const answer = await answerTo(error)
    expect(answer).toMatchObject({ status: 503, again: '5', code: 'UNREACHABLE' })
    expect(answer.message).not.toContain('secret')
    expect(log).toHaveBeenCalledWith(error)
  },
)

it.each([
  ['an error', new Error('secret detail')],
  ['an error that is marked with no', Object.assign(new Error('secret'), { retryable: false })],
  ['a text', 'secret'],
  ['nothing', undefined],
])('%s is an internal error, whose text goes to the log only', async (_, thrown) => {
  const answer = await answerTo(thrown)
  expect(answer).toMatchObject({ status: 500, again: null, code: 'INTERNAL' })
  expect(answer.message).not.toContain('secret')
  expect(log).toHaveBeenCalledWith(thrown)
})

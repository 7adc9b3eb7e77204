/** What is answered when something broke: whether to try again, and nothing that is for the log. */

import { somethingWrong } from '#worker/trouble.ts'
import { afterEach, expect, it, vi } from 'vitest'

const log = vi.spyOn(console, 'error').mockReturnValue()
afterEach(() => log.mockClear())

async function answerTo(error: unknown) {
  const answer = somethingWrong(error)
  const { code, message } = await answer.json<{ code: string; message: string }>()
  return { status: answer.status, again: answer.headers.get('retry-after'), code, message }
}

it.each(['overloaded', 'retryable'])(
  'an object that is %s is answered with when to come again',
  async (mark) => {
    const error = Object.assign(new Error('secret detail'), { [mark]: true })
    const answer = await answerTo(error)
    expect(answer).toMatchObject({ status: 503, again: '5', code: 'UNREACHABLE' })
    expect(answer.message).toContain('not known')
    expect(log).toHaveBeenCalledWith(error)
  },
)

it.each([
  ['an error', new Error('secret detail')],
  ['an error that is marked with no', Object.assign(new Error('secret'), { retryable: false })],
  ['a text', 'secret'],
  ['nothing', undefined],
])('%s is a fault of ours, and its text is for the log', async (_, thrown) => {
  const answer = await answerTo(thrown)
  expect(answer).toMatchObject({ status: 500, again: null, code: 'INTERNAL' })
  expect(answer.message).not.toContain('secret')
  expect(log).toHaveBeenCalledWith(thrown)
})

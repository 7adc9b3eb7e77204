/**
 * An attempt of which only success is known: the error of another object, or of the platform, may name what it was about.
 * `test/worker/outbox/notifier.test.ts` and `test/worker/notifier/email.test.ts` test it.
 *
 * @module
 */

import { MAX_NOTICE_ATTEMPT_MS } from './limits.ts'

/** Whether work succeeds, within {@link MAX_NOTICE_ATTEMPT_MS}. Never rejects. */
export async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), MAX_NOTICE_ATTEMPT_MS)
  const begin = async () => work()
  const ended = begin().then(
    () => true,
    () => false,
  )
  const isDone = await Promise.race([ended, late.promise])
  clearTimeout(timer)
  return isDone
}

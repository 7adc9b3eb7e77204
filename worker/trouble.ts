/**
 * What is answered when something broke on the way, so that whoever asked knows whether to try again.
 *
 * A bug is for the log, and says nothing to a stranger. What the platform says of an object, and an
 * object of its store, is no bug: it is answered with 503.
 *
 * @module
 */

import { STORAGE_FULL } from './problem.ts'
import { NEWER_RELEASE } from './store/schema.ts'

export function somethingWrong(error: unknown): Response {
  console.error(error)
  const message = error instanceof Error ? error.message : ''
  if (message.includes(NEWER_RELEASE))
    return unavailable('NEWER_RELEASE', `${NEWER_RELEASE}. Nothing was touched`)
  // Of SQLite, which may hold so much in an object, and of a disk; of R2 on a disk.
  if (/SQLITE_FULL|database or disk is full|ENOSPC/.test(message))
    return Response.json({ code: 'STORAGE_FULL', message: STORAGE_FULL }, { status: 507 })
  if (isMarked(error, 'overloaded') || isMarked(error, 'retryable'))
    return unavailable(
      'UNREACHABLE',
      'The workspace could not be reached just now. Whether the call was carried out is not known: look before trying again',
      { 'retry-after': '5' },
    )
  const nothing = 'Something went wrong here. Nothing more was done'
  return Response.json({ code: 'INTERNAL', message: nothing }, { status: 500 })
}

function unavailable(code: string, message: string, headers: Record<string, string> = {}) {
  return Response.json({ code, message }, { status: 503, headers })
}

/** https://developers.cloudflare.com/durable-objects/best-practices/error-handling/ */
function isMarked(error: unknown, mark: 'overloaded' | 'retryable'): boolean {
  return error instanceof Error && Reflect.get(error, mark) === true
}

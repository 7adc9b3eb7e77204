/**
 * Unexpected errors as HTTP responses, so that a client knows whether to try again.
 *
 * A bug is logged, and its message is never sent. A full disk, an unreachable object and a store of a newer
 * release are not bugs: they have a status and a code of their own.
 *
 * @module
 */

import { STORAGE_FULL } from '../errors/problem.ts'
import { NEWER_RELEASE } from '../database/schema.ts'

/** Logs an unexpected error and builds its response: 503, 507, or 500 for a bug. */
export function respondInternalError(error: unknown): Response {
  console.error(error)
  const message = error instanceof Error ? error.message : ''
  if (message.includes(NEWER_RELEASE))
    return unavailable(
      'NEWER_RELEASE',
      `${NEWER_RELEASE}. Nothing was changed. Deploy the newer release again.`,
    )
  // SQLite reports the size limit of an object or a full disk; R2 on a local disk reports ENOSPC.
  if (/SQLITE_FULL|database or disk is full|ENOSPC/.test(message))
    return Response.json({ code: 'STORAGE_FULL', message: STORAGE_FULL }, { status: 507 })
  if (isMarked(error, 'overloaded') || isMarked(error, 'retryable'))
    return unavailable(
      'UNREACHABLE',
      'Cannot reach the workspace. The call may or may not have been carried out: check before you try again.',
      { 'retry-after': '5' },
    )
  const nothing = 'Internal error. Nothing more was done.'
  return Response.json({ code: 'INTERNAL', message: nothing }, { status: 500 })
}

function unavailable(code: string, message: string, headers: Record<string, string> = {}) {
  return Response.json({ code, message }, { status: 503, headers })
}

/** https://developers.cloudflare.com/durable-objects/best-practices/error-handling/ */
function isMarked(error: unknown, mark: 'overloaded' | 'retryable'): boolean {
  return error instanceof Error && Reflect.get(error, mark) === true
}

/**
 * Errors already covered by the page-level banner (signed out, offline), so cards do not repeat
 * them.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { ConnectionError, problemOf } from '../../connection/problem.ts'
import { health, link } from './link.ts'
import { isSignedOut } from './person.ts'

/** Returns a short text to show instead of the error; null if the banner does not cover it. */
export function saidAbove(error: unknown): string | null {
  if (isSignedOut.value && isUnauthorized(error)) return 'Sign in first to see this.'
  const isAway = link.value.state === 'ready' && health.value.name === 'reconnecting'
  return isAway && isUnreached(error) ? 'This comes when the connection is back.' : null
}

const isUnauthorized = (error: unknown) =>
  error instanceof ConnectionError
    ? error.problem.kind === 'unauthorized'
    : isRecord(error) && error['status'] === 401

function isUnreached(error: unknown): boolean {
  const { kind } = problemOf(error)
  const isCut = kind === 'unreachable' || kind === 'closed'
  return isCut || (isRecord(error) && error['code'] === 'UNREACHABLE')
}

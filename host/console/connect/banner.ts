/**
 * Errors already covered by the page-level banner (signed out, offline), so cards do not repeat
 * them.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { ConnectionError, problemOf } from '../../mcp/errors.ts'
import { health, connectionStatus } from './connection.ts'
import { isSignedOut } from './http.ts'

/** Returns a short text to show instead of the error; null if the banner does not cover it. */
export function shortenBannerError(error: unknown): string | null {
  if (isSignedOut.value && isUnauthorized(error)) return 'Sign in to see this.'
  const isAway = connectionStatus.value.state === 'ready' && health.value.name === 'reconnecting'
  return isAway && isUnreachable(error) ? 'Available when the connection is back.' : null
}

const isUnauthorized = (error: unknown) =>
  error instanceof ConnectionError
    ? error.problem.kind === 'unauthorized'
    : isRecord(error) && error['status'] === 401

function isUnreachable(error: unknown): boolean {
  const { kind } = problemOf(error)
  const isCut = kind === 'unreachable' || kind === 'closed'
  return isCut || (isRecord(error) && error['code'] === 'UNREACHABLE')
}

/**
 * What the log holds of a fault: which kind of error, and where in our code, but never its message.
 *
 * Messages of errors quote what was being worked on: paths, keys, parts of a body, the id of a client. The
 * log may go wherever logs go, so none of that may stand in it. Libraries write to the console, too, which is
 * why it is replaced there and not only where we call it. The proof is `test/e2e/attack-log.test.ts`.
 *
 * @module
 */

import { currentRequest } from './request.ts'

/** What SQLite may say of itself. */
const SQLITE =
  /\bSQLITE_(?:FULL|TOOBIG|CORRUPT|IOERR|NOMEM|CONSTRAINT|LOCKED|BUSY|READONLY|ERROR)\b/

/** What the libraries warn of. They put the id of a client, or of a grant, behind it. */
const WARNINGS = [
  'CIMD fetch failed',
  'CIMD (Client ID Metadata Document) is disabled',
  'Failed to revoke grant',
  'Failed to renew client registration',
]

/** Frames that are kept. */
const FRAMES = 12

/** An error as a line of the log. */
export function formatFault(error: unknown): string {
  const request = currentRequest()
  if (!(error instanceof Error))
    return JSON.stringify({ event: 'fault', request, name: typeof error })
  const name = /^\w{1,40}$/.test(error.name) ? error.name : 'Error'
  const code = SQLITE.exec(error.message)?.[0] ?? null
  return JSON.stringify({ event: 'fault', request, name, code, at: framesOf(error) })
}

/** Where it happened. A message may look like a frame, so it is taken off first. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message)
  if (at < 0 || stack.slice(0, at).includes('\n')) return []
  const lines = stack.slice(at + message.length).split('\n')
  return lines.flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? []).slice(0, FRAMES)
}

/** A warning of a library as a line of the log: only which one it is. */
export function formatWarning(text: unknown): string {
  const what = WARNINGS.find((known) => String(text).startsWith(known)) ?? 'unknown'
  return JSON.stringify({ event: 'warning', request: currentRequest(), what })
}

const { error: writeError, warn: writeWarning } = console
console.error = (error: unknown) => writeError(formatFault(error))
console.warn = (text: unknown) => writeWarning(formatWarning(text))

/**
 * Errors in the log: the kind of an error and its position in our code, but never its message.
 *
 * Error messages quote what was being worked on: paths, keys, parts of a body, client ids. Logs may be sent
 * anywhere, so they must contain none of it. Libraries write to the console, too, which is why the console is
 * replaced and not only our own calls. The proof is `test/e2e/attacks/log.slow.test.ts`.
 *
 * @module
 */

import { currentRequest } from './request.ts'

/** Error codes of SQLite that may be logged. */
const SQLITE =
  /\bSQLITE_(?:FULL|TOOBIG|CORRUPT|IOERR|NOMEM|CONSTRAINT|LOCKED|BUSY|READONLY|ERROR)\b/

/** Warnings that may be logged. Those of libraries are followed by the id of a client or of a grant. */
const WARNINGS = [
  'Webhook attempt failed',
  'Webhook notice dropped: failed',
  'Webhook notice dropped: gone',
  'Webhook notice dropped: queue full',
  'Notification dropped: failed',
  'Notification dropped: gone',
  'Notifier attempt failed',
  'Notifier notice dropped: failed',
  'Notifications dropped: no steps left',
  'CIMD fetch failed',
  'CIMD (Client ID Metadata Document) is disabled',
  'Failed to revoke grant',
  'Failed to renew client registration',
]

/** Stack frames that are logged. */
const MAX_FRAMES = 12

/** Formats an error as a log line. */
export function formatFault(error: unknown): string {
  const request = currentRequest()
  if (!(error instanceof Error))
    return JSON.stringify({ event: 'fault', request, name: typeof error })
  const name = /^\w{1,40}$/.test(error.name) ? error.name : 'Error'
  const code = SQLITE.exec(error.message)?.[0] ?? null
  return JSON.stringify({ event: 'fault', request, name, code, at: framesOf(error) })
}

/** Returns the stack frames. The message may look like a frame, so it is removed first. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message)
  if (at < 0 || stack.slice(0, at).includes('\n')) return []
  const lines = stack.slice(at + message.length).split('\n')
  return lines.flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? []).slice(0, MAX_FRAMES)
}

/** Formats a warning as a log line that says only which one it is. */
export function formatWarning(text: unknown): string {
  const what = WARNINGS.find((known) => String(text).startsWith(known)) ?? 'unknown'
  return JSON.stringify({ event: 'warning', request: currentRequest(), what })
}

const { error: writeError, warn: writeWarning } = console
console.error = (error: unknown) => writeError(formatFault(error))
console.warn = (text: unknown) => writeWarning(formatWarning(text))

/**
 * Filters the log of workerd. Lines of the Worker are kept. Messages of the runtime can quote
 * requests or names, so only their source location is kept: untrusted input must not reach a log.
 *
 * @module
 */

/** Matches lines that the Worker has written, see `worker/observe`. */
const OWN = /^\{"event":"(?:request|call|fault|warning)",/

/** Matches a source file of the runtime with its line, after the kind of report. */
const PLACE = /^(?:\w[\w ]{0,30}: |e = )?([\w./+-]{1,200}:\d{1,6}): /

/** Matches an error code of SQLite; the rest of its message may quote a statement. */
const SQLITE = /\bSQLITE_[A-Z]{2,12}\b/

/** A line of the runtime's log. */
export interface RuntimeLine {
  readonly level: string
  readonly message: string
}

/** Where lines are written, by their level. */
export type Output = Pick<Console, 'log' | 'error'>

/** Returns a function that writes lines without quoted input. */
export const writerOf =
  (output: Output) =>
  ({ level, message }: RuntimeLine): void => {
    const line = formatRuntimeLine(message)
    if (line === null) return
    if (level === 'error' || level === 'warn') output.error(line)
    else output.log(line)
  }

/** Returns the line without quoted input; null if nothing remains. */
function formatRuntimeLine(message: string): string | null {
  if (OWN.test(message)) return message
  const [, place] = PLACE.exec(message) ?? []
  if (place === undefined) return null
  const [code = ''] = SQLITE.exec(message) ?? []
  return `runtime: ${place} ${code}`.trimEnd()
}

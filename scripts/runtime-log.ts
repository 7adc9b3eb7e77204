/**
 * What workerd writes while the product runs. Lines of the Worker pass as they are. What the runtime says of
 * requests that it could not read, or of names that it could not find, quotes them; of those only the place
 * in its source is kept, because nothing that a stranger sent may stand in a log.
 *
 * @module
 */

/** Lines that the Worker has written, see `worker/observe`. */
const OWN = /^\{"event":"(?:request|call|fault|warning)",/

/** A file of the runtime with its line, behind what kind of report it is. */
const PLACE = /^(?:\w[\w ]{0,30}: |e = )?([\w./+-]{1,200}:\d{1,6}): /

/** What SQLite says of itself; the rest of such a message may quote a statement. */
const SQLITE = /\bSQLITE_[A-Z]{2,12}\b/

export interface RuntimeLine {
  readonly level: string
  readonly message: string
}

/** Writes a line of the runtime to where its level belongs. */
export function writeRuntimeLine({ level, message }: RuntimeLine): void {
  const line = formatRuntimeLine(message)
  if (line === null) return
  if (level === 'error' || level === 'warn') console.error(line)
  else console.log(line)
}

/** The line as it may be written; null where nothing is left of it. */
export function formatRuntimeLine(message: string): string | null {
  if (OWN.test(message)) return message
  const [, place] = PLACE.exec(message) ?? []
  if (place === undefined) return null
  const [code = ''] = SQLITE.exec(message) ?? []
  return `runtime: ${place} ${code}`.trimEnd()
}

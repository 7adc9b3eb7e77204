/**
 * CSV and TSV: records with the offsets of their fields, so that single fields can be edited.
 *
 * A field may be quoted, with `""` for a quote (RFC 4180). Records end with `\n` or `\r\n`; empty
 * lines are no records, and neither is the line of Excel that names the delimiter (`sep=;`). Everything is accepted: a
 * quote in the middle of a field is text.
 * `test/views/templates/edits.test.ts` covers it.
 *
 * @module
 */

/** A record: the offsets of its fields, as pairs of start and end, quotes included. */
export interface CsvRecord {
  readonly offsets: readonly number[]
  /** The offset after its line ending. */
  readonly end: number
}

const QUOTE = '"'

/** Reads the record at an offset. */
export function readRecord(text: string, start: number, delimiter: string): CsvRecord {
  const offsets: number[] = []
  let at = start
  for (;;) {
    const end = findEnd(text, at, delimiter)
    offsets.push(at, end)
    at = end
    if (text[at] !== delimiter) break
    at++
  }
  if (text[at] === '\r') at++
  if (text[at] === '\n') at++
  return { offsets, end: at }
}

function findEnd(text: string, start: number, delimiter: string): number {
  let at = start
  if (text[at] === QUOTE) {
    at++
    for (;;) {
      const quote = text.indexOf(QUOTE, at)
      if (quote === -1) return text.length
      at = quote + 1
      if (text[at] !== QUOTE) break
      at++
    }
  }
  for (; at < text.length; at++) {
    const char = text[at]
    if (char === delimiter || char === '\n') return at
    if (char === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)) return at
  }
  return at
}

/** Returns the value of a field. */
function fieldValue(text: string, from: number, to: number): string {
  if (text[from] !== QUOTE) return text.slice(from, to)
  const close = text.lastIndexOf(QUOTE, to - 1)
  const end = close > from ? close : to
  return text.slice(from + 1, end).replaceAll('""', QUOTE) + text.slice(end + 1, to)
}

/** Returns the values of a record. */
export function recordValues(text: string, { offsets }: CsvRecord): string[] {
  const values: string[] = []
  for (let at = 0; at < offsets.length; at += 2)
    values.push(fieldValue(text, offsets[at] ?? 0, offsets[at + 1] ?? 0))
  return values
}

/** Whether a record is an empty line. */
export const isEmptyLine = ({ offsets: [from, to], offsets }: CsvRecord): boolean =>
  offsets.length === 2 && from === to

/** A file of records. */
export interface Csv {
  readonly delimiter: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Rows that were left out, because there are too many. */
  readonly leftOut: number
}

/** Reads a whole file, pausing between records. The first record is the header. */
export function* parseCsv(text: string, path: string, maxRows: number): Generator<void, Csv> {
  const delimiter = findDelimiter(text, path)
  const rows: string[][] = []
  let leftOut = 0
  for (let at = beginningOf(text), count = 0; at < text.length; count++) {
    const record = readRecord(text, at, delimiter)
    at = record.end
    if (count % 256 === 0) yield
    if (isEmptyLine(record)) continue
    if (rows.length > maxRows) leftOut++
    else rows.push(recordValues(text, record))
  }
  const [header = [], ...rest] = rows
  return { delimiter, header, rows: rest, leftOut }
}

const DELIMITERS = [',', ';', '\t', '|']

const NAMED = /^sep=([^"\r\n])\r?\n/i

/** Returns the offset of the first record. */
export const beginningOf = (text: string): number => NAMED.exec(text)?.[0].length ?? 0

/** Returns the delimiter: the one that is named, of a `.tsv` file the tab, else the one that splits the first line most. */
export function findDelimiter(text: string, path: string): string {
  const named = NAMED.exec(text)?.[1]
  if (named !== undefined) return named
  if (/\.tsv$/i.test(path)) return '\t'
  const fields = (delimiter: string) => readRecord(text, 0, delimiter).offsets.length
  return DELIMITERS.reduce((best, each) => (fields(each) > fields(best) ? each : best))
}

/** Formats a field, quoted where it has to be. */
export function formatField(value: string, delimiter: string, quotes = false): string {
  const needs = quotes || value.includes(delimiter) || /["\r\n]|^\s|\s$/.test(value)
  return needs ? QUOTE + value.replaceAll(QUOTE, '""') + QUOTE : value
}

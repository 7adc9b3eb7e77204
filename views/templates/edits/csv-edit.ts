/**
 * Edits of a CSV text: a row more, or another value of one field. Every other byte stays.
 *
 * `test/views/templates/edits.test.ts` covers it.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import {
  beginningOf,
  findDelimiter,
  formatField,
  isEmptyLine,
  readRecord,
  recordValues,
  type CsvRecord,
} from '../data/csv.ts'

/** Reads the records of a text that are not empty lines. */
export function readRecords(text: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = []
  for (let at = beginningOf(text); at < text.length;) {
    const record = readRecord(text, at, delimiter)
    at = record.end
    if (!isEmptyLine(record)) records.push(record)
  }
  return records
}

/** Returns the text with one row more. A column without a value is empty. */
export function appendRow(
  text: string,
  path: string,
  values: ReadonlyMap<string, string>,
): Result<string, string> {
  const delimiter = findDelimiter(text, path)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const records = readRecords(text, delimiter)
  const [first] = records
  const line = (cells: readonly string[], quotes = false) =>
    cells.map((cell) => formatField(cell, delimiter, quotes)).join(delimiter)
  if (!first) {
    const names = [...values.keys()]
    return ok(`${text.slice(0, beginningOf(text))}${line(names)}\n${line([...values.values()])}\n`)
  }
  const header = recordValues(text, first)
  const missing = [...values.keys()].find((name) => !header.includes(name))
  if (missing !== undefined) return err(`${path} has no column ${missing}`)
  const row = line(
    header.map((name) => values.get(name) ?? ''),
    quotesAll(text, records.at(-1) ?? first),
  )
  return ok(text.endsWith('\n') ? text + row + newline : text + newline + row)
}

/** Whether every field of a record is quoted. */
function quotesAll(text: string, { offsets }: CsvRecord): boolean {
  return offsets.every((offset, index) => index % 2 === 1 || text[offset] === '"')
}

/** Returns the text with another value of one field; `row` counts the rows after the header. */
export function setField(
  text: string,
  path: string,
  { row, column, value }: { row: number; column: string; value: string },
): Result<string, string> {
  const delimiter = findDelimiter(text, path)
  const records = readRecords(text, delimiter)
  const [header] = records
  const record = records[row + 1]
  const at = header ? recordValues(text, header).indexOf(column) : -1
  if (!record || at === -1) return err(`${path} has no such row`)
  const from = record.offsets[2 * at]
  const to = record.offsets[2 * at + 1]
  if (from === undefined || to === undefined) return err(`Row ${row + 1} has no column ${column}`)
  const field = formatField(value, delimiter, text[from] === '"')
  return ok(text.slice(0, from) + field + text.slice(to))
}

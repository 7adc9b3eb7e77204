/**
 * Rows of a table, from CSV, TSV, JSON or JSON Lines.
 *
 * `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import type { TableColumn } from '#core/apps/templates.ts'
import { isRecord, own, recordOf } from '#core/json.ts'
import { MAX_TABLE_ROWS } from '../limits.ts'
import { parseCsv } from './csv.ts'

/** A table. */
export interface Table {
  readonly columns: readonly TableColumn[]
  readonly count: number
  /** Returns a cell as JSON value; undefined if the row has none. */
  readonly cell: (row: number, column: number) => unknown
  /** Rows that are not shown, because there are too many. */
  readonly leftOut: number
}

/** Reads a file as a table, pausing between rows. */
export function* tableOfFile(
  path: string,
  text: string,
  columns: readonly TableColumn[],
): Generator<void, Table> {
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return tableOfJson(yield* parseLines(text), columns)
  if (/\.json$/i.test(path)) return tableOfJson(JSON.parse(withoutBom(text)), columns)
  return yield* tableOfCsv(path, withoutBom(text), columns)
}

/** Removes a byte order mark. */
export const withoutBom = (text: string): string => text.replace(/^\ufeff/, '')

function* tableOfCsv(
  path: string,
  text: string,
  columns: readonly TableColumn[],
): Generator<void, Table> {
  const { header, rows, leftOut } = yield* parseCsv(text, path, MAX_TABLE_ROWS)
  const shown = columns.length > 0 ? columns : header.map(columnNamed)
  const places = shown.map(({ key }, index) => (columns.length > 0 ? header.indexOf(key) : index))
  const cell = (row: number, column: number) => rows[row]?.[places[column] ?? -1]
  return { columns: shown, count: rows.length, cell, leftOut }
}

const columnNamed = (key: string): TableColumn => ({ key, label: key, sortable: true })

/** Parses one JSON value per line; empty lines are skipped. */
export function* parseLines(text: string): Generator<void, unknown[]> {
  const values: unknown[] = []
  for (const [index, line] of withoutBom(text).split('\n').entries()) {
    if (index % 256 === 0) yield
    if (line.trim() === '') continue
    values.push(parseLine(line, index))
  }
  return values
}

function parseLine(line: string, index: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new SyntaxError(`Cannot read line ${index + 1}: it is not JSON`)
  }
}

/** Returns the table of a JSON value. */
export function tableOfJson(value: unknown, columns: readonly TableColumn[]): Table {
  const rows = rowsOf(value)
  const shown = columns.length > 0 ? columns : columnsOf(rows)
  const cell = (row: number, column: number) => valueAt(rows[row], shown[column]?.key ?? '')
  const count = Math.min(rows.length, MAX_TABLE_ROWS)
  return { columns: shown, count, cell, leftOut: rows.length - count }
}

/**
 * Returns the rows of a JSON value: of an array its items, of an object those of `items`, `rows`,
 * `data`, or of its only list of objects; any other object is one row.
 */
export function rowsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return value === undefined || value === null ? [] : [value]
  for (const name of ['items', 'rows', 'data']) {
    const list = own(value, name)
    if (Array.isArray(list)) return list
  }
  const lists = Object.values(value).filter((each) => Array.isArray(each) && each.some(isRecord))
  const [list] = lists
  return lists.length === 1 && Array.isArray(list) ? list : [value]
}

/** Rows whose members become columns, where the settings name none. */
const SAMPLE_ROWS = 1_000

/** Columns that are found in the data. */
const MAX_FOUND_COLUMNS = 60

function columnsOf(rows: readonly unknown[]): TableColumn[] {
  const keys = new Set<string>()
  for (const row of rows.slice(0, SAMPLE_ROWS))
    for (const key of isRecord(row) ? Object.keys(row) : ['value']) keys.add(key)
  return [...keys].slice(0, MAX_FOUND_COLUMNS).map(columnNamed)
}

/** Returns a member of a row; a key with dots leads into objects. */
function valueAt(row: unknown, key: string): unknown {
  if (!isRecord(row)) return key === 'value' ? row : undefined
  const direct = own(row, key)
  if (direct !== undefined || !key.includes('.')) return direct
  let at: unknown = row
  for (const part of key.split('.')) at = own(recordOf(at), part)
  return at
}

/** Formats a cell as text; objects as JSON. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value)
}

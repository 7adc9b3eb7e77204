/**
 * `SqlStorage` over SQLite in memory, so that the tables of a workspace exist in plain Node.
 *
 * It keeps the limits of the platform that a statement can break. A cursor reads all rows at once, and counts written
 * rows of tables without those of indexes, so costs are measured in workerd. `test/worker/memory/platform.test.ts` and
 * the store contract hold it to workerd.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import type { DatabaseSync, SqlInput, SqlValue, StatementSync } from 'node:sqlite'

/** Limits of a statement in workerd. */
const MAX_BINDINGS = 100
const MAX_STATEMENT_BYTES = 100_000
const MAX_VALUE_BYTES = 16 * 1024 * 1024
const MAX_COMPOUND_PARTS = 5

type Row = Record<string, SqlStorageValue>

/** What a statement has read and written. */
interface Executed {
  readonly rows: readonly Row[]
  readonly rowsWritten: number
}

const NOTHING: Executed = { rows: [], rowsWritten: 0 }

/** Creates the `SqlStorage` of a database. */
export function createMemorySql(database: DatabaseSync): SqlStorage {
  const prepared = new Map<string, StatementSync>()
  const prepare = (query: string) => {
    const known = prepared.get(query) ?? database.prepare(query)
    prepared.set(query, known)
    return known
  }
  const readNumber = (query: string) => Number(Object.values(prepare(query).all()[0] ?? {})[0])
  const sql = {
    exec(query: string, ...values: unknown[]) {
      const bound = values.map(toBound)
      checkLimits(query, bound)
      return withNamedErrors(() => {
        if (!hasSeveralStatements(query)) return createCursor(execute(prepare(query), bound))
        database.exec(query)
        return createCursor(NOTHING)
      })
    },
    get databaseSize() {
      return readNumber('PRAGMA page_count') * readNumber('PRAGMA page_size')
    },
  }
  // Rows have the type that the caller of `exec` names, as in workerd.
  return sql as unknown as SqlStorage
}

/** Names of result codes: https://www.sqlite.org/rescode.html */
const CODES: Readonly<Record<number, string>> = { 13: 'FULL', 18: 'TOOBIG', 19: 'CONSTRAINT' }

/** Adds the name of the result code to the message of an error, as workerd does. */
function withNamedErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = isRecord(error) ? error['errcode'] : undefined
    if (!(error instanceof Error) || typeof code !== 'number') throw error
    error.message += `: SQLITE_${CODES[code & 0xff] ?? 'ERROR'}`
    throw error
  }
}

/** `changes` counts only what a statement without results has written; a row that is returned was written as well. */
function execute(statement: StatementSync, values: readonly SqlInput[]): Executed {
  if (statement.columns().length === 0)
    return { rows: [], rowsWritten: Number(statement.run(...values).changes) }
  const rows = readRows(statement, values)
  const isRead = /^\s*(?:SELECT|WITH|PRAGMA|EXPLAIN)/i.test(statement.sourceSQL)
  return { rows, rowsWritten: isRead ? 0 : rows.length }
}

/** Node prepares the first statement only. A trigger is one statement with several inside. */
const hasSeveralStatements = (query: string) =>
  /;\s*\S/.test(query) && !/^\s*CREATE TRIGGER/i.test(query)

function toBound(value: unknown): SqlInput {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (value instanceof Uint8Array) return value
  throw new TypeError(`Cannot bind a value of type ${typeof value}`)
}

function checkLimits(query: string, values: readonly SqlInput[]): void {
  if (query.length > MAX_STATEMENT_BYTES) throw new Error('statement too long: SQLITE_TOOBIG')
  if (values.length > MAX_BINDINGS) throw new Error('too many SQL variables: SQLITE_ERROR')
  if (countCompoundParts(query) > MAX_COMPOUND_PARTS)
    throw new Error('too many terms in compound SELECT: SQLITE_ERROR')
  if (values.some(isTooLarge)) throw new Error('string or blob too big: SQLITE_TOOBIG')
}

/** The most parts that a compound `SELECT` of a query has, each within its parentheses. */
function countCompoundParts(query: string): number {
  const open = [1]
  let most = 1
  for (const [token] of query.matchAll(/'[^']*'|[();]|\b(?:UNION|INTERSECT|EXCEPT)\b/gi)) {
    if (token.startsWith("'")) continue
    if (token === '(') open.push(1)
    else if (token === ')') open.pop()
    else if (token === ';') open.splice(0, open.length, 1)
    else most = Math.max(most, (open[open.length - 1] = (open.at(-1) ?? 1) + 1))
  }
  return most
}

function isTooLarge(value: SqlInput): boolean {
  if (typeof value === 'string') return value.length > MAX_VALUE_BYTES
  return value instanceof Uint8Array && value.byteLength > MAX_VALUE_BYTES
}

function readRows(statement: StatementSync, values: readonly SqlInput[]): Row[] {
  return readAll(statement, values).map((row) => {
    const read: Row = {}
    for (const name in row) read[name] = fromSqlite(row[name] ?? null)
    return read
  })
}

/** Integers beyond 2^53 lose their last digits in workerd. Node refuses to read them as numbers. */
function readAll(statement: StatementSync, values: readonly SqlInput[]) {
  try {
    return statement.all(...values)
  } catch (error) {
    if (!isRecord(error) || error['code'] !== 'ERR_OUT_OF_RANGE') throw error
    statement.setReadBigInts(true)
    return statement.all(...values)
  }
}

function fromSqlite(value: SqlValue): SqlStorageValue {
  if (typeof value === 'bigint') return Number(value)
  if (!(value instanceof Uint8Array)) return value
  const { buffer, byteOffset, byteLength } = value
  return buffer.slice(byteOffset, byteOffset + byteLength)
}

function createCursor({ rows, rowsWritten }: Executed) {
  const left = rows[Symbol.iterator]()
  return {
    rowsRead: rows.length,
    rowsWritten,
    columnNames: Object.keys(rows[0] ?? {}),
    next: () => left.next(),
    toArray: () => [...left],
    one() {
      const [row, second] = [...left]
      if (row && !second) return row
      throw new Error('Expected exactly one result from SQL query')
    },
    raw: () => [...left].map((row) => Object.values(row)).values(),
    [Symbol.iterator]: () => left,
  }
}

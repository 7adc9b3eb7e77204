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
import { factsOf, type QueryFacts } from './query-facts.ts'

/** Limits of the values of a statement in workerd. */
const MAX_BINDINGS = 100
const MAX_VALUE_BYTES = 16 * 1024 * 1024

type Row = Record<string, SqlStorageValue>

/** What a statement has read and written. */
interface Executed {
  readonly rows: readonly Row[]
  readonly rowsWritten: number
}

const NOTHING: Executed = { rows: [], rowsWritten: 0 }

/** A statement, and whether it has results. */
interface Prepared {
  readonly statement: StatementSync
  readonly hasResult: boolean
  readonly isRead: boolean
}

/** Creates the `SqlStorage` of a database. */
export function createMemorySql(database: DatabaseSync): SqlStorage {
  const prepared = new Map<string, Prepared>()
  const prepare = (query: string): Prepared => {
    const statement = database.prepare(query)
    const { isRead } = factsOf(query)
    const made = { statement, hasResult: statement.columns().length > 0, isRead }
    prepared.set(query, made)
    return made
  }
  const statementOf = (query: string) => prepared.get(query) ?? prepare(query)
  const readNumber = (query: string) =>
    Number(Object.values(statementOf(query).statement.all()[0] ?? {})[0])
  const sql = {
    exec(query: string, ...values: unknown[]) {
      const bound = values.map(toBound)
      const facts = factsOf(query)
      checkLimits(facts, bound)
      return withNamedErrors(() => {
        if (!facts.hasSeveralStatements) return createCursor(execute(statementOf(query), bound))
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
function execute(
  { statement, hasResult, isRead }: Prepared,
  values: readonly SqlInput[],
): Executed {
  if (!hasResult) return { rows: [], rowsWritten: Number(statement.run(...values).changes) }
  const rows = readRows(statement, values)
  return { rows, rowsWritten: isRead ? 0 : rows.length }
}

function toBound(value: unknown): SqlInput {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (value instanceof Uint8Array) return value
  throw new TypeError(`Cannot bind a value of type ${typeof value}`)
}

function checkLimits({ refusal }: QueryFacts, values: readonly SqlInput[]): void {
  if (refusal !== null) throw new Error(refusal)
  if (values.length > MAX_BINDINGS) throw new Error('too many SQL variables: SQLITE_ERROR')
  if (values.some(isTooLarge)) throw new Error('string or blob too big: SQLITE_TOOBIG')
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

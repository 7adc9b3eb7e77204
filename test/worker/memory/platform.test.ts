/**
 * The platform, as the Worker uses it. These tests run in workerd and, over `test/support/memory/`, in plain Node: what
 * passes in one and fails in the other is a difference that a test in Node could not be trusted about.
 *
 * @module
 */

import {
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  SELF,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { holdAlarm, newStub } from '../../support/worker/object-life.ts'

type Storage = DurableObjectState['storage']

/** Runs work with the storage of a new object. */
const withStorage = <T>(work: (storage: Storage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(newStub(), (_, { storage }) => work(storage))

/** Runs work with the tables of a new object, which has one table more. */
const withTable = <T>(work: (sql: SqlStorage, storage: Storage) => T): Promise<T> =>
  withStorage((storage) => {
    storage.sql.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)')
    return work(storage.sql, storage)
  })

const bytes = (...values: number[]) => new Uint8Array(values)
const all = (sql: SqlStorage, query: string, ...values: unknown[]) =>
  sql.exec(query, ...values).toArray()

describe('SQL', () => {
  it.each([
    ['text', 'å\u0000b'],
    ['a whole number', 7],
    ['a fraction', 0.1],
    ['a negative number', -3],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['null', null],
  ])('gives back %s', (_, value) =>
    withTable((sql) => {
      sql.exec('INSERT INTO t (v) VALUES (?)', value)
      expect(all(sql, 'SELECT v FROM t')).toEqual([{ v: value }])
    }),
  )

  it('permits five terms of a compound, each time in parentheses', () =>
    withTable((sql) => {
      const terms = (count: number) => Array.from({ length: count }, () => 'SELECT 1 AS one')
      const five = terms(5).join(' UNION ALL ')
      expect(all(sql, five)).toHaveLength(5)
      expect(all(sql, `SELECT * FROM (${five}) UNION ALL SELECT * FROM (${five})`)).toHaveLength(10)
      const six = terms(6).join(' UNION ALL ')
      expect(() => all(sql, six)).toThrow('too many terms in compound SELECT')
      expect(() => all(sql, `SELECT * FROM (${six})`)).toThrow('SQLITE_ERROR')
    }))

  it('gives back bytes as a buffer of their own', () =>
    withTable((sql) => {
      sql.exec('INSERT INTO t (v) VALUES (?)', bytes(0, 1, 2, 255).subarray(1))
      sql.exec('INSERT INTO t (v) VALUES (?)', bytes(9).buffer)
      const read = all(sql, 'SELECT v FROM t ORDER BY id').map(({ v }) => v)
      expect(read.map((each) => each instanceof ArrayBuffer)).toEqual([true, true])
      expect(read.map((each) => [...new Uint8Array(each as ArrayBuffer)])).toEqual([
        [1, 2, 255],
        [9],
      ])
    }))

  it('gives integers beyond 2^53 as the nearest number', () =>
    withTable((sql) => {
      sql.exec('INSERT INTO t (v) VALUES (9007199254740993), (9223372036854775807)')
      expect(all(sql, 'SELECT v FROM t ORDER BY id')).toEqual([
        { v: 9007199254740992 },
        { v: 2 ** 63 },
      ])
    }))

  it('numbers bindings, and takes undefined as null', () =>
    withTable((sql) => {
      const row = sql.exec('SELECT ?2 AS b, ?1 AS a, ?3 AS c', 1, 'two', undefined).one()
      expect(row).toEqual({ a: 1, b: 'two', c: null })
    }))

  it('divides numbers as fractions', () =>
    withTable((sql) => expect(sql.exec('SELECT ? / 2 AS half', 5).one()).toEqual({ half: 2.5 })))

  it('takes several statements, and triggers', () =>
    withTable((sql) => {
      sql.exec(`CREATE TABLE log (v); CREATE INDEX log_v ON log (v);`)
      sql.exec(`CREATE TRIGGER copied AFTER INSERT ON t BEGIN
        INSERT INTO log VALUES (new.v); INSERT INTO log VALUES ('again'); END`)
      sql.exec('INSERT INTO t (v) VALUES (?)', 'x')
      expect(all(sql, 'SELECT v FROM log')).toEqual([{ v: 'x' }, { v: 'again' }])
    }))

  it('reports whether a statement has written', () =>
    withTable((sql) => {
      const written = (query: string, ...values: unknown[]) => {
        const cursor = sql.exec(query, ...values)
        cursor.toArray()
        return cursor.rowsWritten > 0
      }
      expect(written('INSERT INTO t (v) VALUES (?)', 1)).toBe(true)
      expect(written('INSERT OR IGNORE INTO t (id) VALUES (1)')).toBe(false)
      expect(written('INSERT INTO t (v) VALUES (?) RETURNING id', 2)).toBe(true)
      expect(written('UPDATE t SET v = 3 WHERE id = 9 RETURNING id')).toBe(false)
      expect(written('DELETE FROM t WHERE id = ?', 1)).toBe(true)
      expect(written('DELETE FROM t WHERE id = ?', 1)).toBe(false)
      expect(written('SELECT * FROM t')).toBe(false)
    }))

  it('reads a cursor once, and one row only if there is one', () =>
    withTable((sql) => {
      sql.exec('INSERT INTO t (v) VALUES (1), (2)')
      const cursor = sql.exec('SELECT v FROM t ORDER BY id')
      expect(cursor.next()).toEqual({ done: false, value: { v: 1 } })
      expect(cursor.toArray()).toEqual([{ v: 2 }])
      expect(cursor.toArray()).toEqual([])
      expect(() => sql.exec('SELECT v FROM t').one()).toThrow('exactly one')
      expect(() => sql.exec('SELECT v FROM t WHERE v = 9').one()).toThrow('exactly one')
    }))

  it.each([
    ['101 bindings', `SELECT ${'?,'.repeat(100)}?`, new Array(101).fill(1)],
    ['a text of 20 MB', 'SELECT length(?)', ['x'.repeat(20_000_000)]],
    ['a statement of 200 kB', `SELECT '${'x'.repeat(200_000)}'`, []],
    ['a table that does not exist', 'SELECT * FROM missing', []],
    ['a broken constraint', 'INSERT INTO t (id) VALUES (1), (1)', []],
    ['syntax that is none', 'SELEC 1', []],
  ])('refuses %s', (_, query, values) =>
    withTable((sql) =>
      expect(() => sql.exec(query, ...values).toArray()).toThrow(/: SQLITE_[A-Z]+/),
    ),
  )

  it('searches text by trigrams', () =>
    withTable((sql) => {
      sql.exec(`CREATE VIRTUAL TABLE f USING fts5 (v, tokenize = 'trigram case_sensitive 1')`)
      sql.exec('INSERT INTO f (rowid, v) VALUES (1, ?), (2, ?)', 'one needle here', 'nothing')
      expect(all(sql, 'SELECT rowid FROM f WHERE f MATCH ?', '"needle"')).toEqual([{ rowid: 1 }])
    }))
})

describe('a transaction', () => {
  const ids = (sql: SqlStorage) => all(sql, 'SELECT id FROM t ORDER BY id').map(({ id }) => id)

  it('returns what its work returns, and is gone when that throws', () =>
    withTable((sql, storage) => {
      const insert = (id: number) => sql.exec('INSERT INTO t (id) VALUES (?)', id)
      expect(storage.transactionSync(() => (insert(1), 'done'))).toBe('done')
      const fail = () => {
        insert(2)
        throw new Error('undone')
      }
      expect(() => storage.transactionSync(fail)).toThrow('undone')
      expect(ids(sql)).toEqual([1])
    }))

  it('can be undone within another one', () =>
    withTable((sql, storage) => {
      const insert = (id: number) => sql.exec('INSERT INTO t (id) VALUES (?)', id)
      storage.transactionSync(() => {
        insert(1)
        const inner = () =>
          storage.transactionSync(() => {
            insert(2)
            throw new Error('inner')
          })
        expect(inner).toThrow('inner')
        insert(3)
      })
      expect(ids(sql)).toEqual([1, 3])
    }))
})

describe('an object', () => {
  it('keeps its storage when it is evicted', async () => {
    const stub = newStub()
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('CREATE TABLE kept (v)')
      storage.kv.put('key', { list: [1] })
    })
    await evictDurableObject(stub)
    await runInDurableObject(stub, (_, { storage }) => {
      expect(all(storage.sql, 'SELECT * FROM kept')).toEqual([])
      expect(storage.kv.get('key')).toEqual({ list: [1] })
    })
  })

  it('has an alarm, which is unset once it has run', async () => {
    const stub = newStub()
    const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
    await holdAlarm(stub)
    expect(await runDurableObjectAlarm(stub)).toBe(false)
    const time = Date.now() + 60_000
    await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(time))
    expect(await alarm()).toBe(time)
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    expect(await alarm()).toBeNull()
  })

  it('has pairs of keys and values by prefix, in order', () =>
    withStorage(({ kv }) => {
      for (const key of ['b2', 'a', 'b1']) kv.put(key, key)
      expect([...kv.list({ prefix: 'b' })]).toEqual([
        ['b1', 'b1'],
        ['b2', 'b2'],
      ])
      expect(kv.delete('a')).toBe(true)
      expect(kv.get('a')).toBeUndefined()
    }))
})

describe('a bucket', () => {
  const { FILES: bucket } = env
  const read = async (key: string, options?: R2GetOptions) => {
    const object = await bucket.get(key, options)
    return object && [...new Uint8Array(await object.arrayBuffer())]
  }

  it('stores, reads, lists and deletes objects', async () => {
    const prefix = crypto.randomUUID()
    const [one, two] = [`${prefix}/1`, `${prefix}/2`]
    await bucket.put(one, bytes(1, 2, 3, 4))
    const { readable, writable } = new FixedLengthStream(2)
    const writer = writable.getWriter()
    await Promise.all([bucket.put(two, readable), writer.write(bytes(8, 9)), writer.close()])
    expect(await read(one)).toEqual([1, 2, 3, 4])
    expect(await read(two)).toEqual([8, 9])
    expect(await read(one, { range: { offset: 1, length: 2 } })).toEqual([2, 3])
    expect(await read(`${prefix}/3`)).toBeNull()
    expect(await bucket.head(two)).toMatchObject({ size: 2 })
    const { objects, truncated } = await bucket.list({ prefix })
    expect([objects.map(({ key }) => key), truncated]).toEqual([[one, two], false])
    await bucket.delete([one, two, `${prefix}/3`])
    expect(await bucket.head(one)).toBeNull()
  })
})

describe('the global object', () => {
  it('hashes a stream', async () => {
    const stream = new crypto.DigestStream('SHA-256')
    const writer = stream.getWriter()
    await writer.write(new TextEncoder().encode('abc'))
    await writer.close()
    expect([...new Uint8Array(await stream.digest)].slice(0, 3)).toEqual([0xba, 0x78, 0x16])
  })

  it.each([[[1]], [[1, 2, 3, 4]]])('refuses %j as a stream of three bytes', async (values) => {
    const { readable, writable } = new FixedLengthStream(3)
    const write = new Blob([bytes(...values)]).stream().pipeTo(writable)
    const results = await Promise.allSettled([new Response(readable).arrayBuffer(), write])
    expect(results.map(({ status }) => status)).toContain('rejected')
  })

  it('compares in constant time, and only equal lengths', () => {
    expect(crypto.subtle.timingSafeEqual(bytes(1, 2), bytes(1, 2))).toBe(true)
    expect(crypto.subtle.timingSafeEqual(bytes(1, 2), bytes(1, 3))).toBe(false)
    expect(() => crypto.subtle.timingSafeEqual(bytes(1), bytes(1, 2))).toThrow()
  })

  it('encodes and decodes base64', () => {
    expect(bytes(251, 255).toBase64({ alphabet: 'base64url', omitPadding: true })).toBe('-_8')
    expect(Uint8Array.fromBase64('+/8=')).toEqual(bytes(251, 255))
  })
})

describe('a request', () => {
  it('has the length of its body when the Worker receives it', async () => {
    const body = 'x'.repeat(5)
    const url = `http://localhost/w/platform-${crypto.randomUUID().slice(0, 8)}/files/a.txt`
    expect(await (await SELF.fetch(url, { method: 'PUT', body })).json()).toMatchObject({ size: 5 })
    expect(await (await SELF.fetch(url)).text()).toBe(body)
  })
})

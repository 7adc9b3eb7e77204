/**
 * Laws of the audit log, over random sequences of entries by several principals: each keeps its share, none
 * displaces the entries of others, an applied entry is dropped only for another one, and the chain reveals every
 * change of a row, in the store and in an export.
 */

import type { Ground } from '#core/grounds.ts'
import { CHANGES_WITH_ENTRIES, MAX_AUDIT_PATHS, MAX_AUDIT_ENTRY } from '#worker/limits.ts'
import { createAudit, type AuditColumns, type AuditEntry } from '#worker/audit/audit.ts'
import type { AuditBounds } from '#worker/audit/budget.ts'
import { hashEntry } from '#worker/audit/chain.ts'
import { cutLargest } from '#worker/database/shares.ts'
import { tablesOf } from '#worker/database/table-groups.ts'
import { formatEntry } from '#worker/audit/entry.ts'
import { moveOldEntries } from '#worker/audit/log.ts'
import { migrate } from '#worker/database/schema.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { newStub } from '../../support/worker/object-life.ts'

const WHO = ['a', 'b', 'c', 'd']

/** An entry: its principal, and whether it was applied. The first principal's share also holds the second's entries. */
interface Made {
  readonly who: string
  readonly applied: boolean
}

const sequences = fc.array(
  fc.record({ who: fc.constantFrom(...WHO, 'a/child'), applied: fc.boolean() }),
  { minLength: 1, maxLength: 120 },
)

const bounds: fc.Arbitrary<AuditBounds> = fc.record({
  applied: fc.integer({ min: 1, max: 8 }),
  notes: fc.integer({ min: 1, max: 8 }),
  batch: fc.integer({ min: 1, max: 4 }),
  allNotes: fc.integer({ min: 1, max: 20 }),
  batchAll: fc.integer({ min: 1, max: 5 }),
})

const payerOf = ({ who }: Made) => who.slice(0, 1)

function entryOf({ who, applied }: Made, at: number): AuditEntry {
  const actor = { principal: 'p', session: who, label: who, budget: who.slice(0, 1) }
  return {
    ...{ id: '', tool: 'test', intent: `Do ${at}`, actor, decision: [], digest: '', at },
    ...{ outcome: applied ? 'applied' : 'refused', version: applied ? at : null, paths: [] },
  }
}

type Kept = Made & { readonly seq: number }

/** A plain model of retention: the numbers of the entries that are kept. */
function keptOf(made: readonly Made[], most: AuditBounds): number[] {
  let kept: Kept[] = []
  /** Principals with notes, and with applied entries that were counted, by the number of the first one. */
  const order = { notes: new Set<string>(), applied: new Set<string>() }
  const drop = (rows: readonly Kept[]) => (kept = kept.filter((one) => !rows.includes(one)))
  const of = (kind: keyof typeof order, payer?: string) =>
    kept.filter(
      (one) =>
        one.applied === (kind === 'applied') && (payer === undefined || payerOf(one) === payer),
    )
  const oldest = (who: string) => of('notes', who)[0]?.seq ?? 0
  // Of equal shares, the one that was larger loses first, then that with the oldest note, or that exists longer.
  const dropLargest = (kind: keyof typeof order, most: number) => {
    const shares = [...order[kind]]
    if (kind === 'notes') shares.sort((one, other) => oldest(one) - oldest(other))
    const ranks = shares.toSorted((one, other) => of(kind, other).length - of(kind, one).length)
    for (let over = of(kind).length - most; over > 0; over--) {
      const largest = Math.max(...WHO.map((who) => of(kind, who).length))
      const loser = ranks.find((who) => of(kind, who).length === largest)
      drop(of(kind, loser).slice(0, 1))
      // A principal that loses its last entry starts over.
      for (const who of order[kind]) if (of(kind, who).length === 0) order[kind].delete(who)
    }
  }
  for (const [at, one] of made.entries()) {
    kept.push({ ...one, seq: at + 1 })
    if (one.applied) {
      if (of('applied').length < most.applied + most.batchAll) continue
      for (const other of of('applied')) order.applied.add(payerOf(other))
      dropLargest('applied', most.applied)
      continue
    }
    order.notes.add(payerOf(one))
    const own = of('notes', payerOf(one))
    if (own.length >= most.notes + most.batch)
      drop(own.slice(0, Math.min(own.length - most.notes, most.batchAll)))
    if (of('notes').length >= most.allNotes + most.batchAll) dropLargest('notes', most.allNotes)
  }
  return kept.map(({ seq }) => seq)
}

/** An audit log in its database. */
interface Log {
  readonly audit: ReturnType<typeof createAudit>
  readonly sql: SqlStorage
  readonly storage: DurableObjectStorage
}

/** Checks a law on fresh stores, one after the other in one object. */
function withStores(law: (open: (most: AuditBounds) => Log) => void) {
  return runInDurableObject(newStub(), (_, { storage }) => {
    migrate(storage)
    const { sql } = storage
    law((most) => {
      tablesOf(sql, 'applied').exec('DELETE FROM applied_shares')
      sql.exec(`DELETE FROM audit; DELETE FROM changes; DELETE FROM files;
        UPDATE audit_state SET head = 0, hash = '', applied = 0, notes = 0, dropped = 0, trimmed = 0, moved = 0`)
      return { audit: createAudit(storage, most), sql, storage }
    })
  })
}

/** Records entries: of those that were applied, two of three as a part of a change, as the store does. Changes become old. */
function recordAll({ audit, sql }: Pick<Log, 'audit' | 'sql'>, made: readonly Made[]): void {
  made.forEach((one, at) => {
    if (one.applied && at % 3 > 0)
      audit.recordApplied(entryOf(one, at), (columns) => writeChange(sql, columns))
    else audit.record(entryOf(one, at))
    if (at % 11 === 10) moveOldEntries(sql, newestOf(sql) - 4 + CHANGES_WITH_ENTRIES)
  })
}

const newestOf = (sql: SqlStorage) =>
  sql.exec<{ version: number }>('SELECT ifnull(max(version), 0) AS version FROM changes').one()
    .version

/** Writes a change that creates a folder. Some versions before it are those of drafts. */
function writeChange(sql: SqlStorage, { seq, hash, applied, share, entry }: AuditColumns): void {
  const version = newestOf(sql) + 1 + (seq % 3)
  sql.exec(
    `INSERT INTO files (path, size, mime, version, mtime) VALUES (?1, 0, '', ?1, 0)`,
    version,
  )
  const { principal, session } = (JSON.parse(entry) as AuditEntry).actor
  sql.exec(
    `INSERT INTO changes (version, id, tool, intent, principal, session, at, files, folders, bytes, paths,
       seq, hash, applied, share, entry)
     SELECT ?, '', '', '', ?, ?, 0, 0, count(*), 0, 0, ?, ?, ?, ?, ? FROM files`,
    ...[version, principal, session, seq, hash, applied, share, entry],
  )
}

const seqsOf = (audit: Log['audit']) =>
  audit
    .find({ limit: 1_000 })
    .map(({ seq }) => seq)
    .reverse()

it('each principal keeps its newest entries, whatever others write', () =>
  withStores((open) => {
    const law = fc.property(sequences, bounds, (made, most) => {
      // All shares together fit, so only the limit per share applies.
      const roomy = { ...most, allNotes: WHO.length * (most.notes + most.batch) }
      const { audit, sql } = open(roomy)
      recordAll({ audit, sql }, made)
      const kept = new Set(seqsOf(audit))
      for (const who of WHO) {
        const own = made.flatMap((one, at) =>
          !one.applied && payerOf(one) === who ? [kept.has(at + 1)] : [],
        )
        const count = own.filter(Boolean).length
        expect(count).toBeLessThan(most.notes + most.batch)
        expect(count).toBeGreaterThanOrEqual(Math.min(own.length, most.notes))
        expect(own.lastIndexOf(false)).toBeLessThan(own.length - count)
      }
    })
    fc.assert(law, runs(150))
  }))

it('retention equals a plain model, in which the largest share loses first', () =>
  withStores((open) => {
    const law = fc.property(sequences, bounds, (made, most) => {
      const { audit, sql } = open(most)
      recordAll({ audit, sql }, made)
      expect(seqsOf(audit)).toEqual(keptOf(made, most))
      const [applied, notes] = [
        made.filter((one) => one.applied),
        made.filter((one) => !one.applied),
      ]
      const kept = seqsOf(audit).map((seq) => made[seq - 1]?.applied)
      const bound = (count: number, top: number) => Math.min(count, top + most.batchAll - 1)
      expect(kept.filter((one) => one === true).length).toBeLessThanOrEqual(
        bound(applied.length, most.applied),
      )
      expect(kept.filter((one) => one === false).length).toBeLessThanOrEqual(
        bound(notes.length, most.allNotes),
      )
      // Adjacent tombstones are merged, so there is at most one beside each entry.
      const { rows } = sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM audit').one()
      expect(rows).toBeLessThanOrEqual(2 * kept.length + 1)
    })
    fc.assert(law, runs(200))
  }))

it('a note never displaces an applied entry', () =>
  withStores((open) => {
    const law = fc.property(sequences, bounds, (made, most) => {
      const { audit, sql } = open({ ...most, applied: made.length })
      recordAll({ audit, sql }, made)
      const applied = made.flatMap((one, at) => (one.applied ? [at + 1] : []))
      expect(seqsOf(audit)).toEqual(expect.arrayContaining(applied))
    })
    fc.assert(law, runs(100))
  }))

it('the chain verifies, in the store and in an export', () =>
  withStores((open) => {
    const law = fc.property(sequences, bounds, (made, most) => {
      const { audit, sql } = open(most)
      recordAll({ audit, sql }, made)
      const { entries, dropped, broken } = audit.check()
      expect({ broken, all: entries + dropped }).toEqual({ broken: null, all: made.length })
      let [last, hash, listed] = [0, '', 0]
      for (const line of [...audit.all()].flat()) {
        if ('dropped' in line) {
          expect(line.seq - line.dropped).toBe(last)
          hash = line.hash
        } else {
          const { seq, hash: sealed, ...entry } = line
          expect(seq).toBe(last + 1)
          hash = hashEntry(hash, JSON.stringify(entry))
          expect(sealed).toBe(hash)
          listed++
        }
        last = line.seq
      }
      expect({ last, listed }).toEqual({ last: made.length, listed: entries })
    })
    fc.assert(law, runs(100))
  }))

/** Ways to tamper with the row that has an entry, or with a tombstone. */
const TAMPER = {
  entry: [`UPDATE $table SET entry = replace(entry, '}', ' }') WHERE seq = ?1`],
  hash: [`UPDATE $table SET hash = 'f' || substr(hash, 3) || '0' WHERE seq = ?1`],
  seq: ['UPDATE $table SET seq = seq + 1000 WHERE seq = ?1'],
  first: ['UPDATE audit SET first_seq = ifnull(first_seq, seq + 1) - 1 WHERE seq = ?1'],
  bury: [
    `INSERT OR REPLACE INTO audit (seq, at, principal, entry, hash, first_seq)
       SELECT seq, 0, '', '{}', hash, seq FROM $table WHERE seq = ?1 AND entry <> '{}'`,
    'UPDATE changes SET entry = NULL WHERE seq = ?1 AND entry IS NOT NULL',
  ],
  cleared: ['UPDATE changes SET entry = NULL WHERE seq = ?1 AND entry IS NOT NULL'],
  row: ['DELETE FROM $table WHERE seq = ?1'],
  rowsBefore: ['DELETE FROM audit WHERE seq <= ?1', 'DELETE FROM changes WHERE seq <= ?1'],
  rowsBehind: ['DELETE FROM audit WHERE seq >= ?1', 'DELETE FROM changes WHERE seq >= ?1'],
} as const

it.each(['audit', 'changes'])(
  'every change of a row of %s is detected, also after more entries',
  (table) =>
    withStores((open) => {
      const ways = fc.constantFrom(...Object.values(TAMPER))
      const law = fc.property(sequences, bounds, ways, fc.nat(), (made, most, how, which) => {
        const { audit, sql, storage } = open(most)
        recordAll({ audit, sql }, made)
        const rows = sql
          .exec<{ seq: number }>(`SELECT seq FROM ${table} WHERE entry IS NOT NULL`)
          .toArray()
        const seq = rows[which % rows.length]?.seq
        if (seq === undefined) return
        const changed = how.flatMap((statement) =>
          sql.exec(`${statement.replace('$table', table)} RETURNING 1`, seq).toArray(),
        )
        if (changed.length === 0) return
        expect(audit.check().broken).not.toBeNull()
        const roomy = createAudit(storage, {
          ...most,
          notes: 1_000,
          allNotes: 1_000,
          applied: 1_000,
        })
        recordAll({ audit: roomy, sql }, [{ who: 'a', applied: false }])
        expect(roomy.check().broken).not.toBeNull()
      })
      fc.assert(law, runs(300))
    }),
)

it('pages of the whole log fit together, also if entries are dropped and moved between them', () =>
  withStores((open) => {
    const { audit, sql, storage } = open({ ...ROOMY, applied: 2_000 })
    const made = Array.from({ length: 1_400 }, (_, at) => ({ who: 'a', applied: at % 5 > 0 }))
    recordAll({ audit, sql }, made)
    const pages = audit.all()
    const lines = [...(pages.next().value ?? [])]
    const small = createAudit(storage, { ...ROOMY, applied: 400, batchAll: 100 })
    recordAll({ audit: small, sql }, [{ who: 'a', applied: true }, ...made.slice(0, 2)])
    for (const page of pages) lines.push(...page)
    let last = 0
    for (const line of lines) {
      expect(line.seq - ('dropped' in line ? line.dropped : 1)).toBe(last)
      last = line.seq
    }
    expect(last).toBe(1_403)
    expect(lines.filter((line) => 'dropped' in line).length).toBeGreaterThan(0)
  }))

const ROOMY: AuditBounds = { applied: 100, notes: 1_000, batch: 1, allNotes: 1_000, batchAll: 1 }

it('a newest entry that was written again with the hash of its text is detected', () =>
  withStores((open) => {
    const { audit, sql } = open(ROOMY)
    const made = { who: 'a', applied: false }
    recordAll({ audit, sql }, [made, made])
    const [before, last] = sql
      .exec<{ entry: string; hash: string }>('SELECT entry, hash FROM audit ORDER BY seq')
      .toArray()
    const entry = String(last?.entry).replace('Do 1', 'Do 2')
    expect(entry).not.toBe(last?.entry)
    const hash = hashEntry(before?.hash ?? '', entry)
    sql.exec('UPDATE audit SET entry = ?, hash = ? WHERE seq = 2', entry, hash)
    expect(audit.check().broken).toBe(2)
  }))

it('cutting the largest shares at once equals cutting them one entry at a time', () => {
  const shares = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })
  const law = fc.property(shares, fc.nat(40), (sizes, wish) => {
    const sorted = sizes.toSorted((one, other) => other - one)
    const over = Math.min(
      wish,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    const left = [...sorted]
    for (let at = 0; at < over; at++) {
      const top = left.indexOf(Math.max(...left))
      left[top] = (left[top] ?? 0) - 1
    }
    const named = sorted.map((entries, at) => ({ budget: String(at), entries }))
    const cuts = new Map(cutLargest(named, over).map(({ budget, entries }) => [budget, entries]))
    expect(sorted.map((size, at) => size - (cuts.get(String(at)) ?? 0))).toEqual(left)
  })
  fc.assert(law, runs(500))
})

it('an entry has a maximum size as JSON, marks each cut, and counts what it omits', () => {
  const part = fc.constantFrom('x', '"', '\\', '\u0001', 'ä', '€', '😀', '\ud83d')
  const text = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 8 }), fc.constantFrom(0, 1, 30, 600, 4_000))
    .map(([parts, times]) => parts.join('').repeat(times))
  const ground = fc.oneof(
    fc.record({ kind: fc.constant('refused' as const), code: text }),
    fc.record({ kind: fc.constantFrom('configuration' as const, 'policy' as const) }),
    fc.record({ kind: fc.constant('session' as const), label: text }),
    fc.record({ kind: fc.constant('grant' as const), scopes: fc.array(text, { maxLength: 30 }) }),
    fc.record({ kind: fc.constant('preview' as const), id: text }),
  )
  const decision = fc.uniqueArray(ground, { selector: ({ kind }) => kind })
  const entry = fc.record({
    ...{ id: text, tool: text, intent: text, decision, digest: text },
    ...{ outcome: fc.constantFrom('applied', 'previewed', 'refused'), at: fc.nat() },
    actor: fc.record({ principal: text, session: fc.option(text), label: fc.option(text) }),
    version: fc.option(fc.nat(Number.MAX_SAFE_INTEGER)),
    paths: fc.array(text, { maxLength: 40 }),
  })
  const review = fc.record({ draft: text, changes: fc.nat(10_000), note: text, reason: text })
  const law = fc.property(entry, fc.option(review), (made, decided) => {
    const whole = { ...made, ...(decided && { review: decided }) }
    const stored = formatEntry(whole)
    expect(stored.length).toBeLessThanOrEqual(MAX_AUDIT_ENTRY)
    const short: AuditEntry = JSON.parse(stored)
    expect(short.decision.map(({ kind }) => kind)).toEqual(whole.decision.map(({ kind }) => kind))
    expect(JSON.stringify(short.decision).length).toBeLessThanOrEqual(1_200)
    for (const [at, ground] of whole.decision.entries()) expectCutGround(short.decision[at], ground)
    const { paths_left_out: more = 0 } = short
    expect(short.paths.length + more).toBe(whole.paths.length)
    expect(short.paths.length).toBeLessThanOrEqual(MAX_AUDIT_PATHS)
    expect(short.paths.length).toBeGreaterThanOrEqual(Math.min(whole.paths.length, 1))
    for (const field of ['id', 'tool', 'intent', 'digest'] as const)
      expectCut(short[field], whole[field])
    for (const field of ['draft', 'note', 'reason'] as const)
      expectCut(short.review?.[field] ?? '', decided?.[field] ?? '')
    expectCut(short.paths[0] ?? '', whole.paths[0] ?? '')
    expectCut(short.actor.label ?? '', whole.actor.label ?? '')
  })
  fc.assert(law, runs(300))
})

function expectCutGround(short: Ground | undefined, whole: Ground): void {
  if (short?.kind === 'session' && whole.kind === 'session') expectCut(short.label, whole.label)
  if (short?.kind !== 'grant' || whole.kind !== 'grant') return
  expect(short.scopes.length + (short.left_out ?? 0)).toBe(whole.scopes.length)
}

/** Expects the whole text, or its beginning and an ellipsis, without splitting a surrogate pair. */
function expectCut(short: string, whole: string): void {
  if (short === whole) return
  expect(short.endsWith('…')).toBe(true)
  const kept = short.slice(0, -1)
  expect(whole.startsWith(kept)).toBe(true)
  const [last, next] = [kept.charCodeAt(kept.length - 1), whole.charCodeAt(kept.length)]
  const isInside = last >= 0xd800 && last < 0xdc00 && next >= 0xdc00 && next < 0xe000
  expect(isInside).toBe(false)
}

it('an entry whose count cannot be written is not in the log', () =>
  withStores((open) => {
    const { audit, sql } = open({ applied: 1, notes: 1, batch: 1, allNotes: 1, batchAll: 1 })
    const made: readonly Made[] = [
      { who: 'a', applied: false },
      { who: 'a', applied: true },
    ]
    recordAll({ audit, sql }, made)
    sql.exec(
      `CREATE TRIGGER fails BEFORE UPDATE ON audit_state BEGIN SELECT raise(ABORT, 'full'); END`,
    )
    expect(() => recordAll({ audit, sql }, made.slice(0, 1))).toThrow('full')
    sql.exec('DROP TRIGGER fails')
    expect(audit.check()).toEqual({ entries: 2, dropped: 0, broken: null })
  }))

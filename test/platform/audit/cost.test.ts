/** Rows for an audit entry in a full log: upper bounds, so a change that raises one needs a reason. */

import {
  createAudit,
  type AuditColumns,
  type AuditEntry,
  type AuditOutcome,
} from '#worker/audit/audit.ts'
import { AUDIT_BOUNDS } from '#worker/audit/budget.ts'
import { migrate } from '#worker/database/schema.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { countUsage } from '../../../bench/baselines/counter.ts'

/** Writes a change as the store does, with the columns that a table cannot do without. */
function writeChange({ sql }: DurableObjectStorage, row: AuditColumns): void {
  sql.exec(
    `INSERT INTO changes (id, tool, intent, principal, at, files, folders, bytes, paths,
       seq, hash, applied, share, entry)
     VALUES ('', '', '', ?, 0, 0, 0, 0, 0, ?, ?, ?, ?, ?)`,
    ...[
      (JSON.parse(row.entry) as AuditEntry).actor.principal,
      row.seq,
      row.hash,
      row.applied,
      row.share,
      row.entry,
    ],
  )
}

describe('rows for an audit entry', () => {
  /** The average cost of an entry in a full audit log. */
  async function costOfEntries(outcome: AuditOutcome | 'change', who: (at: number) => string) {
    const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
    return runInDurableObject(stub, (_, state) => {
      const { storage } = state
      const counter = countUsage(storage)
      migrate(storage)
      const bounds = { ...AUDIT_BOUNDS, applied: 1_000, allNotes: 2_000 }
      const audit = createAudit(storage, bounds)
      const record = (count: number) => {
        for (let at = 0; at < count; at++) {
          const actor = { principal: who(at), session: null, label: null }
          const note = { id: '', tool: '', intent: '', actor, digest: '', decision: [], at }
          const entry = { ...note, version: null, paths: [] }
          if (outcome !== 'change') audit.record({ ...entry, outcome })
          else
            audit.recordApplied({ ...entry, outcome: 'applied' }, (row) =>
              writeChange(storage, row),
            )
        }
      }
      record(4_000)
      counter.take()
      record(2_000)
      const average = (rows: number) => Math.ceil(rows / 2_000)
      const { rowsRead, rowsWritten } = counter.take()
      return { read: average(rowsRead), written: average(rowsWritten) }
    })
  }

  it.each<
    [string, AuditOutcome | 'change', (at: number) => string, { read: number; written: number }]
  >([
    // Each entry that may be dropped is counted once for its principal.
    ['an applied call', 'applied', () => 'a', { read: 15, written: 5 }],
    // One is its own row, and one that of the change whose entry is dropped for it.
    ['a change', 'change', () => 'a', { read: 9, written: 3 }],
    ['a change among many principals', 'change', (at) => `${at % 100}`, { read: 120, written: 5 }],
    ['a refused call of one principal', 'refused', () => 'a', { read: 29, written: 5 }],
    [
      'a refused call among many principals',
      'refused',
      (at) => `${at % 1_000}`,
      { read: 21, written: 6 },
    ],
    ['a refused call of a new principal', 'refused', String, { read: 26, written: 10 }],
  ])(
    '%s reads and writes a bounded number of rows in a full log',
    async (_, outcome, who, most) => {
      const cost = await costOfEntries(outcome, who)
      expect(cost.read, `rows read by ${JSON.stringify(cost)}`).toBeLessThanOrEqual(most.read)
      expect(cost.written, `rows of ${JSON.stringify(cost)}`).toBeLessThanOrEqual(most.written)
    },
  )
})

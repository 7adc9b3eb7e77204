/** Rows for an audit entry in a full log: upper bounds, so a change that raises one needs a reason. */

import { createAudit, type AuditOutcome } from '#worker/audit/audit.ts'
import { AUDIT_BOUNDS } from '#worker/audit/budget.ts'
import { migrate } from '#worker/database/schema.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { countUsage } from '../../../bench/baselines/counter.ts'

describe('rows for an audit entry', () => {
  /** The average cost of an entry in a full audit log. */
  async function costOfEntries(outcome: AuditOutcome, who: (at: number) => string) {
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
          audit.record({
            ...{ id: '', tool: '', intent: '', actor, digest: '', decision: [], at },
            ...{ outcome, version: null, paths: [] },
          })
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

  it.each<[string, AuditOutcome, (at: number) => string, { read: number; written: number }]>([
    // Each entry that may be dropped is counted once for its principal.
    ['an applied call', 'applied', () => 'a', { read: 15, written: 5 }],
    ['a refused call of one principal', 'refused', () => 'a', { read: 15, written: 7 }],
    [
      'a refused call among many principals',
      'refused',
      (at) => `${at % 1_000}`,
      { read: 19, written: 8 },
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

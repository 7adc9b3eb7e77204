/**
 * The store on SQLite: combines entries, content, changes and the audit log.
 *
 * Outside the tables it keeps only a cache of recent reads and the totals. Every row of `changes` repeats the
 * totals, so an object that wakes up reads one row to restore them.
 *
 * @module
 */

import { createApply } from './apply.ts'
import { createAudit } from './audit.ts'
import { createContentStore } from './content.ts'
import { createEntries } from './entries.ts'
import { createHistory } from './history.ts'
import type { Objects } from './objects.ts'
import { createRecent } from './recent.ts'
import { migrate } from './schema.ts'
import type { Store, Totals } from './store.ts'
import { createSweep } from './sweep.ts'

/** Migrates and opens the store. `wakeAt` is called with the time at which the next sweep is due. */
export function createSqliteStore(
  storage: DurableObjectStorage,
  objects: Objects,
  wakeAt: (time: number) => void = () => {},
): Store {
  migrate(storage)
  const { sql } = storage
  const entries = createEntries(sql)
  const audit = createAudit(sql)
  const content = createContentStore(sql, objects, wakeAt)
  const apply = createApply(storage, entries, content, audit)
  const recent = createRecent({ stat: entries.stat, bytes: content.bytes })
  let totals = lastTotals(sql)

  return {
    audit,
    ...entries,
    stat: recent.stat,
    ...createHistory(sql),
    heldBytes: content.heldBytes,
    hold: content.hold,
    holdStream: content.holdStream,
    bytes: recent.bytes,
    bytesOnce: content.bytes,
    blobText: content.blobText,
    stream: content.stream,
    sweep: createSweep(sql, objects, content.arriving),

    get totals() {
      return totals
    },

    apply(proposal) {
      const applied = apply(totals, proposal)
      if (!applied.ok) return applied
      const [change, after] = applied.value
      totals = after
      recent.changed()
      return { ok: true, value: change }
    },
  }
}

function lastTotals(sql: SqlStorage): Totals {
  const row = sql
    .exec<Record<keyof Totals, number>>(
      'SELECT version, files, folders, bytes FROM changes ORDER BY version DESC LIMIT 1',
    )
    .toArray()[0]
  return row ?? { version: 0, files: 0, folders: 0, bytes: 0 }
}

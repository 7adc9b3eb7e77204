/**
 * The store on SQLite: entries, content and changes put together.
 *
 * The only state outside the tables is the totals, which every change row repeats, so that an
 * object that wakes up reads one row to know where it stands; and what was read lately.
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

/** `wakeAt` is told when the sweep will have something to do. */
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

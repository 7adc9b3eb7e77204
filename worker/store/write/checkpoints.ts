/**
 * Checkpoints: versions of the workspace with a name, whose states history keeps.
 *
 * A checkpoint copies nothing. While it exists, no version that a path had at it is dropped; see
 * `retention.ts`. When it is deleted, the versions that were held for it are dropped in batches by the alarm.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { MAX_CHECKPOINTS, MAX_SESSION_CHECKPOINTS } from '../../limits.ts'
import type { Actor } from '../../audit/change-note.ts'
import type { Blobs } from '../content/blobs.ts'
import { releaseBatch } from './retention.ts'
import { readSetting, writeSetting } from '../../database/schema.ts'
import { countShares, findLoser } from '../../database/shares.ts'
import type { Checkpoint, Checkpoints, CheckpointsFull } from '../store.ts'
import { tablesOf, transaction } from '../../database/table-groups.ts'

/** The services of checkpoints, and what is known of them in memory. */
interface CheckpointContext {
  readonly parts: { readonly storage: DurableObjectStorage; readonly blobs: Blobs }
  readonly totals: { readonly version: number }
  /** The versions of the checkpoints, oldest first. */
  kept: readonly number[]
  readonly wakeAt: (time: number) => void
}

interface Row extends Record<string, SqlStorageValue> {
  id: string
  name: string
  version: number
  at: number
  principal: string
  session: string | null
  label: string | null
}

/** The setting that has the last released path, while versions are being released. */
const RELEASED = 'released_path'

/** Creates the checkpoints of a workspace, and keeps their versions in `context.kept`. */
export function createCheckpoints(context: CheckpointContext): Checkpoints {
  const { sql } = context.parts.storage
  return {
    create: (name, actor) => create(context, name, actor),
    list: () => list(sql),
    delete: (id) => remove(context, id),
    release: () => release(context),
  }
}

const checkpointsOf = (sql: SqlStorage) => tablesOf(sql, 'checkpoints')

/** Reads the versions of all checkpoints, oldest first. */
export function keptVersions(sql: SqlStorage): number[] {
  const rows = checkpointsOf(sql).exec<{ version: number }>(
    'SELECT DISTINCT version FROM checkpoints ORDER BY version',
  )
  return rows.toArray().map(({ version }) => version)
}

function list(sql: SqlStorage): Checkpoint[] {
  const rows = checkpointsOf(sql).exec<Row>(
    'SELECT * FROM checkpoints ORDER BY version DESC, at DESC, id',
  )
  return rows.toArray().map(fromRow)
}

function fromRow({ principal, session, label, id, name, version, at }: Row): Checkpoint {
  return { id, name, version, at, actor: { principal, session, label } }
}

function create(
  context: CheckpointContext,
  name: string,
  { principal, session, label, budget = session ?? principal }: Actor,
): Result<Checkpoint, CheckpointsFull> {
  const { sql } = context.parts.storage
  const { version } = context.totals
  const full = session === null ? findFull(sql) : makeRoom(context, budget)
  if (full !== null) return err({ reason: 'checkpoints_full', limit: full })
  const id = crypto.randomUUID()
  const at = Date.now()
  checkpointsOf(sql).exec(
    `INSERT INTO checkpoints (id, name, version, at, principal, session, label, budget)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    name,
    version,
    at,
    principal,
    session,
    label,
    budget,
  )
  context.kept = keptVersions(sql)
  return ok({ id, name, version, at, actor: { principal, session, label } })
}

/** Returns the limit of those without a session that is reached, or null. Nothing that an agent does takes them away. */
function findFull(sql: SqlStorage): number | null {
  const query = 'SELECT count(*) AS count FROM checkpoints WHERE session IS NULL'
  const { count } = checkpointsOf(sql).exec<{ count: number }>(query).one()
  return count >= MAX_CHECKPOINTS ? MAX_CHECKPOINTS : null
}

/** Makes room for one more checkpoint of a session. Returns the limit if its principal has the most already. */
function makeRoom(context: CheckpointContext, budget: string): number | null {
  const rows = checkpointsOf(context.parts.storage.sql)
    .exec<{ id: string; budget: string }>(
      'SELECT id, budget FROM checkpoints WHERE session IS NOT NULL ORDER BY version, at',
    )
    .toArray()
  if (rows.length < MAX_SESSION_CHECKPOINTS) return null
  const loser = findLoser(countShares(rows.map((row) => row.budget)), budget)
  const oldest = rows.find((row) => row.budget === loser)
  if (!oldest) return MAX_SESSION_CHECKPOINTS
  remove(context, oldest.id)
  return null
}

function remove(context: CheckpointContext, id: string): Checkpoint | null {
  const { storage } = context.parts
  const { sql } = storage
  const row = transaction(storage, () => {
    const query = 'DELETE FROM checkpoints WHERE id = ? RETURNING *'
    const [found] = checkpointsOf(sql).exec<Row>(query, id).toArray()
    // Batches that are under way start again, because they have passed paths of this checkpoint.
    if (found) writeSetting(sql, RELEASED, '')
    return found
  })
  if (!row) return null
  context.kept = keptVersions(sql)
  context.wakeAt(Date.now())
  return fromRow(row)
}

function release({ parts, totals, kept }: CheckpointContext): boolean {
  const { storage, blobs } = parts
  const { sql } = storage
  const after = readSetting(sql, RELEASED)
  if (after === null) return false
  const last = releaseBatch({ storage, blobs, kept, newest: totals.version }, after)
  if (last === null) sql.exec('DELETE FROM settings WHERE name = ?', RELEASED)
  else writeSetting(sql, RELEASED, last)
  return last !== null
}

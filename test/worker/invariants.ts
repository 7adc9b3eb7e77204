/**
 * What holds of every workspace at every moment, whatever was interrupted: asked of the tables and
 * of the bucket themselves, and never of the store.
 *
 * @module
 */

import { HISTORY_VERSIONS } from '#worker/limits.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { again } from './life.ts'

/** The newest state of every path. */
const NEWEST = `SELECT * FROM versions v
  WHERE version = (SELECT max(version) FROM versions w WHERE w.path = v.path)`

/** All before the last slash of `f.path`. */
const PARENT = `rtrim(rtrim(f.path, replace(f.path, '/', '')), '/')`

const STATE = 'path, blob, size, mime, version, mtime'

/** Each asks for the rows that break it. */
const RULES: Readonly<Record<string, string>> = {
  'a file is the newest version of its path': `SELECT ${STATE} FROM files EXCEPT SELECT ${STATE} FROM (${NEWEST})`,
  'what is not a file any more has a newest version that says so': `SELECT path FROM (${NEWEST})
    WHERE mime <> '' AND path NOT IN (SELECT path FROM files)`,
  'a version belongs to a change': `SELECT path, version FROM versions
    WHERE version NOT IN (SELECT version FROM changes)`,
  'the folder above a path is there, as a folder': `SELECT path FROM files f
    WHERE path LIKE '/%/%' AND NOT EXISTS (
      SELECT 1 FROM files WHERE blob IS NULL AND path = ${PARENT})`,
  'the newest change tells the totals': `SELECT files, folders, bytes FROM (
      SELECT files, folders, bytes FROM changes ORDER BY version DESC LIMIT 1)
    EXCEPT SELECT count(blob), count(*) - count(blob), ifnull(sum(size), 0) FROM files`,
  'a named blob exists and has the size that is told': `SELECT path, version FROM (
      SELECT * FROM files UNION ALL SELECT ${STATE} FROM versions) v
    WHERE blob IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM blobs b WHERE b.id = v.blob AND b.size = v.size)`,
  'a blob is named by a version': `SELECT id, size FROM blobs
    WHERE id NOT IN (SELECT blob FROM versions WHERE blob IS NOT NULL)`,
  'a blob has its bytes or a key': `SELECT id FROM blobs
    WHERE (bytes IS NULL) = (key IS NULL) OR ifnull(length(bytes), size) <> size`,
  'a key is named once': `SELECT key FROM (
      SELECT key FROM blobs WHERE key IS NOT NULL UNION ALL SELECT key FROM trash)
    GROUP BY key HAVING count(*) > 1`,
  'history is bounded': `SELECT path, count(*) AS count FROM versions
    GROUP BY path HAVING count(*) > ${HISTORY_VERSIONS}`,
  'only the oldest state that is kept tells of older ones': `SELECT path, version FROM versions v
    WHERE trimmed <> 0 AND EXISTS (
      SELECT 1 FROM versions o WHERE o.path = v.path AND o.version < v.version)`,
  'the index knows blobs that are marked so, and no others': `SELECT rowid AS id FROM trigrams
    EXCEPT SELECT id FROM blobs WHERE indexed = 1 AND text = 1`,
  'what was passed over is no file': `SELECT path FROM files
    WHERE blob IN (SELECT id FROM blobs WHERE indexed = 2)`,
}

/** Every rule that is broken, with the rows that break it. */
export async function faultsOf(state: DurableObjectState): Promise<Record<string, unknown>> {
  const { sql } = state.storage
  const faults: Record<string, unknown> = {}
  for (const [rule, query] of Object.entries(RULES)) {
    const rows = sql.exec(query).toArray()
    if (rows.length > 0) faults[rule] = rows
  }
  const lost = await objectFaults(state)
  return lost.length === 0 ? faults : { ...faults, 'objects and keys agree': lost }
}

/** Objects without a name, and names in blobs without an object. */
async function objectFaults({ id, storage }: DurableObjectState): Promise<string[]> {
  const prefix = `${id.toString()}/`
  const listed = await env.FILES.list({ prefix })
  const objects = new Map(
    listed.objects.map(({ key, size }) => [key.slice(prefix.length), size] as const),
  )
  const chunks = storage.sql.exec<{ key: string; size: number }>(
    'SELECT key, sum(length(bytes)) AS size FROM chunks GROUP BY key',
  )
  for (const { key, size } of chunks) objects.set(key, size)

  const blobs = storage.sql
    .exec<{ key: string; size: number }>('SELECT key, size FROM blobs WHERE key IS NOT NULL')
    .toArray()
  const trash = storage.sql.exec<{ key: string }>('SELECT key FROM trash').toArray()
  const named = new Set([...blobs, ...trash].map(({ key }) => key))
  return [
    ...[...objects.keys()].filter((key) => !named.has(key)).map((key) => `nobody names ${key}`),
    ...blobs.filter(({ key, size }) => objects.get(key) !== size).map(({ key }) => `lost ${key}`),
  ]
}

/** Expects that everything holds in an object's storage. */
export async function expectWhole(stub: DurableObjectStub): Promise<void> {
  expect(await runInDurableObject(again(stub), (_, state) => faultsOf(state))).toEqual({})
}

/**
 * The invariants of every workspace, also after interruptions: they are checked on the tables and
 * the bucket directly, not through the store.
 *
 * @module
 */

import { MAX_HISTORY_VERSIONS } from '#worker/limits.ts'
import { INDEX, INDEXED_TO } from '#worker/database/schema.ts'
import { tablesOf } from '#worker/database/table-groups.ts'
import { selectTouched } from '#worker/store/touched-paths.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { reconnect } from './object-life.ts'

/** The newest state of every path. */
const NEWEST = `SELECT * FROM versions v
  WHERE version = (SELECT max(version) FROM versions w WHERE w.path = v.path)`

/** The part of `f.path` before its last slash. */
const PARENT = `rtrim(rtrim(f.path, replace(f.path, '/', '')), '/')`

const STATE = 'path, blob, size, mime, version, mtime, executable'

/** Queries that select the rows that break each rule. */
const RULES: Readonly<Record<string, string>> = {
  'a file is the newest version of its path': `SELECT ${STATE} FROM files EXCEPT SELECT ${STATE} FROM (${NEWEST})`,
  'what is not a file any more has a newest version that says so': `SELECT path FROM (${NEWEST})
    WHERE mime <> '' AND path NOT IN (SELECT path FROM files)`,
  'a version belongs to a change': `SELECT path, version FROM versions
    WHERE version NOT IN (SELECT version FROM changes)`,
  'a version has a path that its change touched': `SELECT path, version FROM versions
    EXCEPT SELECT * FROM (${selectTouched('v.path, v.version', { where: 'true' })})`,
  'the paths of a change are in its row or apart': `SELECT version FROM (
      SELECT 0 AS draft, version, touched FROM changes UNION ALL SELECT draft, version, touched FROM draft_changes) c
    WHERE touched IS NOT NULL AND EXISTS (
      SELECT 1 FROM touched_paths p WHERE p.draft = c.draft AND p.version = c.version)`,
  'a path that was touched belongs to a change': `SELECT draft, version, path FROM touched_paths WHERE (draft, version) NOT IN (
    SELECT 0, version FROM changes UNION ALL SELECT draft, version FROM draft_changes)`,
  'the paths of a blob are known': `SELECT path, version, blob FROM (
      SELECT path, version, blob FROM versions UNION ALL SELECT path, version, blob FROM draft_versions) v
    WHERE blob IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.id = v.blob AND b.path = v.path)
      AND NOT EXISTS (SELECT 1 FROM blob_paths p WHERE p.blob = v.blob AND p.path = v.path)`,
  'a further path is that of a blob':
    'SELECT blob, path FROM blob_paths WHERE blob NOT IN (SELECT id FROM blobs)',
  'a draft that names a blob is found by its path': `SELECT draft, path FROM draft_versions v
    WHERE blob IS NOT NULL AND NOT EXISTS (SELECT 1 FROM draft_files d
      WHERE d.draft = v.draft AND d.path = v.path AND (d.covers = 1 OR d.blob IS NOT NULL))`,
  'the folder above a path is there, as a folder': `SELECT path FROM files f
    WHERE path LIKE '/%/%' AND NOT EXISTS (
      SELECT 1 FROM files WHERE blob IS NULL AND path = ${PARENT})`,
  'the newest change tells the totals': `SELECT files, folders, bytes FROM (
      SELECT files, folders, bytes FROM changes ORDER BY version DESC LIMIT 1)
    EXCEPT SELECT count(blob), count(*) - count(blob), ifnull(sum(size), 0) FROM files`,
  'the numbers of audit entries rise with versions': `SELECT version, seq FROM changes c
    WHERE seq < (SELECT seq FROM changes b WHERE b.version < c.version ORDER BY b.version DESC LIMIT 1)`,
  'an audit entry is in one table': `SELECT seq FROM changes WHERE entry IS NOT NULL
    INTERSECT SELECT seq FROM audit`,
  'the audit entry of an old change is not in its row': `SELECT version FROM changes
    WHERE entry IS NOT NULL AND version <= (SELECT moved FROM audit_state)`,
  'a named blob exists and has the recorded size': `SELECT path, version FROM (
      SELECT * FROM files UNION ALL SELECT ${STATE} FROM versions) v
    WHERE blob IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM blobs b WHERE b.id = v.blob AND b.size = v.size)`,
  'a blob is named by a version': `SELECT id, size FROM blobs
    WHERE id NOT IN (SELECT blob FROM versions WHERE blob IS NOT NULL
      UNION SELECT blob FROM draft_versions WHERE blob IS NOT NULL)`,
  'a file of a draft is the newest version of its path there': `SELECT draft, path FROM draft_files f
    WHERE blob IS NOT NULL AND NOT EXISTS (SELECT 1 FROM draft_versions v
      WHERE v.draft = f.draft AND v.path = f.path AND v.version = f.version AND v.blob = f.blob
        AND v.executable = f.executable)`,
  'a version of a draft belongs to a change of it': `SELECT draft, path, version FROM draft_versions
    WHERE (draft, version) NOT IN (SELECT draft, version FROM draft_changes)`,
  'the folder above a path of a draft is there, as a folder of it': `SELECT draft, path FROM draft_files f
    WHERE mime <> '' AND path LIKE '/%/%' AND NOT EXISTS (
      SELECT 1 FROM draft_files d
      WHERE d.draft = f.draft AND d.blob IS NULL AND d.mime <> '' AND d.path = ${PARENT})`,
  'nothing of the workspace is below what a draft hides': `SELECT f.path FROM files f JOIN draft_files d
    ON (d.mime = '' OR d.blob IS NOT NULL) AND f.path > d.path || '/' AND f.path < d.path || '0'
    WHERE NOT EXISTS (SELECT 1 FROM draft_files o WHERE o.draft = d.draft AND o.path = f.path)`,
  'the content of a draft exists': `SELECT path FROM draft_versions v
    WHERE blob IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM blobs b WHERE b.id = v.blob AND b.size = v.size)`,
  'a blob has its bytes or a key': `SELECT id FROM blobs
    WHERE (bytes IS NULL) = (key IS NULL) OR ifnull(length(bytes), size) <> size`,
  'a key is named once': `SELECT key FROM (
      SELECT key FROM blobs WHERE key IS NOT NULL UNION ALL SELECT key FROM trash)
    GROUP BY key HAVING count(*) > 1`,
  'history is bounded': `SELECT path, count(*) AS count FROM versions WHERE held = 0
    GROUP BY path HAVING count(*) > ${MAX_HISTORY_VERSIONS}`,
  'there is no state where states were dropped': `SELECT path, version FROM versions v
    WHERE trimmed <> 0 AND (trimmed >= version OR EXISTS (SELECT 1 FROM versions o
      WHERE o.path = v.path AND o.version >= v.trimmed AND o.version < v.version))`,
  'a state is held only if there is a newer one': `SELECT path, version FROM versions v
    WHERE held = 1 AND EXISTS (
      SELECT 1 FROM files f WHERE f.path = v.path AND f.version = v.version)`,
  'the index knows text that had its turn, and nothing else': `SELECT rowid AS id FROM trigrams
    EXCEPT SELECT id FROM blobs WHERE text <> 0 AND indexed = ${INDEX.inTurn} AND id <= ${INDEXED_TO}`,
  'text that is in the index does not wait for it': `SELECT blob FROM index_again
    INTERSECT SELECT rowid FROM trigrams`,
  'what was passed over is no file, or waits again': `SELECT path FROM (
      SELECT path, blob FROM files UNION ALL SELECT path, blob FROM draft_files)
    WHERE blob IN (SELECT id FROM blobs WHERE text <> 0 AND indexed = ${INDEX.inTurn} AND id <= ${INDEXED_TO}
      EXCEPT SELECT rowid FROM trigrams EXCEPT SELECT blob FROM index_again)`,
  'no blob is newer than the newest id that was given': `SELECT id FROM blobs
    WHERE id > (SELECT max(value) FROM (SELECT value FROM meta WHERE name = 'newest_blob'
      UNION ALL SELECT max(id) FROM blobs))`,
}

/** Every rule of the tables that is broken, with the rows that break it. */
export const rowFaultsOf = (state: DurableObjectState) => brokenRules(state, RULES)

function brokenRules(
  { storage }: DurableObjectState,
  rules: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const faults: Record<string, unknown> = {}
  for (const [rule, query] of Object.entries(rules)) {
    const rows = tablesOf(storage.sql, 'drafts').exec(query).toArray()
    if (rows.length > 0) faults[rule] = rows
  }
  return faults
}

/** Every rule that is broken, also between the tables and the bucket, which takes longer. */
export async function faultsOf(state: DurableObjectState): Promise<Record<string, unknown>> {
  const faults = rowFaultsOf(state)
  const lost = await objectFaults(state)
  return lost.length === 0 ? faults : { ...faults, 'objects and keys agree': lost }
}

/** The rules of drafts with proposals; tests of the store alone have layers without them. */
const DRAFT_RULES: Readonly<Record<string, string>> = {
  'a draft has a proposal': `SELECT id FROM drafts WHERE id NOT IN (SELECT draft FROM proposals)`,
  'a proposal belongs to a draft': `SELECT draft, version FROM proposals
    WHERE draft NOT IN (SELECT id FROM drafts)`,
  'rows of a layer belong to a draft': `SELECT draft FROM (SELECT draft FROM draft_files
      UNION SELECT draft FROM draft_versions UNION SELECT draft FROM draft_changes)
    WHERE draft NOT IN (SELECT id FROM drafts)`,
  'a change of a layer is a proposal': `SELECT draft, version, id FROM draft_changes
    EXCEPT SELECT draft, version, id FROM proposals`,
  'content of a proposal that is in its layer is stored': `SELECT p.draft, p.version
    FROM proposals p JOIN draft_changes c ON c.draft = p.draft AND c.version = p.version,
      json_each(p.steps) s
    WHERE s.value ->> 'blob' IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM blobs b WHERE b.id = s.value ->> 'blob' AND b.size = s.value ->> 'size')`,
  'versions are never given twice': `SELECT version FROM (
      SELECT version FROM changes UNION ALL SELECT version FROM proposals)
    GROUP BY version HAVING count(*) > 1`,
}

/** Every rule of drafts that is broken, with the rows that break it. */
export const draftFaultsOf = (state: DurableObjectState) => brokenRules(state, DRAFT_RULES)

/** Objects without a reference, and references without an object. */
async function objectFaults({ id, storage }: DurableObjectState): Promise<string[]> {
  const prefix = `${id.toString()}/`
  const listed = await env.FILES.list({ prefix })
  const objects = new Map(
    listed.objects.map(({ key, size }) => [key.slice(prefix.length), size] as const),
  )
  const chunks = tablesOf(storage.sql, 'chunks').exec<{ key: string; size: number }>(
    'SELECT key, sum(length(bytes)) AS size FROM chunks GROUP BY key',
  )
  for (const { key, size } of chunks) objects.set(key, size)

  const blobs = storage.sql
    .exec<{ key: string; size: number }>('SELECT key, size FROM blobs WHERE key IS NOT NULL')
    .toArray()
  const trash = storage.sql.exec<{ key: string }>('SELECT key FROM trash').toArray()
  const named = new Set([...blobs, ...trash].map(({ key }) => key))
  return [
    ...[...objects.keys()]
      .filter((key) => !named.has(key))
      .map((key) => `unreferenced object: ${key}`),
    ...blobs.filter(({ key, size }) => objects.get(key) !== size).map(({ key }) => `lost ${key}`),
  ]
}

/** Expects that everything holds in the tables. */
export function expectRules(state: DurableObjectState): void {
  const faults = rowFaultsOf(state)
  if (Object.keys(faults).length > 0) expect(faults).toEqual({})
}

/** Expects that everything holds in an object's storage. */
export async function expectWhole(stub: DurableObjectStub): Promise<void> {
  expect(await runInDurableObject(reconnect(stub), (_, state) => faultsOf(state))).toEqual({})
}

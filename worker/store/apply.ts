/**
 * Applying a proposal: all steps in one transaction, under one new version, or none of them.
 *
 * A refusal inside the transaction is thrown and caught here, because that rolls the transaction back; the
 * caller gets it as a value. Every state that a path has had stays as a row of `versions`. Versions dropped
 * by retention take their content with them, unless another version names it.
 *
 * @module
 */

import { ancestorsOf, isWithin, rangeBelow, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { MAX_FILES, MAX_FOLDERS } from '../limits.ts'
import { FOLDER_MIME, mimeOf } from '../mime.ts'
import type { Audit } from './audit.ts'
import type { ContentStore } from './content.ts'
import type { createEntries } from './entries.ts'
import { hasRoomFor } from './room.ts'
import { STORE_LIMITS, type StoreLimits } from './limits.ts'
import { storedIntent } from './note.ts'
import { createPrune } from './prune.ts'
import type { Change, Content, Proposal, Step, StoreProblem, Totals } from './store.ts'

/** The `mime` of a version at which the path was deleted. */
export const GONE = ''

class Refusal extends Error {
  readonly problem: StoreProblem
  constructor(problem: StoreProblem) {
    super(problem.reason)
    this.problem = problem
  }
}

/** Thrown at the end of a trial, so that the transaction is rolled back. */
class Tried extends Error {}

type Entries = ReturnType<typeof createEntries>

/** For a state written twice in one change. `trimmed` is kept, because dropped versions stay dropped. */
const OVER = `ON CONFLICT DO UPDATE SET blob = excluded.blob, size = excluded.size,
  mime = excluded.mime, version = excluded.version, mtime = excluded.mtime`

/** Creates the function that applies a proposal and returns the change with the new totals. */
export function createApply(
  storage: DurableObjectStorage,
  entries: Entries,
  content: ContentStore,
  audit: Audit,
) {
  return function apply(
    totals: Totals,
    proposal: Proposal,
  ): Result<[Change, Totals], StoreProblem> {
    const { note, basis, steps, limits = STORE_LIMITS } = proposal
    const intent = storedIntent(note.intent)
    const { about = [], ...told } = note
    const made = { id: crypto.randomUUID(), digest: '', ...told, intent }
    const change = { ...made, version: totals.version + 1, at: Date.now() }
    try {
      const after = storage.transactionSync(() => {
        const work = createWork(storage.sql, entries, content, change, totals, limits)
        if (basis < totals.version) work.refuseStale(steps, basis)
        for (const step of steps) work.perform(step)
        if (steps.length > 1) work.dropOvertaken()
        const paths = [...steps.flatMap(touchedBy), ...about]
        audit.record({ ...made, outcome: 'applied', version: change.version, at: change.at, paths })
        const after = work.finish(about.length)
        if (proposal.trial) throw new Tried()
        return after
      })
      const moved = steps.some((step) => step.type === 'move')
      return ok([{ ...change, listChanged: moved || after.files !== totals.files }, after])
    } catch (error) {
      if (error instanceof Refusal) return err(error.problem)
      if (error instanceof Tried) return ok([{ ...change, listChanged: false }, totals])
      throw error
    }
  }
}

/** The steps of one change, inside its transaction. */
function createWork(
  sql: SqlStorage,
  entries: Entries,
  content: ContentStore,
  change: Omit<Change, 'listChanged'>,
  before: Totals,
  limits: StoreLimits,
) {
  const { version, at } = change
  let { files, folders, bytes } = before
  const named: number[] = []
  const prune = createPrune(sql)

  function refuseStale(steps: readonly Step[], basis: number): void {
    for (const path of steps.flatMap(touchedBy)) {
      const { low, high } = rangeBelow(path)
      const touched = sql.exec(
        `SELECT 1 FROM versions WHERE version > ? AND (path = ? OR (path >= ? AND path < ?)) LIMIT 1`,
        basis,
        path,
        low,
        high,
      )
      if (touched.toArray().length > 0) throw new Refusal({ reason: 'changed_meanwhile', path })
    }
  }

  function perform(step: Step): void {
    switch (step.type) {
      case 'put':
        return put(step.path, step.content, step.mtime ?? at)
      case 'folder':
        return folder(step.path)
      case 'remove':
        return remove(step.path)
      case 'move':
        return move(step.from, step.to)
    }
  }

  function put(path: StorePath, held: Content, mtime: number): void {
    if (held.size > limits.fileBytes)
      throw new Refusal({ reason: 'file_too_large', limit: limits.fileBytes })
    // Content that already has a row needs no more space.
    if (held.place.type !== 'blob' && !hasRoomFor(held.size))
      throw new Refusal({ reason: 'storage_full' })
    const old = entries.stat(path)
    if (old?.type === 'folder') throw new Refusal({ reason: 'is_folder', path })
    if (!old) makeAncestors(path)

    const blob = content.name(held)
    if (blob === null) throw new Refusal({ reason: 'changed_meanwhile', path })
    named.push(blob)
    writeState(path, blob, held.size, mimeOf(path, held.text), mtime)
    files += old ? 0 : 1
    bytes += held.size - (old?.size ?? 0)
    forgetOldVersions(path)
  }

  function folder(path: StorePath): void {
    const old = entries.stat(path)
    if (old?.type === 'file') throw new Refusal({ reason: 'not_a_folder', path })
    if (old) return
    makeAncestors(path)
    makeFolder(path)
  }

  function makeAncestors(path: StorePath): void {
    const missing: StorePath[] = []
    for (const above of ancestorsOf(path).reverse()) {
      const entry = entries.stat(above)
      if (entry?.type === 'file') throw new Refusal({ reason: 'not_a_folder', path: above })
      if (entry) break
      missing.push(above)
    }
    for (const above of missing.reverse()) makeFolder(above)
  }

  function makeFolder(path: StorePath): void {
    writeState(path, null, 0, FOLDER_MIME, at)
    folders += 1
  }

  function writeState(
    path: StorePath,
    blob: number | null,
    size: number,
    mime: string,
    mtime: number,
  ) {
    for (const table of ['files', 'versions']) {
      sql.exec(
        `INSERT INTO ${table} (path, blob, size, mime, version, mtime) VALUES (?, ?, ?, ?, ?, ?) ${OVER}`,
        path,
        blob,
        size,
        mime,
        version,
        mtime,
      )
    }
  }

  /** Records in the history of every path in the range that it is deleted by this change. */
  function recordEnd({ where, bindings }: Range): void {
    sql.exec(
      `INSERT INTO versions (path, blob, size, mime, version, mtime)
       SELECT path, NULL, 0, '${GONE}', ?, ? FROM files WHERE ${where} ${OVER}`,
      version,
      at,
      ...bindings,
    )
  }

  function remove(path: StorePath): void {
    const old = entries.stat(path)
    if (!old) throw new Refusal({ reason: 'not_found', path })
    const below = entries.measure(path)
    for (const range of selfAndBelow(path)) {
      recordEnd(range)
      sql.exec(`DELETE FROM files WHERE ${range.where}`, ...range.bindings)
    }
    forgetOldVersionsOf(path)
    const [file, folder, size] = old.type === 'file' ? [1, 0, old.size] : [0, 1, 0]
    files -= below.files + file
    folders -= below.folders + folder
    bytes -= below.bytes + size
  }

  function move(from: StorePath, to: StorePath): void {
    if (!entries.stat(from)) throw new Refusal({ reason: 'not_found', path: from })
    if (entries.stat(to)) throw new Refusal({ reason: 'exists', path: to })
    if (isWithin(to, from)) throw new Refusal({ reason: 'into_itself', from, to })
    makeAncestors(to)
    // SQLite counts code points where JavaScript counts UTF-16 units.
    const rest = Array.from(from).length + 1
    for (const range of selfAndBelow(from)) {
      recordEnd(range)
      sql.exec(
        `INSERT INTO versions (path, blob, size, mime, version, mtime)
         SELECT ? || substr(path, ?), blob, size, mime, ?, mtime FROM files WHERE ${range.where} ${OVER}`,
        to,
        rest,
        version,
        ...range.bindings,
      )
      sql.exec(
        `UPDATE files SET path = ? || substr(path, ?), version = ? WHERE ${range.where}`,
        to,
        rest,
        version,
        ...range.bindings,
      )
    }
    renew(to)
    forgetOldVersionsOf(from)
    forgetOldVersionsOf(to)
  }

  /** Updates the MIME type of a moved file, which depends on its name. */
  function renew(path: StorePath): void {
    const entry = entries.stat(path)
    if (entry?.type !== 'file') return
    const mime = mimeOf(path, content.isTextBlob(entry.blob))
    if (mime === entry.mime) return
    for (const table of ['files', 'versions'])
      sql.exec(`UPDATE ${table} SET mime = ? WHERE path = ? AND version = ?`, mime, path, version)
  }

  /** Drops old versions of a path and of everything below it. */
  function forgetOldVersionsOf(path: StorePath): void {
    for (const { where, bindings } of selfAndBelow(path)) {
      const long = sql.exec<{ path: StorePath }>(
        `SELECT path FROM versions WHERE ${where} GROUP BY path HAVING count(*) > ${limits.versions}`,
        ...bindings,
      )
      for (const each of long.toArray()) forgetOldVersions(each.path)
    }
  }

  /** Drops all but the newest versions of a path, and content that no other version names. */
  function forgetOldVersions(path: StorePath): void {
    const dropped = sql
      .exec<{ blob: number | null; version: number }>(
        `DELETE FROM versions WHERE path = ?1 AND version <=
           (SELECT version FROM versions WHERE path = ?1 ORDER BY version DESC LIMIT 1 OFFSET ?2)
         RETURNING blob, version`,
        path,
        limits.versions,
      )
      .toArray()
    if (dropped.length > 0) markTrimmed(path)
    for (const state of dropped) {
      if (state.blob !== null) content.dropUnnamed(state.blob)
      prune.pruneDropped(state.version, version)
    }
  }

  /** Marks dropped versions; otherwise a forgotten state would look as if the path had not existed. */
  function markTrimmed(path: StorePath): void {
    sql.exec(
      `UPDATE versions SET trimmed = 1 WHERE path = ?1 AND version =
         (SELECT min(version) FROM versions WHERE path = ?1)`,
      path,
    )
  }

  /** Drops content that an earlier step wrote and a later step of the same change removed. */
  function dropOvertaken(): void {
    for (const blob of named) content.dropUnnamed(blob)
  }

  /** `about` paths are counted with those that have a row, so a reader knows that the change concerns more. */
  function finish(about: number): Totals {
    if (files > MAX_FILES && files > before.files)
      throw new Refusal({ reason: 'workspace_full', limit: MAX_FILES, unit: 'files' })
    if (folders > MAX_FOLDERS && folders > before.folders)
      throw new Refusal({ reason: 'workspace_full', limit: MAX_FOLDERS, unit: 'folders' })
    const { workspaceBytes: most } = limits
    if (bytes > most && bytes > before.bytes)
      throw new Refusal({ reason: 'workspace_full', limit: most, unit: 'bytes' })
    const { id, tool, intent, actor } = change
    const { principal, session, label } = actor
    sql.exec(
      `INSERT INTO changes
         (version, id, tool, intent, principal, session, label, at, files, folders, bytes, paths)
       VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?12 + (SELECT count(*) FROM versions WHERE version = ?1))`,
      version,
      id,
      tool,
      intent,
      principal,
      session,
      label,
      at,
      files,
      folders,
      bytes,
      about,
    )
    prune.pruneOld(version)
    return { version, files, folders, bytes }
  }

  return { refuseStale, perform, dropOvertaken, finish }
}

function touchedBy(step: Step): StorePath[] {
  return step.type === 'move' ? [step.from, step.to] : [step.path]
}

/** A set of rows, as an SQL condition with its bindings. */
interface Range {
  readonly where: string
  readonly bindings: readonly string[]
}

/** Returns the ranges for a path and for everything below it. */
function selfAndBelow(path: StorePath): Range[] {
  const { low, high } = rangeBelow(path)
  return [
    { where: 'path = ?', bindings: [path] },
    { where: 'path >= ? AND path < ?', bindings: [low, high] },
  ]
}

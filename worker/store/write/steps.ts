/**
 * The steps of one change, as functions over its state. They run inside its transaction, and each of them
 * throws {@link Refusal} where it cannot be done. `test/worker/store/store.test.ts` tests them through the store.
 *
 * @module
 */

import { ancestorsOf, isWithin, rangeBelow, type StorePath } from '#core/path.ts'
import type { AuditColumns } from '../../audit/audit.ts'
import { MAX_FILES, MAX_FOLDERS, MAX_LISTED_PATHS } from '../../limits.ts'
import { FOLDER_MIME, mimeOf } from '../../encoding/media-type.ts'
import { isTextEncoding } from '../../texts/encoding.ts'
import { writeChangeRow } from './change-row.ts'
import { hasRoomFor } from '../disk-space.ts'
import { createHistory } from '../read/history.ts'
import { pruneOld } from './prune.ts'
import type { Entry, Step, Totals } from '../store.ts'
import { deleteRows, keepAncestors, moveRows, recordDeletion, rowsOfTree } from './versions.ts'
import { Refusal, type Work } from './work.ts'
import { writeVersion, writeWaiting } from './written-rows.ts'

/** Throws when a path that the steps name, or one below it, has changed since version `basis`. */
export function refuseStale(work: Work, steps: readonly Step[], basis: number): void {
  for (const path of steps.flatMap(stepPaths)) {
    const { low, high } = rangeBelow(path)
    const { versions } = work.layer.read
    const touched = work.sql.exec(
      `SELECT 1 FROM ${versions} WHERE path = ?1 AND version > ?4
       UNION ALL SELECT 1 FROM ${versions} WHERE path >= ?2 AND path < ?3 AND version > ?4 LIMIT 1`,
      path,
      low,
      high,
      basis,
    )
    if (touched.toArray().length > 0) throw new Refusal({ reason: 'changed_meanwhile', path })
  }
}

/** Applies one step. */
export function perform(work: Work, step: Step): void {
  if ((step.type === 'put' || step.type === 'folder') && step.isNew) refuseExisting(work, step.path)
  switch (step.type) {
    case 'put':
      return put(work, step)
    case 'folder':
      return folder(work, step.path)
    case 'remove':
      return remove(work, step.path)
    case 'prune':
      return prune(work, step)
    case 'move':
      return move(work, step.from, step.to)
  }
}

/**
 * Finds an entry as the steps before have left it. While they have only written entries, what was there before the
 * change may come from the cache, and stays true there if the change is rolled back.
 */
function statIn(work: Work, path: StorePath): Entry | null {
  if (work.moved) return work.entries.stat(path)
  const written = work.written.get(path)
  if (written) return written
  const known = work.known.get(path)
  return known === undefined ? work.statBefore(path) : known
}

function refuseExisting(work: Work, path: StorePath): void {
  if (statIn(work, path)) throw new Refusal({ reason: 'exists', path })
}

function put(work: Work, step: Extract<Step, { type: 'put' }>): void {
  const { path, content: held, mtime = work.change.at } = step
  if (held.size > work.limits.fileBytes)
    throw new Refusal({ reason: 'file_too_large', limit: work.limits.fileBytes })
  // Content that already has a row needs no more space.
  if (held.place.type !== 'blob' && !hasRoomFor(held.size))
    throw new Refusal({ reason: 'storage_full' })
  const old = statIn(work, path)
  if (old?.type === 'folder') throw new Refusal({ reason: 'is_folder', path })
  if (!old) makeAncestors(work, path)
  keepAncestors(work, path)

  const blob = work.blobs.name(held, path)
  if (blob === null) throw new Refusal({ reason: 'changed_meanwhile', path })
  work.named.push({ blob, path })
  const { size } = held
  const mime = mimeOf(path, isTextEncoding(held.encoding))
  const executable = Number(step.executable ?? old?.executable ?? false)
  writeVersion(work, path, { blob, size, mime, mtime, executable })
  if (!old) {
    work.files += 1
    work.listed.push(path)
  }
  work.bytes += held.size - (old?.size ?? 0)
}

function folder(work: Work, path: StorePath): void {
  const old = statIn(work, path)
  if (old?.type === 'file') throw new Refusal({ reason: 'not_a_folder', path })
  if (old) return
  makeAncestors(work, path)
  makeFolder(work, path)
}

function makeAncestors(work: Work, path: StorePath): void {
  const missing: StorePath[] = []
  for (const above of ancestorsOf(path).reverse()) {
    const entry = statIn(work, above)
    if (entry?.type === 'file') throw new Refusal({ reason: 'not_a_folder', path: above })
    if (entry) break
    missing.push(above)
  }
  for (const above of missing.reverse()) makeFolder(work, above)
}

function makeFolder(work: Work, path: StorePath): void {
  keepAncestors(work, path)
  const mtime = work.change.at
  writeVersion(work, path, { blob: null, size: 0, mime: FOLDER_MIME, mtime, executable: 0 })
  work.folders += 1
}

/** Prepares a step that reads and writes rows of the tables. */
function useTables(work: Work): void {
  writeWaiting(work)
  work.moved = true
}

function remove(work: Work, path: StorePath): void {
  useTables(work)
  const old = statIn(work, path)
  if (!old) throw new Refusal({ reason: 'not_found', path })
  const below = work.entries.measure(path)
  for (const range of rowsOfTree(path)) {
    recordDeletion(work, range)
    deleteRows(work, range)
  }
  work.trees.add(path)
  const [file, folder, size] = old.type === 'file' ? [1, 0, old.size] : [0, 1, 0]
  if (below.files + file > 0) work.listed.push(path)
  work.files -= below.files + file
  work.folders -= below.folders + folder
  work.bytes -= below.bytes + size
}

function prune(work: Work, { path, versions, before }: Extract<Step, { type: 'prune' }>): void {
  const entry = statIn(work, path)
  if (entry?.type !== 'folder' || !versions.includes(entry.version)) return
  useTables(work)
  const { stateAt } = createHistory(work.sql, work.layer)
  if (stateAt(path, before) !== null) return
  const { files, folders } = work.entries.measure(path)
  if (files + folders === 0) remove(work, path)
}

function move(work: Work, from: StorePath, to: StorePath): void {
  useTables(work)
  const moved = statIn(work, from)
  if (!moved) throw new Refusal({ reason: 'not_found', path: from })
  if (statIn(work, to)) throw new Refusal({ reason: 'exists', path: to })
  if (isWithin(to, from)) throw new Refusal({ reason: 'into_itself', from, to })
  if (moved.type === 'file' || hasFilesBelow(work, from)) work.listed.push(from, to)
  makeAncestors(work, to)
  keepAncestors(work, to)
  // SQLite counts code points where JavaScript counts UTF-16 units.
  const rest = Array.from(from).length + 1
  for (const range of rowsOfTree(from)) {
    recordDeletion(work, range)
    moveRows(work, range, { to, rest })
  }
  renew(work, to)
  work.trees.add(from).add(to)
}

function hasFilesBelow({ sql, layer }: Work, folder: StorePath): boolean {
  const { low, high } = rangeBelow(folder)
  const query = `SELECT 1 FROM ${layer.read.files} WHERE path >= ? AND path < ? AND blob IS NOT NULL LIMIT 1`
  return sql.exec(query, low, high).toArray().length > 0
}

/** Updates the MIME type of a moved file, which depends on its name. */
function renew(work: Work, path: StorePath): void {
  const entry = statIn(work, path)
  if (entry?.type !== 'file') return
  const mime = mimeOf(path, work.blobs.isText(entry.blob))
  if (mime === entry.mime) return
  const { write, own } = work.layer
  for (const table of [write.files, write.versions])
    work.sql.exec(
      `UPDATE ${table} SET mime = ? WHERE ${own}path = ? AND version = ?`,
      mime,
      path,
      work.change.version,
    )
}

/** Drops content that an earlier step wrote and a later step of the same change removed. */
export function dropOvertaken(work: Work): void {
  const files = [...work.written.values()].filter(({ type }) => type === 'file')
  if (!work.moved && files.length === work.named.length) return
  work.blobs.dropUnnamed(work.named)
}

/**
 * Checks the new totals and writes the row of the change. `about` paths are counted with those that have a
 * row, so a reader knows that the change concerns more. `audit` is its part of the audit log; null for a draft.
 */
export function finish(work: Work, about: number, audit: AuditColumns | null): Totals {
  refuseFull(work)
  const { sql, before, change, files, folders, bytes } = work
  writeChangeRow(work, about, audit)
  const version = Math.max(change.version, before.version)
  pruneOld(sql, change.version)
  return { version, files, folders, bytes }
}

function refuseFull({ before, limits, files, folders, bytes }: Work): void {
  if (files > MAX_FILES && files > before.files)
    throw new Refusal({ reason: 'workspace_full', limit: MAX_FILES, unit: 'files' })
  if (folders > MAX_FOLDERS && folders > before.folders)
    throw new Refusal({ reason: 'workspace_full', limit: MAX_FOLDERS, unit: 'folders' })
  const { workspaceBytes: limit, heldBytes = 0 } = limits
  if (bytes + heldBytes > limit && bytes > before.bytes)
    throw new Refusal({ reason: 'workspace_full', limit, unit: 'bytes' })
}

/** Returns the paths that a step names: those by which it is judged, and that its change names. */
export function stepPaths(step: Step): StorePath[] {
  return step.type === 'prune' ? [] : placesOf(step)
}

/** Returns the first paths that steps name, as many as an answer lists. */
export const namedPaths = (steps: readonly Step[]) =>
  steps.flatMap(stepPaths).slice(0, MAX_LISTED_PATHS)

/** Returns the paths at which a step can write, with a folder that it may remove. */
export function placesOf(step: Step): StorePath[] {
  return step.type === 'move' ? [step.from, step.to] : [step.path]
}

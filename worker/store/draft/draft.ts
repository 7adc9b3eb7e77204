/**
 * The store of a draft: the files of a workspace with changes that are not applied to it.
 *
 * It fulfils the contract of the store. Other callers do not see its changes. Its versions are numbers of the
 * workspace's own sequence, so that a version names one state wherever it is used.
 *
 * @module
 */

import { ancestorsOf, rangeBelow, type StorePath } from '#core/path.ts'
import { apply, type ApplyParts } from '../write/apply.ts'
import { COLUMNS, createEntries, entryOf, type FileRow } from '../read/entries.ts'
import { createHistory } from '../read/history.ts'
import { draftLayer, GONE } from '../layer.ts'
import { createRecent, type Written } from '../read/read-cache.ts'
import type { DraftStore, Entry, Store, Totals } from '../store.ts'
import { tablesOf, transaction } from '../../database/table-groups.ts'

/** What the store of a draft needs of the workspace below it. */
export interface Below {
  readonly parts: Pick<ApplyParts, 'storage' | 'blobs' | 'audit'>
  readonly store: Store
  /** The newest version that the workspace itself has. */
  readonly workspaceVersion: () => number
  /** Records that a version was given to a change of a draft. */
  readonly advance: (version: number) => void
}

/** The open store of a draft. There is one of each draft, because it keeps what it has read. */
export interface OpenDraft {
  readonly store: DraftStore
  /** Discards what is kept in memory, after the rows of the draft were written by something else. */
  readonly reset: () => void
}

/** Opens the store of a draft. */
export function openDraftStore(below: Below, draft: number): OpenDraft {
  const { store, parts } = below
  const { sql } = parts.storage
  const layer = draftLayer(draft)
  const entries = {
    ...createEntries(sql, layer.read),
    stat: (path: StorePath) => stat(below, draft, path),
  }
  const recent = cacheEntries(below, entries.stat)
  let known: { at: number; added: Added } | null = null

  /** Counted again only after the workspace has changed. */
  function readAdded(): Added {
    const at = below.workspaceVersion()
    if (known?.at !== at) known = { at, added: countAdded(sql, draft) }
    return known.added
  }

  function readTotals(): Totals {
    const { version, files, folders, bytes } = store.totals
    const more = readAdded()
    return {
      version,
      files: files + more.files,
      folders: folders + more.folders,
      bytes: bytes + more.bytes,
    }
  }

  const opened: DraftStore = {
    ...store,
    ...entries,
    stat: recent.stat,
    open: recent.stat,
    ...createHistory(sql, layer),
    get totals() {
      return readTotals()
    },
    apply(proposal) {
      const applied = apply(
        { ...parts, layer, isCovered: false, kept: [], entries, statBefore: recent.stat },
        readTotals(),
        proposal,
      )
      if (!applied.ok) return applied
      const { change, totals, written } = applied.value
      if (!proposal.dryRun) {
        recent.wrote(written)
        below.advance(change.version)
        known = { at: below.workspaceVersion(), added: subtract(totals, store.totals) }
      }
      return { ok: true, value: change }
    },
  }
  const reset = () => {
    recent.changed()
    known = null
  }
  return { store: opened, reset }
}

/** Caches entries until the draft or the workspace changes. */
function cacheEntries({ store, workspaceVersion }: Below, read: Store['stat']) {
  const open = (path: StorePath) => ({ entry: read(path), bytes: null })
  const recent = createRecent({ stat: read, open, bytes: (file) => store.bytes(file) })
  let cachedAt = workspaceVersion()
  const forgetOld = (): void => {
    const at = workspaceVersion()
    if (cachedAt !== at) recent.changed()
    cachedAt = at
  }
  return {
    stat: (path: StorePath): Entry | null => {
      forgetOld()
      return recent.stat(path)
    },
    /** Keeps the entries that a change of the draft has written. Its content is kept by the workspace. */
    wrote: (written: Written): void => {
      forgetOld()
      recent.wrote(written, [])
    },
    changed: recent.changed,
  }
}

/** Finds an entry by one row of the draft, because the workspace keeps its recent ones in memory. */
function stat({ parts, store }: Below, draft: number, path: StorePath): Entry | null {
  const [row] = parts.storage.sql
    .exec<FileRow>(`SELECT ${COLUMNS} FROM draft_files WHERE draft = ? AND path = ?`, draft, path)
    .toArray()
  if (!row) return store.stat(path)
  return row.mime === GONE ? null : entryOf(row)
}

/** What a draft adds to the totals of the workspace; negative where it deletes. */
type Added = Pick<Totals, 'files' | 'folders' | 'bytes'>

function subtract(a: Totals, b: Totals): Added {
  return { files: a.files - b.files, folders: a.folders - b.folders, bytes: a.bytes - b.bytes }
}

function countAdded(sql: SqlStorage, draft: number): Added {
  return sql
    .exec<{ files: number; folders: number; bytes: number }>(
      `SELECT
         ifnull(sum((d.blob IS NOT NULL) - (f.blob IS NOT NULL)), 0) AS files,
         ifnull(sum((d.mime <> '' AND d.blob IS NULL) - (f.path IS NOT NULL AND f.blob IS NULL)), 0) AS folders,
         ifnull(sum(d.size - ifnull(f.size, 0)), 0) AS bytes
       FROM draft_files d LEFT JOIN files f ON f.path = d.path WHERE d.draft = ?`,
      draft,
    )
    .one()
}

/** Deletes the rows of a draft, runs `write`, and drops content that nothing names after it. */
export function rewriteDraft(
  { storage, blobs }: Below['parts'],
  draft: number,
  write: () => void,
): void {
  transaction(storage, () => {
    const sql = tablesOf(storage.sql, 'drafts')
    const named = sql
      .exec<{ blob: number; path: StorePath }>(
        'SELECT DISTINCT blob, path FROM draft_versions WHERE draft = ? AND blob IS NOT NULL',
        draft,
      )
      .toArray()
    for (const table of ['draft_files', 'draft_versions', 'draft_changes', 'touched_paths'])
      sql.exec(`DELETE FROM ${table} WHERE draft = ?`, draft)
    write()
    blobs.dropUnnamed(named)
  })
}

/** A row of a draft that does not only repeat a folder of the workspace. */
const OWN_STATE = `NOT EXISTS (SELECT 1 FROM files f
  WHERE f.path = d.path AND f.version = d.version AND d.covers = 0 AND d.mime <> '${GONE}')`

/** Whether a draft has a state of its own at a path, below it, or in place of a folder above it. */
export function concernsDraft(
  sql: SqlStorage,
  draft: number,
  paths: readonly StorePath[],
): boolean {
  const has = (condition: string, ...bindings: string[]) =>
    sql
      .exec(
        `SELECT 1 FROM draft_files d WHERE d.draft = ? AND ${condition} AND ${OWN_STATE} LIMIT 1`,
        draft,
        ...bindings,
      )
      .toArray().length > 0
  return paths.some((path) => {
    const { low, high } = rangeBelow(path)
    return (
      has('d.path = ?', path) ||
      has('d.path >= ? AND d.path < ?', low, high) ||
      ancestorsOf(path).some((above) => has('d.path = ?', above))
    )
  })
}

/** Returns those of some drafts that have a state of their own of a file at a path, or delete what is there. */
export function findDraftsAt(
  sql: SqlStorage,
  drafts: readonly number[],
  path: StorePath,
): readonly number[] {
  const found = sql.exec<{ draft: number }>(
    `SELECT d.draft FROM json_each(?) each CROSS JOIN draft_files d
     ON d.draft = each.value AND d.path = ?
     WHERE (d.blob IS NOT NULL OR d.mime = '${GONE}') AND ${OWN_STATE}`,
    JSON.stringify(drafts),
    path,
  )
  return Array.from(found, ({ draft }) => draft)
}

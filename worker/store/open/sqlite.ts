/**
 * The store on SQLite: combines entries, content, changes and the audit log.
 *
 * Outside the tables it keeps only a cache of recent reads and the totals. Every row of `changes` repeats the
 * totals, so an object that wakes up reads one row to restore them (`opening.ts`).
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { apply } from '../write/apply.ts'
import { dropApplied, type AppliedProposal } from '../draft/applied.ts'
import { createAudit } from '../../audit/audit.ts'
import { createBlobs } from '../content/blobs.ts'
import { createCheckpoints, keptVersions } from '../write/checkpoints.ts'
import type { DocumentParts } from '../content/documents.ts'
import { createContent } from '../content/content.ts'
import { hasDrafts } from '../write/cover.ts'
import {
  concernsDraft,
  findDraftsAt,
  openDraftStore,
  rewriteDraft,
  type Below,
  type OpenDraft,
} from '../draft/draft.ts'
import { createEntries } from '../read/entries.ts'
import { createFeed } from '../read/feed.ts'
import { createHeldContent } from '../content/held-content.ts'
import { createHistory } from '../read/history.ts'
import type { Objects } from '../content/objects.ts'
import { createLineIndexes } from '../line-index.ts'
import { createRecent } from '../read/read-cache.ts'
import { WORKSPACE_LAYER } from '../layer.ts'
import { openTables, type Opening } from './opening.ts'
import { createPins } from '../write/pins.ts'
import type { DraftStore, Pins, Store, Totals } from '../store.ts'
import { createSweep } from '../content/sweep.ts'
import { writeMeta } from '../../database/schema.ts'
import { createTables, transaction } from '../../database/table-groups.ts'

/** The store of a workspace, and the stores of drafts laid over it. */
export interface SqliteStore extends Store {
  /** Files that are kept beside history. */
  readonly pins: Pins
  /** Opens the store of a draft, by any positive number. Without rows it equals the workspace. */
  draft(id: number): DraftStore
  /** Deletes a draft with everything in it. */
  dropDraft(id: number): void
  /** Replaces everything in a draft by the changes that `write` applies to its store. */
  rewriteDraft(id: number, write: (draft: DraftStore) => void): void
  /** Takes changes out of a draft that the workspace has now, and no other change of the draft concerns. */
  dropApplied(id: number, applied: readonly AppliedProposal[]): void
  /** Whether a draft shows another state than the workspace at one of these paths, or around it. */
  concernsDraft(id: number, paths: readonly StorePath[]): boolean
  /** Returns those of some drafts that have a state of their own of a file at a path, or delete what is there. */
  findDraftsAt(ids: readonly number[], path: StorePath): readonly number[]
  /** The newest version that the workspace itself has, without its drafts. */
  readonly workspaceVersion: number
  /** Runs several changes of the workspace and its drafts as one: if `work` throws, none has happened. */
  transaction<T>(work: () => T): T
}

/** The services of the stores of one database, and what they keep in memory. */
interface Services {
  readonly parts: Below['parts']
  readonly recent: ReturnType<typeof createRecent>
  readonly content: ReturnType<typeof createContent>
  readonly objects: Objects
  /** The totals of the workspace, with the newest version of it or of a draft. */
  totals: Totals
  /** The newest version of the workspace itself. */
  workspaceVersion: number
  /** Whether there are drafts. */
  isCovered: boolean
  /** The versions of the checkpoints, so that no write has to read them. */
  kept: readonly number[]
  readonly wakeAt: (time: number) => void
}

/** How documents are read: in another place, or by a test. */
type DocumentReader = Pick<DocumentParts, 'extract' | 'markdown' | 'place'>

/** Opens the store. `wakeAt` is called with the time at which the next sweep is due. */
export function createSqliteStore(
  storage: DurableObjectStorage,
  objects: Objects,
  wakeAt: (time: number) => void = () => {},
  { totals, version, isCovered, has }: Opening = openTables(storage),
  reader?: DocumentReader,
): SqliteStore {
  const { sql } = storage
  const content = createContent({ storage, objects, reader })
  const parts = { storage, blobs: createBlobs(sql, wakeAt), audit: createAudit(storage) }
  const services: Services = {
    parts,
    content,
    recent: createRecent({ ...createEntries(sql), bytes: content.bytes }),
    objects,
    totals: { ...totals, version },
    workspaceVersion: totals.version,
    isCovered,
    kept: has.checkpoints ? keptVersions(sql) : [],
    wakeAt,
  }
  return withDrafts(services, createWorkspaceStore(services))
}

function createWorkspaceStore(services: Services): Store {
  const { parts, content, objects, recent } = services
  const { audit } = parts
  const { sql } = parts.storage
  const { arriving, ...held } = createHeldContent(sql, objects, services.wakeAt)
  const entries = createEntries(sql)
  const store: Store = {
    audit,
    checkpoints: createCheckpoints(services),
    feed: createFeed(sql),
    ...entries,
    stat: recent.stat,
    open: recent.open,
    ...createHistory(sql),
    ...content,
    ...held,
    heldDocument: (one) => content.heldDocument(one, () => held.heldBytes(one)),
    bytes: recent.bytes,
    lineIndexes: createLineIndexes(),
    sweep: createSweep(sql, objects, arriving),

    get totals() {
      return services.totals
    },

    apply(proposal) {
      const { isCovered, kept } = services
      const layer = { layer: WORKSPACE_LAYER, isCovered, kept, entries, statBefore: recent.stat }
      const applied = apply({ ...parts, ...layer }, store.totals, proposal)
      if (!applied.ok) return applied
      const { change, totals, written } = applied.value
      if (proposal.dryRun) return { ok: true, value: change }
      services.totals = totals
      services.workspaceVersion = totals.version
      recent.wrote(written, proposal.steps)
      return { ok: true, value: change }
    },
  }
  return store
}

/** Adds the stores of drafts. Each draft has one, because it counts what the draft adds. */
function withDrafts(services: Services, store: Store): SqliteStore {
  const { parts } = services
  const drafts = new Map<number, OpenDraft>()
  const below: Below = {
    parts,
    store,
    workspaceVersion: () => services.workspaceVersion,
    advance: (version) => {
      // A change that is written again has an older one.
      services.totals = { ...services.totals, version: Math.max(version, services.totals.version) }
      services.isCovered = true
    },
  }
  const { sql } = parts.storage
  const open = (id: number) => {
    createTables(sql, 'drafts')
    const draft = drafts.get(id) ?? openDraftStore(below, id)
    drafts.set(id, draft)
    return draft.store
  }
  /** Changes of drafts take versions of the same sequence, so the newest is remembered when their rows are deleted. */
  const remember = () => writeMeta(sql, { version: services.totals.version })
  const additions = {
    pins: createPins(parts),
    draft: open,
    dropDraft(id: number) {
      rewriteDraft(parts, id, remember)
      drafts.get(id)?.reset()
      drafts.delete(id)
      services.isCovered = hasDrafts(sql)
    },
    rewriteDraft(id: number, write: (draft: DraftStore) => void) {
      rewriteDraft(parts, id, () => {
        remember()
        drafts.get(id)?.reset()
        write(open(id))
      })
    },
    dropApplied(id: number, applied: readonly AppliedProposal[]) {
      remember()
      dropApplied({ sql, blobs: parts.blobs }, id, applied)
      drafts.get(id)?.reset()
    },
    concernsDraft: (id: number, paths: readonly StorePath[]) => concernsDraft(sql, id, paths),
    findDraftsAt: (ids: readonly number[], path: StorePath) => findDraftsAt(sql, ids, path),
    transaction: <T>(work: () => T) => runWhole(services, drafts, work),
  }
  const extended: Store & typeof additions = Object.assign(store, additions)
  return Object.defineProperty(extended, 'workspaceVersion', {
    get: () => services.workspaceVersion,
  }) as SqliteStore
}

/** Runs work in a transaction. What is kept in memory is taken back with the tables. */
function runWhole<T>(services: Services, drafts: ReadonlyMap<number, OpenDraft>, work: () => T): T {
  const { totals, workspaceVersion, isCovered } = services
  try {
    return transaction(services.parts.storage, work)
  } catch (error) {
    Object.assign(services, { totals, workspaceVersion, isCovered })
    for (const draft of drafts.values()) draft.reset()
    services.recent.rolledBack()
    throw error
  }
}

/**
 * The table of previews, which are kept for a limited time.
 *
 * A preview stores a digest of its plan and the version it was made against. Applying it plans again, and the
 * new plan must have the same digest, so no content is stored for a change that may never be applied.
 * `test/worker/access/previews.test.ts`, `test/worker/changes/preview-expiry.test.ts` and
 * `test/worker/changes/preview.laws.test.ts` test them.
 *
 * @module
 */

import { hash } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Access } from '../access/access.ts'
import { withoutSource } from '../access/history-view.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Caller } from '../access/caller.ts'
import { MAX_WORKSPACE_PREVIEWS } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import { storedIntent } from '../audit/change-note.ts'
import { effective } from '../store/limits.ts'
import { keepNewest, keepShares, type SharedRows } from '../database/shares.ts'
import type { Step } from '../store/store.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import { restrictFacts, type Facts } from './facts.ts'
import { fitFacts } from './fit-facts.ts'

/** A preview before it is stored. */
export interface NewPreview {
  readonly facts: Facts
  readonly steps: readonly Step[]
  /** The version of the workspace that the plan was made against. */
  readonly basis: number
  readonly owner: Owner
  /** The public id of the draft over which it was planned; null without one. */
  readonly draft: string | null
}

/** The session that may apply a preview, and the principal whose share it uses. */
export type Owner = Pick<Caller, 'principal' | 'session' | 'budget'>

interface Row extends Record<string, SqlStorageValue> {
  session: string | null
  budget: string
  digest: string
  basis: number
  facts: string
  draft: string | null
}

/** A plan that is applied: the tool and its steps. */
export interface AppliedPlan {
  readonly tool: string
  readonly steps: readonly Step[]
}

/** A caller that reads a preview, and what it may see. */
export interface PreviewReader {
  readonly access: Access
  readonly owner: Owner
  readonly store: ReadStore
}

/** The stored previews of one workspace. */
export type PreviewTable = ReturnType<typeof createPreviewTable>

/** The tables of previews, and what wakes the object. */
interface PreviewContext {
  readonly sql: Tables
  readonly wakeAt: (time: number) => void
  /** No preview expires before this time (ms). */
  nextExpiry: number
}

/** Opens the table of previews of one workspace. `wakeAt` is called with the time of an expiry. */
export function createPreviewTable(database: SqlStorage, wakeAt: (time: number) => void) {
  const sql = tablesOf(database, 'previews')
  const context: PreviewContext = { sql, wakeAt, nextExpiry: 0 }
  return {
    keep: (preview: NewPreview, config: Config) => storePreview(context, preview, config),
    /** Deletes expired previews. Returns when the next one expires, or null. */
    expire: (now: number) => expire(context, now),
    basisOf: (id: string, plan: AppliedPlan, owner: Owner) => findBasis(sql, id, plan, owner),
    read: (id: string, reader: PreviewReader) => readPreview(sql, id, reader),
  }
}

/**
 * Stores a preview for a limited time, and deletes those that were not read for longest. `expires` is in
 * milliseconds since 1970.
 */
function storePreview(
  context: PreviewContext,
  preview: NewPreview,
  config: Config,
): { id: string; expires: number } {
  const { sql, wakeAt } = context
  const id = crypto.randomUUID()
  const facts = { ...preview.facts, intent: storedIntent(preview.facts.intent) }
  const expires = Date.now() + effective(config, 'preview_ttl_seconds') * 1000
  sql.exec(
    `INSERT INTO previews (id, session, budget, digest, basis, facts, expires, used, draft)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    preview.owner.session?.id ?? null,
    preview.owner.budget,
    digestOf(preview.steps),
    preview.basis,
    fitFacts(facts),
    expires,
    nextUse(sql),
    preview.draft,
  )
  context.nextExpiry = Math.min(context.nextExpiry, expires)
  wakeAt(expires)
  keepNewest(sql, PREVIEWS, preview.owner.budget, effective(config, 'preview_cache_size'))
  keepShares(sql, PREVIEWS, MAX_WORKSPACE_PREVIEWS)
  return { id, expires }
}

/** Reads the times only when one of them is due, because they are stored behind the facts, which can be long. */
function expire(context: PreviewContext, now: number): number | null {
  const { sql, nextExpiry } = context
  if (nextExpiry > now) return Number.isFinite(nextExpiry) ? nextExpiry : null
  sql.exec('DELETE FROM previews WHERE expires <= ?', now)
  const { next } = sql
    .exec<{ next: number | null }>('SELECT min(expires) AS next FROM previews')
    .one()
  context.nextExpiry = next ?? Infinity
  return next
}

/** Those that were not read for longest are the oldest. */
const PREVIEWS: SharedRows = { table: 'previews', age: 'used' }

/** Uses are numbered, because many can fall into one millisecond. */
function nextUse(sql: Tables): number {
  const row = sql.exec<{ last: number | null }>('SELECT max(used) AS last FROM previews').one()
  return (row.last ?? 0) + 1
}

function findPreview(sql: Tables, id: string): Row | null {
  const row = sql
    .exec<Row>(
      'SELECT session, budget, digest, basis, facts, draft FROM previews WHERE id = ? AND expires > ?',
      id,
      Date.now(),
    )
    .toArray()[0]
  return row ?? null
}

/** Returns the version that a preview was made against, if the plan and the tool are the same. */
function findBasis(
  sql: Tables,
  id: string,
  { tool, steps }: AppliedPlan,
  { session }: Owner,
): Result<number, Problem> {
  const row = findPreview(sql, id)
  const isOwn = row !== null && row.session === (session?.id ?? null)
  const same = isOwn && row.digest === digestOf(steps) && factsIn(row).tool === tool
  return same ? ok(row.basis) : err({ reason: 'preview_stale', id })
}

/** Returns a preview for its principal or for the person, with only the files that the reader may see. */
function readPreview(
  sql: Tables,
  id: string,
  { access, owner, store }: PreviewReader,
): Facts | null {
  const row = findPreview(sql, id)
  if (!row || !mayRead(row, owner)) return null
  const facts = factsIn(row)
  const isOwn = row.session === (owner.session?.id ?? null)
  const maySee = (path: StorePath) => (isOwn ? access.maySeeNamed(path) : access.canRead(path))
  if (!facts.paths.every(maySee)) return null
  sql.exec('UPDATE previews SET used = ? WHERE id = ?', nextUse(sql), id)
  return restrictFacts(withoutSource(facts, access, isOwn), access, store)
}

/** What shows a draft is only for the session that has it. */
function mayRead({ session, budget, draft }: Row, reader: Owner): boolean {
  const isOwn = session === (reader.session?.id ?? null)
  if (draft === null && reader.session === null) return true
  return budget === reader.budget && (isOwn || (draft === null && !isOneOfMany(reader)))
}

/** Whether a link shares the budget of its maker with other links, which may see other files. */
const isOneOfMany = ({ session, budget, principal }: Owner): boolean =>
  session !== null &&
  budget === principal &&
  (session.initialize === null || session.parent !== null)

function factsIn({ facts }: Row): Facts {
  // Written by `keep`, which takes nothing else.
  return JSON.parse(facts) as Facts
}

/**
 * Identifies a plan: equal plans have equal digests, by action, path, content and mode. A long plan is hashed, so
 * that it fits in a row.
 */
function digestOf(steps: readonly Step[]): string {
  const plain = steps.map((step) =>
    step.type === 'put'
      ? ['put', step.path, [...step.content.hash], step.executable]
      : Object.values(step),
  )
  const text = JSON.stringify(plain)
  if (text.length <= PLAIN_DIGEST_LENGTH) return text
  return hash('sha256', text, 'hex')
}

/** Longest plan, in characters, that is its own digest. */
const PLAIN_DIGEST_LENGTH = 1_000

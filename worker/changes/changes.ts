/**
 * Previews, which are kept for a limited time, and applied changes, both as resources.
 *
 * A preview stores a digest of its plan and the version it was made against. Applying it plans again, and the
 * new plan must have the same digest, so no content is stored for a change that may never be applied. An
 * applied change is described from history, for as long as history has it.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { APP_MIME } from '#core/wire.ts'
import type { Access } from '../access/access.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Caller } from '../sessions/caller.ts'
import { MAX_PREVIEWS, MAX_WORKSPACE_PREVIEWS } from '../limits.ts'
import type { Problem } from '../problem.ts'
import { storedIntent } from '../store/note.ts'
import type { Step } from '../store/store.ts'
import { createHash } from 'node:crypto'
import { describeApplied, type PlacedDiff } from './describe.ts'
import { fitFacts } from './fit-facts.ts'
import { DIFF_MIME, renderFacts } from './forms.ts'

/** The description of a change, previewed or applied. */
export interface Facts {
  readonly tool: string
  readonly intent: string
  /** False for a preview. */
  readonly applied: boolean
  /** The paths that the change names. */
  readonly paths: readonly StorePath[]
  readonly files: readonly PlacedDiff[]
  /** Number of files that are not in `files`. */
  readonly more: number
  /** Bytes of all files that are deleted or moved. */
  readonly bytes?: number
  /** Files of an applied change that cannot be compared: history has dropped their earlier state. */
  readonly forgotten?: number
  /**
   * `paths` may be incomplete, because history has dropped a part of the change or a preview was too large.
   */
  readonly incomplete?: true
  /** Files whose lines were left out, because all of them together are too large to be stored. */
  readonly left_out?: number
}

/** A preview before it is stored. */
export interface NewPreview {
  readonly facts: Facts
  readonly steps: readonly Step[]
  /** The version of the workspace that the plan was made against. */
  readonly basis: number
  readonly owner: Owner
}

/** The session that may apply a preview, and the principal whose share it uses. */
export type Owner = Pick<Caller, 'session' | 'budget'>

interface Row extends Record<string, SqlStorageValue> {
  session: string | null
  budget: string
  digest: string
  basis: number
  facts: string
}

/** A caller that reads a change, and what it may see. */
export interface Reader {
  readonly access: Access
  readonly owner: Owner
  readonly store: ReadStore
}

/** The previews and changes of one workspace. */
export type Changes = ReturnType<typeof createChanges>

/** Manages the previews of one workspace, and reads its changes. */
export function createChanges(sql: SqlStorage) {
  /**
   * Stores a preview for a limited time, and deletes those that were not read for longest. `expires` is in
   * milliseconds since 1970.
   */
  function keep(preview: NewPreview, config: Config): { id: string; expires: number } {
    const id = crypto.randomUUID()
    const now = Date.now()
    const facts = { ...preview.facts, intent: storedIntent(preview.facts.intent) }
    const expires = now + (config.preview_ttl_seconds || 31_536_000) * 1000
    sql.exec(
      `INSERT INTO previews (id, session, budget, digest, basis, facts, expires, used)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      preview.owner.session?.id ?? null,
      preview.owner.budget,
      digestOf(preview.steps),
      preview.basis,
      fitFacts(facts),
      expires,
      nextUse(),
    )
    sql.exec('DELETE FROM previews WHERE expires <= ?', now)
    const most = Math.min(config.preview_cache_size || MAX_PREVIEWS, MAX_PREVIEWS)
    dropOldest(preview.owner.budget, most)
    const all = sql.exec<{ count: number }>('SELECT count(*) AS count FROM previews').one().count
    if (all > MAX_WORKSPACE_PREVIEWS) dropOfLargest()
    return { id, expires }
  }

  /** Deletes the previews of a principal that it has not read for longest. */
  function dropOldest(budget: string, kept: number): void {
    sql.exec(
      `DELETE FROM previews WHERE id IN (
         SELECT id FROM previews WHERE budget = ? ORDER BY used DESC LIMIT -1 OFFSET ?)`,
      budget,
      kept,
    )
  }

  /** Deletes the oldest preview of the principal with the most, when the workspace has too many. */
  function dropOfLargest(): void {
    const largest = sql
      .exec<{ budget: string; count: number }>(
        'SELECT budget, count(*) AS count FROM previews GROUP BY budget ORDER BY count DESC LIMIT 1',
      )
      .toArray()[0]
    if (largest) dropOldest(largest.budget, largest.count - 1)
  }

  /** Uses are numbered, because many can fall into one millisecond. */
  function nextUse(): number {
    const row = sql.exec<{ last: number | null }>('SELECT max(used) AS last FROM previews').one()
    return (row.last ?? 0) + 1
  }

  function find(id: string): Row | null {
    const row = sql
      .exec<Row>(
        'SELECT session, budget, digest, basis, facts FROM previews WHERE id = ? AND expires > ?',
        id,
        Date.now(),
      )
      .toArray()[0]
    return row ?? null
  }

  /** Returns the version that a preview was made against, if the plan and the tool are the same. */
  function basisOf(
    id: string,
    tool: string,
    steps: readonly Step[],
    { session }: Owner,
  ): Result<number, Problem> {
    const row = find(id)
    const isOwn = row !== null && row.session === (session?.id ?? null)
    const same = isOwn && row.digest === digestOf(steps) && factsIn(row).tool === tool
    return same ? ok(row.basis) : err({ reason: 'preview_stale', id })
  }

  /** Returns a preview for its principal or for the person, with only the files that the reader may see. */
  function previewFor(id: string, { access, owner, store }: Reader): Facts | null {
    const row = find(id)
    if (!row || (owner.session !== null && row.budget !== owner.budget)) return null
    const facts = factsIn(row)
    if (!facts.paths.every((path) => access.canRead(path) || access.canWrite(path))) return null
    sql.exec('UPDATE previews SET used = ? WHERE id = ?', nextUse(), id)
    return factsAsRead(facts, access, store)
  }

  async function appliedFor(id: string, { store }: Reader): Promise<Facts | null> {
    const changes = store.changesOf(id)
    const last = changes.at(-1)
    if (!last) return null
    const paths = [...new Set(changes.flatMap((change) => change.paths))]
    const { tool, intent } = last
    const facts = { tool, intent, applied: true, paths, ...(await describeApplied(changes, store)) }
    return changes.every(({ complete }) => complete) ? facts : { ...facts, incomplete: true }
  }

  /** Reads the resource at a `ui://` address of a change; null when there is none for this reader. */
  async function read(
    uri: string,
    reader: Reader,
  ): Promise<{ mimeType: string; text: string } | null> {
    const [, tool, id, form] = ADDRESS.exec(uri) ?? []
    if (id === undefined) return null
    const facts = previewFor(id, reader) ?? (await appliedFor(id, reader))
    return facts && facts.tool === tool ? renderFacts(facts, form, reader.access.base) : null
  }

  return { keep, basisOf, read }
}

function factsIn({ facts }: Row): Facts {
  // Written by `keep`, which takes nothing else.
  return JSON.parse(facts) as Facts
}

/** Reduces a preview to what the reader may know, who may have less access than the call that made it. */
function factsAsRead(facts: Facts, access: Access, store: ReadStore): Facts {
  if (facts.paths.every((path) => access.isOpenBelow(path))) return facts
  const { bytes: _bytes, more, ...rest } = facts
  const files = facts.files.flatMap((file) => fileAsRead(file, facts.paths, access))
  const isAll = files.length === facts.files.length && files.every((file) => isRead(file, access))
  // Counts include hidden files, unless the reader could count as many itself.
  if (isAll && (more === 0 || countFiles(facts.paths, store) >= files.length + more)) return facts
  return { ...rest, files, more: 0 }
}

function countFiles(paths: readonly StorePath[], store: ReadStore): number {
  return paths.reduce((sum, path) => sum + store.measure(path).files, 0)
}

/** A file that the call did not name is left out unless the reader may read it. */
function fileAsRead(file: PlacedDiff, named: readonly StorePath[], access: Access): PlacedDiff[] {
  if (isRead(file, access)) return [file]
  const { from, to } = file
  const isNamed = [from, to].every((path) => path === null || named.includes(path))
  return isNamed ? [{ from, to, binary: true, hunks: [] }] : []
}

function isRead({ from, to }: PlacedDiff, access: Access): boolean {
  return [from, to].every((path) => path === null || access.canRead(path))
}

const ADDRESS = /^ui:\/\/([A-Za-z_]+)\/([0-9a-f-]{36})(?:\.(diff|json))?$/

/** Returns the URIs of a change's resources. */
export function addressesOf(tool: string, id: string) {
  const review = `ui://${tool}/${id}`
  return { review, diff: `${review}.diff` }
}

/** Builds resource links for the person, which a host need not show to the model. */
export function linksOf(tool: string, id: string) {
  const { review, diff } = addressesOf(tool, id)
  const link = (uri: string, name: string, mimeType: string) => ({
    type: 'resource_link' as const,
    uri,
    name,
    mimeType,
    annotations: { audience: ['user' as const] },
  })
  return [link(review, 'review', APP_MIME), link(diff, 'diff', DIFF_MIME)]
}

/**
 * Identifies a plan: equal plans have equal digests, by action, path and content. A long plan is hashed, so
 * that it fits in a row.
 */
function digestOf(steps: readonly Step[]): string {
  const plain = steps.map((step) =>
    step.type === 'put' ? ['put', step.path, [...step.content.hash]] : Object.values(step),
  )
  const text = JSON.stringify(plain)
  if (text.length <= PLAIN_DIGEST_LENGTH) return text
  return createHash('sha256').update(text).digest('hex')
}

/** Longest plan, in characters, that is its own digest. */
const PLAIN_DIGEST_LENGTH = 1_000

/**
 * Changes as a person meets them: previews kept for a while, and what was applied, both as resources.
 *
 * A preview keeps a digest of its plan and what it was made against. Applying it plans anew and has
 * to come out the same, so no content is stored for something that may never happen. What was
 * applied is described from history, for as long as history has it.
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

/** What there is to say of a change, previewed or applied. */
export interface Facts {
  readonly tool: string
  readonly intent: string
  readonly applied: boolean
  readonly paths: readonly StorePath[]
  readonly files: readonly PlacedDiff[]
  /** Files that are not shown one by one. */
  readonly more: number
  /** Bytes of all files that are deleted or moved. */
  readonly bytes?: number
  /** Files of an applied change that cannot be compared: history has dropped their earlier state. */
  readonly forgotten?: number
  /** `paths` may lack some that the change touched: history no longer has all of them. */
  readonly incomplete?: true
  /** Files whose lines were left out, because all of them together are too large to be stored. */
  readonly left_out?: number
}

export interface NewPreview {
  readonly facts: Facts
  readonly steps: readonly Step[]
  readonly basis: number
  readonly owner: Owner
}

/** Whose preview it is: the session that may apply it, and the principal whose share it takes. */
export type Owner = Pick<Caller, 'session' | 'budget'>

interface Row extends Record<string, SqlStorageValue> {
  session: string | null
  budget: string
  digest: string
  basis: number
  facts: string
}

/** Who reads a change, and what they may see. */
export interface Reader {
  readonly access: Access
  readonly owner: Owner
  readonly store: ReadStore
}

export type Changes = ReturnType<typeof createChanges>

export function createChanges(sql: SqlStorage) {
  /** Keeps a preview for a while, and lets go of what was not read for longest. */
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

  /** Drops what a principal has not read for longest. */
  function dropOldest(budget: string, kept: number): void {
    sql.exec(
      `DELETE FROM previews WHERE id IN (
         SELECT id FROM previews WHERE budget = ? ORDER BY used DESC LIMIT -1 OFFSET ?)`,
      budget,
      kept,
    )
  }

  /** Where all previews together are too many, the principal with the most loses its oldest. */
  function dropOfLargest(): void {
    const largest = sql
      .exec<{ budget: string; count: number }>(
        'SELECT budget, count(*) AS count FROM previews GROUP BY budget ORDER BY count DESC LIMIT 1',
      )
      .toArray()[0]
    if (largest) dropOldest(largest.budget, largest.count - 1)
  }

  /** Uses are numbered, because many of them can fall into one millisecond. */
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

  /** The state that a preview was made against, if this plan is the one that it showed. */
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

  /** A preview for whose principal it is, and for the person; of other files nothing is shown. */
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

  /** What a `ui://` address of a change leads to; null when there is none, or not for this reader. */
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

/** A preview as far as the reader may know of it, who may be allowed less than the call that made it. */
function factsAsRead(facts: Facts, access: Access, store: ReadStore): Facts {
  if (facts.paths.every((path) => access.isOpenBelow(path))) return facts
  const { bytes: _bytes, more, ...rest } = facts
  const files = facts.files.flatMap((file) => fileAsRead(file, facts.paths, access))
  const isAll = files.length === facts.files.length && files.every((file) => isRead(file, access))
  // Numbers speak of hidden files too, unless the reader can count as many by itself.
  if (isAll && (more === 0 || countFiles(facts.paths, store) >= files.length + more)) return facts
  return { ...rest, files, more: 0 }
}

function countFiles(paths: readonly StorePath[], store: ReadStore): number {
  return paths.reduce((sum, path) => sum + store.measure(path).files, 0)
}

/** A file that the call did not name itself is there only for a reader who may read it. */
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

/** Where a change can be looked at. */
export function addressesOf(tool: string, id: string) {
  const review = `ui://${tool}/${id}`
  return { review, diff: `${review}.diff` }
}

/** Links for the person, which a host need not show to the model. */
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
 * Equal plans have equal digests: what they do, where, and with which content. A long plan is hashed,
 * so that it fits in a row.
 */
function digestOf(steps: readonly Step[]): string {
  const plain = steps.map((step) =>
    step.type === 'put' ? ['put', step.path, [...step.content.hash]] : Object.values(step),
  )
  const text = JSON.stringify(plain)
  if (text.length <= PLAIN_DIGEST_LENGTH) return text
  return createHash('sha256').update(text).digest('hex')
}

/** Characters of a digest that is the plan itself. */
const PLAIN_DIGEST_LENGTH = 1_000

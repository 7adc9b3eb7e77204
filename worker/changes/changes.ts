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
import { printUnified, type FileDiff } from '#core/diff/unified.ts'
import { ROOT, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { APP_MIME } from '#core/wire.ts'
import type { Area } from '../area.ts'
import { MAX_PREVIEWS } from '../limits.ts'
import type { Problem } from '../problem.ts'
import type { Step, Store } from '../store/store.ts'
import { describeApplied } from './describe.ts'
import { reviewPage } from './review.ts'
import { totalStats } from './describe.ts'

/** What there is to say of a change, previewed or applied. */
export interface Facts {
  readonly tool: string
  readonly intent: string
  readonly applied: boolean
  readonly paths: readonly StorePath[]
  readonly files: readonly FileDiff[]
  /** Files that are not shown one by one. */
  readonly more: number
  /** Files of an applied change that cannot be compared: history has dropped their earlier state. */
  readonly forgotten?: number
  /** `paths` may lack some that the change touched: history no longer has all of them. */
  readonly incomplete?: true
}

export interface NewPreview {
  readonly facts: Facts
  readonly steps: readonly Step[]
  readonly basis: number
  readonly session: string | null
}

interface Row extends Record<string, SqlStorageValue> {
  session: string | null
  digest: string
  basis: number
  facts: string
}

export type Changes = ReturnType<typeof createChanges>

const DIFF_MIME = 'text/x-diff'

export function createChanges(sql: SqlStorage, store: Store) {
  /** Keeps a preview for a while, and lets go of what was not read for longest. */
  function keep(preview: NewPreview, config: Config): { id: string; expires: number } {
    const id = crypto.randomUUID()
    const now = Date.now()
    const expires = now + (config.preview_ttl_seconds || 31_536_000) * 1000
    sql.exec(
      `INSERT INTO previews (id, session, digest, basis, facts, expires, used)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      preview.session,
      digestOf(preview.steps),
      preview.basis,
      JSON.stringify(preview.facts),
      expires,
      nextUse(),
    )
    const most = Math.min(config.preview_cache_size || MAX_PREVIEWS, MAX_PREVIEWS)
    sql.exec(
      `DELETE FROM previews WHERE expires <= ? OR id IN (
         SELECT id FROM previews ORDER BY used DESC LIMIT -1 OFFSET ?)`,
      now,
      most,
    )
    return { id, expires }
  }

  /** Uses are numbered, because many of them can fall into one millisecond. */
  function nextUse(): number {
    const row = sql.exec<{ last: number | null }>('SELECT max(used) AS last FROM previews').one()
    return (row.last ?? 0) + 1
  }

  function find(id: string): Row | null {
    const row = sql
      .exec<Row>(
        'SELECT session, digest, basis, facts FROM previews WHERE id = ? AND expires > ?',
        id,
        Date.now(),
      )
      .toArray()[0]
    return row ?? null
  }

  /** The state that a preview was made against, if this plan is the one that it showed. */
  function basisOf(
    id: string,
    steps: readonly Step[],
    session: string | null,
  ): Result<number, Problem> {
    const row = find(id)
    const same = row !== null && row.session === session && row.digest === digestOf(steps)
    return same ? ok(row.basis) : err({ reason: 'preview_stale', id })
  }

  async function factsOf(id: string): Promise<Facts | null> {
    const row = find(id)
    if (row) {
      sql.exec('UPDATE previews SET used = ? WHERE id = ?', nextUse(), id)
      // Written by `keep`, which takes nothing else.
      return JSON.parse(row.facts) as Facts
    }
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
    { shows, rules }: Pick<Area, 'shows' | 'rules'>,
  ): Promise<{ mimeType: string; text: string } | null> {
    const [, tool, id, form = 'html'] = ADDRESS.exec(uri) ?? []
    const facts = id === undefined ? null : await factsOf(id)
    if (!facts || facts.tool !== tool) return null
    // A path that history has dropped could be a hidden one.
    if (shows && (facts.incomplete || !facts.paths.every(shows))) return null
    if (form === 'diff')
      return {
        mimeType: DIFF_MIME,
        text: printUnified(facts.files.map(seenFrom(rules.read.defaultRoot))),
      }
    if (form === 'json') return { mimeType: 'application/json', text: JSON.stringify(facts) }
    return { mimeType: APP_MIME, text: reviewPage(reviewOf(facts)) }
  }

  return { keep, basisOf, factsOf, read }
}

/** Paths as tools speak of them: from the default root, where they lie in it. */
function seenFrom(root: StorePath) {
  const seen = (path: string | null) =>
    path !== null && root !== ROOT && path.startsWith(`${root}/`) ? path.slice(root.length) : path
  return (file: FileDiff): FileDiff => ({ ...file, from: seen(file.from), to: seen(file.to) })
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

function notesOf({ more, forgotten = 0, incomplete }: Facts): string[] {
  return [
    ...(incomplete ? ['History may no longer hold all files of this change'] : []),
    ...(more > 0 ? [`${more} more files are not shown one by one`] : []),
    ...(forgotten === 1
      ? ['1 file is not shown: history no longer has its earlier state']
      : forgotten > 1
        ? [`${forgotten} files are not shown: history no longer has their earlier state`]
        : []),
  ]
}

function reviewOf(facts: Facts) {
  const { tool, intent, applied, files } = facts
  return {
    tool,
    intent,
    applied,
    notes: notesOf(facts),
    files: files.map((file) => ({ ...file, stats: totalStats([file]) })),
  }
}

/** Equal plans have equal digests: what they do, where, and with which content. */
function digestOf(steps: readonly Step[]): string {
  const plain = steps.map((step) =>
    step.type === 'put' ? ['put', step.path, [...step.content.hash]] : Object.values(step),
  )
  return JSON.stringify(plain)
}

/**
 * The rows of `<webmcp-approvals>`: one for each tool with an approval that holds.
 *
 * What is stored is untrusted, because any script of this origin can write it.
 * `test/polyfill/approval/remembered.test.ts` covers it.
 *
 * @module
 */

import { listCurrent, readSensitiveLevel, type CurrentApproval } from '../approval-store.ts'
import type { VisitApprovals } from '../visit-approvals.ts'

/** Maximum number of rows; the number of the others is shown. */
export const MAX_ROWS = 500

/** A tool that runs without a question. */
export interface Row {
  /** The name, or `SITE` for the tools of the site. */
  readonly tool: string
  /** Milliseconds since the epoch; null if it is unknown. */
  readonly at: number | null
  /** The same; `page` until the page closes. */
  readonly until: number | null | 'page'
}

/** What the element shows. */
export interface Listed {
  readonly rows: readonly Row[]
  /** The number of tools beyond {@link MAX_ROWS}. */
  readonly more: number
  /** The storage could be read. */
  readonly isComplete: boolean
  /** The level that the user has set for sensitive tools; empty without one. */
  readonly sensitive: string
}

/** Lists the tools with an approval that holds, by name. An approval for days covers one for the visit. */
export async function listRows(visit: VisitApprovals): Promise<Listed> {
  let stored: readonly CurrentApproval[] = []
  let isComplete = true
  try {
    stored = await listCurrent()
  } catch {
    isComplete = false
  }
  const rows = new Map<string, Row>()
  for (const { tool, at } of visit.list()) rows.set(tool, { tool, at, until: 'page' })
  for (const one of stored) rows.set(one.tool, mergeRow(one, rows.get(one.tool)))
  const sorted = [...rows.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1))
  const more = Math.max(0, sorted.length - MAX_ROWS)
  const sensitive = (await readSensitiveLevel()) ?? ''
  return { rows: sorted.slice(0, MAX_ROWS), more, isComplete, sensitive }
}

/** Returns the approval that ends later. */
function mergeRow({ tool, at, until }: CurrentApproval, other?: Row): Row {
  const isLater = typeof other?.until === 'number' && other.until > until
  return isLater ? other : { tool, at: toTime(at), until: toTime(until) }
}

/** Returns a time that a `Date` can have; null for any other number. */
const toTime = (value: number): number | null =>
  Number.isNaN(new Date(value).getTime()) ? null : value

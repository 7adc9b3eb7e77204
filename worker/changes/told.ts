/**
 * The answer of a plan, with the change for the person beside it. Shown or applied, it is the same
 * answer, so a preview cannot promise what the call will not do.
 *
 * @module
 */

import { CHANGE_META } from '#core/wire.ts'
import { MAX_DIFF_LINES, MAX_LISTED_PATHS } from '../limits.ts'
import { answered, type Outcome } from '../outcome.ts'
import type { Plan } from '../tools/tool.ts'
import { addressesOf, linksOf, type Facts } from './changes.ts'
import { totalStats } from './describe.ts'

export interface Told {
  readonly id: string
  readonly basis: number
  /** Null while nothing was applied. */
  readonly version: number | null
  /** Milliseconds since 1970; null for as long as history lasts. */
  readonly expires: number | null
}

export function told(
  { answer }: Plan,
  facts: Facts,
  { id, basis, version, expires }: Told,
): Outcome {
  const { tool, intent, applied, paths, files, more } = facts
  const outcome = answered(answer)
  const change = {
    id,
    tool,
    ...listed(paths),
    basis,
    version,
    intent,
    applied,
    expires_at: expires === null ? null : new Date(expires).toISOString(),
    ...addressesOf(tool, id),
    ...differenceOf(files),
    stats: { ...totalStats(files), files: files.length + more },
  }
  return {
    ...outcome,
    content: [...outcome.content, ...linksOf(tool, id)],
    _meta: { ...(!applied && { preview: true }), [CHANGE_META]: change },
  }
}

/** The first paths, and how many more there are. The resources of the change have all of them. */
function listed(paths: Facts['paths']) {
  const left = paths.length - MAX_LISTED_PATHS
  return {
    paths: paths.slice(0, MAX_LISTED_PATHS),
    ...(left > 0 && { paths_left_out: left }),
  }
}

/** The hunks of each file, unless they are more than a result should carry. */
function differenceOf(files: Facts['files']) {
  const lines = files.reduce(
    (sum, { hunks }) => sum + hunks.reduce((all, h) => all + h.lines.length, 0),
    0,
  )
  return lines > MAX_DIFF_LINES
    ? { hunks: [], hunks_left_out: true }
    : { hunks: files.flatMap(placed) }
}

function placed({ from, to, hunks }: Facts['files'][number]) {
  return hunks.map((hunk) => ({ path: to ?? from, ...hunk }))
}

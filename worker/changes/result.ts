/**
 * The result of a change: the answer of its plan, and the change itself as data for the person. A preview and
 * an applied change have the same answer, so a preview cannot promise what the call will not do.
 *
 * @module
 */

import { CHANGE_META } from '#core/wire.ts'
import { MAX_DIFF_LINES, MAX_LISTED_PATHS, MAX_RESULT_HUNKS_LENGTH } from '../limits.ts'
import { answered, type Outcome } from '../outcome.ts'
import type { Plan } from '../tools/tool.ts'
import { addressesOf, linksOf, type Facts } from './changes.ts'
import { totalStats } from './describe.ts'

/** A change that was previewed or applied. */
export interface Made {
  /** The id of the preview or of the applied change. */
  readonly id: string
  /** The version of the workspace that the plan was made against. */
  readonly basis: number
  /** The version that the change has, or would have if it were applied now. */
  readonly version: number
  /** Milliseconds since 1970; null for an applied change, which lasts as long as history. */
  readonly expires: number | null
}

/**
 * Builds the result of a change. Hunks, review addresses and links are only for previews, which a host
 * requests, and for clients that show apps: other clients pass `_meta` and links to the model, or cannot read
 * them.
 */
export function resultOfChange(
  { answer }: Plan,
  facts: Facts,
  made: Made,
  showsApps: boolean,
): Outcome {
  const { tool, applied, files, more } = facts
  const { id, version } = made
  const outcome = answered({
    text: `${answer.text} (version ${version})`,
    structured: { ...answer.structured, version },
  })
  const stats = { ...totalStats(files), files: files.length + more }
  if (applied && !showsApps)
    return { ...outcome, _meta: { [CHANGE_META]: { id, version, applied, stats } } }
  return {
    ...outcome,
    content: [...outcome.content, ...linksOf(tool, id)],
    _meta: {
      ...(!applied && { preview: true }),
      [CHANGE_META]: { ...described(facts, made), stats },
    },
  }
}

function described(facts: Facts, { id, basis, version, expires }: Made) {
  const { tool, intent, applied, paths, files } = facts
  return {
    id,
    tool,
    ...listed(paths),
    basis,
    version: applied ? version : null,
    intent,
    applied,
    expires_at: expires === null ? null : new Date(expires).toISOString(),
    ...addressesOf(tool, id),
    ...differenceOf(files),
  }
}

/** The first paths, and the number of the others. The resources of the change have all of them. */
function listed(paths: Facts['paths']) {
  const left = paths.length - MAX_LISTED_PATHS
  return {
    paths: paths.slice(0, MAX_LISTED_PATHS),
    ...(left > 0 && { paths_left_out: left }),
  }
}

/** The hunks of each file, unless they are too large for a result. */
function differenceOf(files: Facts['files']) {
  const hunks = files.flatMap(placed)
  const left_out = { hunks: [], hunks_left_out: true }
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  if (lines > MAX_DIFF_LINES) return left_out
  return JSON.stringify(hunks).length > MAX_RESULT_HUNKS_LENGTH ? left_out : { hunks }
}

function placed({ from, to, hunks }: Facts['files'][number]) {
  return hunks.map((hunk) => ({ path: to ?? from, ...hunk }))
}

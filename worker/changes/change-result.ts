/**
 * The result of a change: the answer of its plan, and the change itself as data for the person. A preview and
 * an applied change have the same answer, so a preview cannot promise what the call will not do.
 *
 * @module
 */

import { CHANGE_META, DRAFT_META } from '#core/wire.ts'
import type { Draft } from '../access/draft.ts'
import { describeWaiting, draftReference } from '../tools/lib/draft-status.ts'
import type { Caller } from '../access/caller.ts'
import { bytesOf } from '../encoding/json-bytes.ts'
import { MAX_DIFF_LINES, MAX_LISTED_PATHS, MAX_RESULT_HUNKS_BYTES } from '../limits.ts'
import { succeeded, type Outcome } from '../tools/lib/tool-result.ts'
import type { Plan } from '../tools/lib/tool.ts'
import type { Facts } from './facts.ts'
import { addressesOf, linksOf } from './changes.ts'
import { totalStats } from './describe.ts'
import { fitPaths } from './fit-facts.ts'

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
  /** The draft in which it waits; null for a preview and for an applied change. */
  readonly draft: Draft | null
}

/**
 * Builds the result of a change. Its facts, review addresses and links are only for previews, which a host
 * requests, and for clients that show apps: other clients pass `_meta` and links to the model, or cannot read
 * them. `displayMessage` is the sentence for the person, as the mcp4h proposals name it. Without facts the result only
 * names the change.
 */
export function resultOfChange(
  { answer }: Pick<Plan, 'answer'>,
  facts: Facts | null,
  made: Made,
  { base }: Pick<Caller, 'base'>,
): Outcome {
  const { id, version, draft, expires } = made
  const waits = draft && describeWaiting(draft)
  const outcome = succeeded({
    text: `${answer.text} (version ${version})${waits ? `. ${waits}` : ''}`,
    structured: { ...answer.structured, version, ...(waits && { draft: waits }) },
  })
  const ofDraft = draft && { [DRAFT_META]: draftReference(draft, base) }
  if (!facts)
    return { ...outcome, _meta: { [CHANGE_META]: { id, version, applied: !draft }, ...ofDraft } }
  const content = [...outcome.content, ...linksOf(facts.tool, id)]
  const displayMessage = facts.intent
  const change = describeChange(facts, made)
  const room =
    MAX_RESULT_BYTES -
    bytesOf([content, outcome.structuredContent, change, displayMessage, ofDraft])
  return {
    ...outcome,
    content,
    _meta: {
      displayMessage,
      ...(expires !== null && { preview: true }),
      [CHANGE_META]: { ...change, ...differenceOf(facts.files, room) },
      ...ofDraft,
    },
  }
}

/** Bytes of JSON of a result, beside its names. */
const MAX_RESULT_BYTES = 38_000

/** Bytes of JSON of the paths of a change, beside those that its answer lists. */
const MAX_PATHS_BYTES = 9_000

function describeChange(facts: Facts, { id, basis, version, expires }: Made) {
  const { tool, intent, applied, paths, files, more } = facts
  return {
    id,
    tool,
    ...listPaths(paths),
    basis,
    version: expires === null ? version : null,
    intent,
    applied,
    expires_at: expires === null ? null : new Date(expires).toISOString(),
    ...addressesOf(tool, id),
    stats: { ...totalStats(files), files: files.length + more },
  }
}

/** The first paths, and the number of the others. The resources of the change have all of them. */
function listPaths(paths: Facts['paths']) {
  const first = fitPaths(paths.slice(0, MAX_LISTED_PATHS), MAX_PATHS_BYTES)
  const left = paths.length - first.length
  return { paths: first, ...(left > 0 && { paths_left_out: left }) }
}

/** The hunks of each file, unless they are too large for a result. */
function differenceOf(files: Facts['files'], room: number) {
  const hunks = files.flatMap(placeHunks)
  const left_out = { hunks: [], hunks_left_out: true }
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  if (lines > MAX_DIFF_LINES || files.some((file) => file.omitted)) return left_out
  return bytesOf(hunks) > Math.min(MAX_RESULT_HUNKS_BYTES, room) ? left_out : { hunks }
}

function placeHunks({ from, to, hunks }: Facts['files'][number]) {
  return hunks.map((hunk) => ({ path: to ?? from, ...hunk }))
}

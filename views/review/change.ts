/**
 * Parses a change from a tool result and from the change's own resource.
 *
 * A result contains hunks, but no moved, deleted or binary files, and no hunks at all when there
 * are too many: where {@link isWhole} is false, the resource has to be read as well.
 *
 * @module
 */

import { statsOf, type DiffStats, type Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { isRecord, isString, recordOf, type JsonRecord } from '#core/json.ts'
import { CHANGE_META, DRAFT_META } from '#core/wire.ts'
import { toList } from '../bridge/parse.ts'
import { parseFile, parseHunks } from '../diff/parse.ts'
import type { ToolResult } from '../bridge.ts'

/** A change to files, previewed or applied. */
export interface Change {
  readonly id: string
  readonly tool: string
  /** The rendered intent of the call. */
  readonly intent: string
  readonly applied: boolean
  /** Version of the workspace when the change was planned. */
  readonly basis: number
  /** Version of the workspace after the change was applied; null before. */
  readonly version: number | null
  /** Expiry of a preview, in milliseconds since the epoch; null if it does not expire. */
  readonly expires: number | null
  /** URI of its review page; `.diff` and `.json` are appended for other formats. */
  readonly review: string
  readonly files: readonly FileDiff[]
  /** Number of files that are not listed. */
  readonly more: number
  readonly stats: DiffStats & { readonly files: number }
  /** The draft in which it waits for approval, with the page on which a person decides; else null. */
  readonly draft: { readonly id: string; readonly url: string | null } | null
  /** The host lists the files itself and only shows them: no call of this view can apply or undo them. */
  readonly isListed: boolean
  /** The result had no room for the hunks. */
  readonly linesLeftOut: boolean
}

/** Parses the change in a result; null if there is none. */
export function parseChange({ _meta }: Pick<ToolResult, '_meta'>): Change | null {
  const change = _meta?.[CHANGE_META]
  if (!isRecord(change)) return null
  const { id, tool, intent, applied, review } = change
  if (!isString(id) || !isString(tool)) return null
  const whole = toList(change['files']).flatMap(parseFile)
  const files = whole.length > 0 ? whole : parseHunks(change['hunks'])
  const expires = Date.parse(toText(change['expires_at']))
  return {
    id,
    tool,
    intent: toText(intent),
    applied: applied === true,
    basis: toNumber(change['basis']) ?? 0,
    version: toNumber(change['version']),
    expires: Number.isNaN(expires) ? null : expires,
    review: toText(review),
    files,
    more: 0,
    stats: parseStats(recordOf(change['stats']), files),
    draft: parseDraft(_meta?.[DRAFT_META], id),
    isListed: whole.length > 0,
    linesLeftOut: change['hunks_left_out'] === true,
  }
}

function parseDraft(value: unknown, change: string): Change['draft'] {
  const { id, url } = recordOf(value)
  if (!isString(id)) return null
  return { id, url: isString(url) ? `${url}/${id}/${change}` : null }
}

/** Adds the files from the change's `.json` resource. */
export function addFiles(change: Change, json: string): Change {
  const resource = recordOf(parseJson(json))
  const files = toList(resource['files']).flatMap(parseFile)
  const more = toNumber(resource['more']) ?? 0
  return { ...change, files, more, linesLeftOut: false }
}

/** Reports whether the files are complete: listed, or each with hunks, and none created or emptied. */
export function isWhole({ files, stats, isListed, linesLeftOut }: Change): boolean {
  if (isListed) return true
  const isOneSided = ({ oldLines, newLines }: Hunk) => oldLines === 0 || newLines === 0
  return (
    !linesLeftOut && files.length === stats.files && !files.some((f) => f.hunks.some(isOneSided))
  )
}

/** What happened to a file. */
export type FileKind = 'new' | 'deleted' | 'moved' | 'changed'

/** Returns what happened to a file. */
export function classifyFile({ from, to }: FileDiff): FileKind {
  if (from === null) return 'new'
  if (to === null) return 'deleted'
  return from === to ? 'changed' : 'moved'
}

function parseStats(stats: JsonRecord, files: readonly FileDiff[]): Change['stats'] {
  const actual = statsOf(files.flatMap((file) => file.hunks))
  return {
    added: toNumber(stats['added']) ?? actual.added,
    removed: toNumber(stats['removed']) ?? actual.removed,
    hunks: toNumber(stats['hunks']) ?? actual.hunks,
    files: toNumber(stats['files']) ?? files.length,
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const toText = (value: unknown) => (isString(value) ? value : '')
const toNumber = (value: unknown) => (typeof value === 'number' ? value : null)

/**
 * Parses a change from a tool result and from the change's own resource.
 *
 * A result contains hunks, but no moved, deleted or binary files, and no hunks at all when there
 * are too many; {@link isWhole} tells whether the resource has to be read as well.
 *
 * @module
 */

import { statsOf, type DiffLine, type DiffStats, type Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { CHANGE_META } from '#core/wire.ts'
import { toList } from '../bridge/read.ts'
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
  /** The result had no room for the hunks. */
  readonly linesLeftOut: boolean
}

/** Parses the change in a result; null if there is none. */
export function changeOf({ _meta }: Pick<ToolResult, '_meta'>): Change | null {
  const change = _meta?.[CHANGE_META]
  if (!isRecord(change)) return null
  const { id, tool, intent, applied, review } = change
  if (!isText(id) || !isText(tool)) return null
  const files = filesOfHunks(toList(change['hunks']))
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
    stats: statsIn(recordOf(change['stats']), files),
    linesLeftOut: change['hunks_left_out'] === true,
  }
}

/** Adds the files from the change's `.json` resource. */
export function withFacts(change: Change, json: string): Change {
  const facts = recordOf(parsed(json))
  const files = toList(facts['files']).flatMap(fileOf)
  const more = toNumber(facts['more']) ?? 0
  return { ...change, files, more, linesLeftOut: false }
}

/** Reports whether the hunks are complete: every file has some, and none was created or emptied. */
export function isWhole({ files, stats, linesLeftOut }: Change): boolean {
  const begins = ({ oldLines, newLines }: Hunk) => oldLines === 0 || newLines === 0
  return !linesLeftOut && files.length === stats.files && !files.some((f) => f.hunks.some(begins))
}

/** What happened to a file. */
export type Fate = 'new' | 'deleted' | 'moved' | 'changed'

/** Returns what happened to a file. */
export function fateOf({ from, to }: FileDiff): Fate {
  if (from === null) return 'new'
  if (to === null) return 'deleted'
  return from === to ? 'changed' : 'moved'
}

function filesOfHunks(hunks: readonly unknown[]): FileDiff[] {
  const byPath = new Map<string, Hunk[]>()
  for (const value of hunks) {
    const path = toText(recordOf(value)['path'])
    const hunk = hunkOf(value)
    if (hunk) byPath.set(path, [...(byPath.get(path) ?? []), hunk])
  }
  return [...byPath].map(([path, own]) => ({ from: path, to: path, binary: false, hunks: own }))
}

function fileOf(value: unknown): FileDiff[] {
  const { from, to, binary, omitted, hunks } = recordOf(value)
  const paths = { from: isText(from) ? from : null, to: isText(to) ? to : null }
  if (paths.from === null && paths.to === null) return []
  const read = toList(hunks).flatMap((hunk) => hunkOf(hunk) ?? [])
  return [{ ...paths, binary: binary === true || omitted === true, hunks: read }]
}

function hunkOf(value: unknown): Hunk | null {
  const hunk = recordOf(value)
  const oldStart = toNumber(hunk['oldStart'])
  const oldLines = toNumber(hunk['oldLines'])
  const newStart = toNumber(hunk['newStart'])
  const newLines = toNumber(hunk['newLines'])
  if (oldStart === null || oldLines === null || newStart === null || newLines === null) return null
  return { oldStart, oldLines, newStart, newLines, lines: toList(hunk['lines']).flatMap(lineOf) }
}

function lineOf(value: unknown): DiffLine[] {
  const { kind, text, spans, noNewline } = recordOf(value)
  if ((kind !== 'context' && kind !== 'delete' && kind !== 'insert') || !isText(text)) return []
  return [
    {
      kind,
      text,
      ...(Array.isArray(spans) && { spans: spans.filter(isSpan) }),
      ...(noNewline === true && { noNewline }),
    },
  ]
}

function statsIn(stats: JsonRecord, files: readonly FileDiff[]): Change['stats'] {
  const counted = statsOf(files.flatMap((file) => file.hunks))
  return {
    added: toNumber(stats['added']) ?? counted.added,
    removed: toNumber(stats['removed']) ?? counted.removed,
    hunks: toNumber(stats['hunks']) ?? counted.hunks,
    files: toNumber(stats['files']) ?? files.length,
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const toText = (value: unknown) => (isText(value) ? value : '')
const toNumber = (value: unknown) => (typeof value === 'number' ? value : null)
const isSpan = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((at) => typeof at === 'number')

/**
 * Parses what a change does, for its page: from its resource, or from the result that made it where the resource cannot
 * be read. Neither has to be of this server. `test/host/console/change-review.test.tsx` has the cases.
 *
 * @module
 */

import { statsOf } from '#core/diff/hunks.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { parseFile } from '#views/diff/parse.ts'
import type { HeadOfFile } from '../drafts/file-facts.tsx'
import { textIn } from '../ui/storage.ts'

/** A file of a change. */
export interface FileOfChange {
  readonly head: HeadOfFile
  /** Its difference as it was received. */
  readonly json: JsonRecord
}

/** What a change does. */
export interface ChangeReview {
  readonly tool: string
  readonly intent: string
  readonly state: 'previewed' | 'applied' | 'waits' | 'comparison'
  readonly files: readonly FileOfChange[]
  /** Files that are not in `files`. */
  readonly more: number
  /** Bytes of all files that are deleted or moved. */
  readonly bytes: number
  readonly added: number
  readonly removed: number
  /** Sentences about what is not shown. */
  readonly notes: readonly string[]
}

/** Parses the resource of a change. */
export const parseReview = (json: string): ChangeReview => toReview(recordOf(JSON.parse(json)))

/** Makes the review from the member of a result that describes a change, whose hunks name their files. */
export function reviewOfResult(change: JsonRecord): ChangeReview {
  const byPath = Map.groupBy(listIn(change, 'hunks'), (hunk) => textIn(hunk, 'path') ?? '')
  const files = [...byPath].map(([path, hunks]) => ({ from: path, to: path, hunks }))
  const counted = recordOf(change['stats'])['files']
  const left = typeof counted === 'number' ? counted - files.length : 0
  return toReview({ ...change, files, more: Math.max(0, left) })
}

function toReview(facts: JsonRecord): ChangeReview {
  const files = listIn(facts, 'files').flatMap(toFile)
  const sum = (name: 'added' | 'removed') =>
    files.reduce((total, { head }) => total + (head[name] ?? 0), 0)
  return {
    tool: textIn(facts, 'tool') ?? '',
    intent: textIn(facts, 'intent') ?? '',
    state: stateOf(facts),
    files,
    more: numberIn(facts, 'more'),
    bytes: numberIn(facts, 'bytes'),
    added: sum('added'),
    removed: sum('removed'),
    notes: notesOf(facts),
  }
}

function stateOf({ comparison, waits, applied }: JsonRecord): ChangeReview['state'] {
  if (comparison === true) return 'comparison'
  if (isRecord(waits)) return 'waits'
  return applied === true ? 'applied' : 'previewed'
}

function toFile(value: unknown): FileOfChange[] {
  const json = recordOf(value)
  const [file] = parseFile(json)
  if (!file) return []
  const { from, to, binary, hunks } = file
  const leftOut = json['left_out']
  const lines = isRecord(leftOut)
    ? { added: numberIn(leftOut, 'added'), removed: numberIn(leftOut, 'removed') }
    : statsOf(hunks)
  const bytes = json['bytes']
  const size = typeof bytes === 'number' ? bytes : null
  const head: HeadOfFile = {
    path: to ?? from ?? '',
    type: 'file',
    change: from === null ? 'added' : to === null ? 'deleted' : 'changed',
    before: to === null ? size : null,
    after: to === null ? null : size,
    ...(from !== null && to !== null && from !== to && { from }),
    // Of a document its text is shown, and not its pictures.
    ...((binary || json['extracted'] === true) && { unseen: true }),
    ...(hunks.length > 0 || size === null || isRecord(leftOut) ? lines : {}),
    ...modesIn(json),
    risks: [],
  }
  return [{ head, json }]
}

/** Only a bit that changes is worth a word. */
function modesIn({ executable, to }: JsonRecord): Pick<HeadOfFile, 'executable'> {
  const { before, after } = recordOf(executable)
  if (typeof to !== 'string' || typeof before !== 'boolean' || typeof after !== 'boolean') return {}
  return before === after ? {} : { executable: { before, after } }
}

function notesOf(facts: JsonRecord): string[] {
  const { comparison, applied, incomplete, hunks_left_out } = facts
  const more = numberIn(facts, 'more')
  const forgotten = numberIn(facts, 'forgotten')
  return [
    ...(hunks_left_out === true ? ['The lines are too many to be shown.'] : []),
    ...(incomplete && comparison ? ['More files differ. Compare a folder to see them.'] : []),
    ...(incomplete && applied ? ['History may no longer have all files of this change.'] : []),
    ...(more > 0 ? [`Files that are not shown one by one: ${more}.`] : []),
    ...(forgotten > 0
      ? [`Files that are not shown, as history no longer has their earlier state: ${forgotten}.`]
      : []),
  ]
}

const numberIn = (record: JsonRecord, name: string) => {
  const value = record[name]
  return typeof value === 'number' ? value : 0
}

function listIn(record: JsonRecord, name: string): readonly unknown[] {
  const list = record[name]
  return Array.isArray(list) ? list : []
}

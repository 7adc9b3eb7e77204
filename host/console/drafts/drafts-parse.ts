/**
 * Drafts as the console has them, parsed from the responses of `GET /drafts` and the routes below it.
 *
 * Everything that an agent wrote in them is untrusted. `test/pages/console/waiting.test.ts` shows what comes of it.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { textIn } from '../ui/storage.ts'

/** A draft in the list of what waits. Times are in milliseconds since 1970. */
export interface DraftSummary {
  readonly id: string
  readonly actor: string
  readonly principal: string
  readonly session: string | null
  readonly label: string | null
  readonly client: string | null
  readonly opened: number
  /** When the newest change joined. */
  readonly touched: number
  readonly expires: number
  /** Number of changes. */
  readonly changes: number
  /** Whether the session has ended that made it. */
  readonly ended: boolean
}

/** All drafts, the one with the newest change first. */
export interface WaitingList {
  /** Number of changes of all drafts, access requests and apps. */
  readonly waiting: number
  /** Number of access requests. */
  readonly requests: number
  /** Number of apps. */
  readonly apps: number
  readonly drafts: readonly DraftSummary[]
}

/** A change of a draft. */
export interface ProposedChange {
  readonly id: string
  readonly tool: string
  readonly intent: string
  readonly at: number
  readonly level: 'review' | 'confirm'
  readonly paths: readonly string[]
  /** Changes and files with the same number depend on each other. */
  readonly group: number
  /** Names what the group does, on its last change; null on the others. */
  readonly digest: string | null
  /** Why it does not fit the workspace any more; null if it does. */
  readonly conflict: { readonly code: string; readonly message: string } | null
}

/** A file or folder that a draft changes; sizes in bytes, null where there is no file. */
export interface ChangedFile {
  readonly path: string
  readonly type: 'file' | 'folder'
  /** Whether its new content is not shown line by line. */
  readonly unseen: boolean
  readonly change: 'added' | 'changed' | 'deleted'
  readonly before: number | null
  readonly after: number | null
  readonly group: number
  /** Names its states before and after. */
  readonly digest: string
}

/** A draft as it was shown: the first changes and files, and how many follow. */
export interface DraftContents {
  readonly summary: DraftSummary
  /** Identifies what was shown; a decision names it. */
  readonly revision: string
  readonly changes: readonly ProposedChange[]
  readonly changesLeft: number
  readonly files: readonly ChangedFile[]
  readonly filesLeft: number
}

/** A further page of changes or files. */
export interface Page<T> {
  readonly revision: string
  readonly items: readonly T[]
  readonly left: number
}

/** Parses the list of what waits. */
export function parseWaiting(body: unknown): WaitingList {
  const drafts = listOf(recordOf(body)['drafts'], parseSummary)
  const count = (name: string) => countIn(body, name)
  return { waiting: count('waiting'), requests: count('requests'), apps: count('apps'), drafts }
}

/** Parses a draft with its first changes and files; null if there is none. */
export function parseDraft(body: unknown): DraftContents | null {
  const [summary] = parseSummary(body)
  const revision = textIn(body, 'revision')
  if (!summary || revision === null) return null
  const { changes, files } = recordOf(body)
  return {
    summary,
    revision,
    changes: listOf(changes, parseChange),
    changesLeft: countIn(body, 'changes_left_out'),
    files: listOf(files, parseFile),
    filesLeft: countIn(body, 'files_left_out'),
  }
}

/** Parses a page of changes or files, whose items are under `what`. */
export function parsePage<T>(
  body: unknown,
  what: 'changes' | 'files',
  parse: (value: unknown) => T[],
): Page<T> {
  const items = listOf(recordOf(body)[what], parse)
  // A page without items is the last one, whatever the response counts.
  const left = items.length === 0 ? 0 : countIn(body, 'left')
  return { revision: textIn(body, 'revision') ?? '', items, left }
}

const listOf = <T>(value: unknown, parse: (one: unknown) => T[]): T[] =>
  Array.isArray(value) ? value.flatMap(parse) : []

/** Returns a number of a response; 0 if it has none. */
export const countIn = (value: unknown, name: string): number => numberIn(value, name) ?? 0

function numberIn(value: unknown, name: string): number | null {
  const found = recordOf(value)[name]
  return typeof found === 'number' ? found : null
}

function parseSummary(value: unknown): DraftSummary[] {
  const id = textIn(value, 'id')
  if (id === null) return []
  const principal = textIn(value, 'principal') ?? 'unknown'
  return [
    {
      id,
      actor: textIn(value, 'actor') ?? principal,
      principal,
      session: textIn(value, 'session'),
      label: textIn(value, 'label'),
      client: textIn(value, 'client'),
      opened: countIn(value, 'opened'),
      touched: countIn(value, 'touched'),
      expires: countIn(value, 'expires'),
      changes: summarizedChanges(value),
      ended: recordOf(value)['ended'] === true,
    },
  ]
}

/** The number of changes; of a single draft the response lists the changes under the same name. */
function summarizedChanges(value: unknown): number {
  const { changes } = recordOf(value)
  if (!Array.isArray(changes)) return countIn(value, 'changes')
  return changes.length + countIn(value, 'changes_left_out')
}

/** Parses one change; nothing if it has no id. */
export function parseChange(value: unknown): ProposedChange[] {
  const id = textIn(value, 'id')
  if (id === null || !isRecord(value)) return []
  const { paths, conflict } = value
  const tool = textIn(value, 'tool') ?? ''
  return [
    {
      id,
      tool,
      intent: textIn(value, 'intent') ?? tool,
      at: countIn(value, 'at'),
      // What is unknown counts as the stricter level.
      level: value['level'] === 'review' ? 'review' : 'confirm',
      paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
      group: countIn(value, 'group'),
      digest: textIn(value, 'digest'),
      conflict: isRecord(conflict) ? parseConflict(conflict) : null,
    },
  ]
}

const parseConflict = (value: unknown) => ({
  code: textIn(value, 'code') ?? 'ERROR',
  message: textIn(value, 'message') ?? '',
})

const KINDS = ['added', 'changed', 'deleted'] as const

/** Parses one changed file; nothing if it has no path. */
export function parseFile(value: unknown): ChangedFile[] {
  const path = textIn(value, 'path')
  if (path === null || !isRecord(value)) return []
  const change = KINDS.find((kind) => kind === value['change']) ?? 'changed'
  const [before, after] = [numberIn(value, 'before'), numberIn(value, 'after')]
  const type = value['type'] === 'folder' ? 'folder' : 'file'
  const unseen = value['unseen'] === true
  const [group, digest] = [countIn(value, 'group'), textIn(value, 'digest') ?? '']
  return [{ path, type, unseen, change, before, after, group, digest }]
}

/** One change on its own: what it does after the earlier ones that it depends on, and what all of them do. */
export interface SingleChange {
  /** The ids of the earlier ones and its own, which can be approved together. */
  readonly changes: readonly string[]
  /** Names what all of them do. */
  readonly digest: string
  readonly own: FileList
  readonly together: FileList
  readonly conflict: ProposedChange['conflict']
}

/** The first files of a comparison, and the number of the others. */
export interface FileList {
  readonly files: readonly ChangedFile[]
  readonly left: number
}

/** Parses one change on its own; null if the response has none. */
export function parseSingleChange(body: unknown): SingleChange | null {
  const { changes, own, together, conflict } = recordOf(body)
  const digest = textIn(body, 'digest')
  if (digest === null || !Array.isArray(changes)) return null
  return {
    changes: changes.filter((id) => typeof id === 'string'),
    digest,
    own: parseFileList(own),
    together: parseFileList(together),
    conflict: isRecord(conflict) ? parseConflict(conflict) : null,
  }
}

const parseFileList = (value: unknown): FileList => ({
  files: listOf(recordOf(value)['files'], parseFile),
  left: countIn(value, 'files_left_out'),
})

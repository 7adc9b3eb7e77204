/**
 * Parsers of tool results and resources, one for each tool.
 *
 * @module
 */

import type { FileDiff } from '#core/diff/unified.ts'
import { recordOf } from '#core/json.ts'
import { parseFile, parseHunks } from '../diff/parse.ts'
import { createParser, type Parsed } from './json-parser.ts'

const ENTRY = { name: '', type: 'file', version: 0, modified: '', size: 0, mime: '' }

/**
 * Parses `list_folder`. `next` is the name at which the next page begins; empty on the last page.
 */
export const parsePage = createParser({ entries: [ENTRY], next: '' })

/** A file or folder of a listing. */
export type Entry = Parsed<typeof ENTRY>
/** One page of a folder listing. */
export type Page = ReturnType<typeof parsePage>

/** Parses `list_roots`. */
export const parseRoots = createParser({ roots: [{ path: '', default: false }] })

/** Parses `find_files`. Folders end in a slash. */
export const parseNames = createParser({ matches: [''], truncated: false, note: '' })

/** Parses `search_files`. A file has its matching lines, `N: text`, or only their number. */
export const parseMatches = createParser({
  files: [{ path: '', matches: [''], count: 0 }],
  total_files: 0,
  total_matches: 0,
  skipped: 0,
  hidden: 0,
})

/** The result of a content search. */
export type Matches = ReturnType<typeof parseMatches>

/** Parses `read_file`: numbered lines. */
export const parseLines = createParser({
  content: '',
  start_line: 1,
  count: 0,
  total: 0,
  version: 0,
})

/** A range of numbered lines of a file. */
export type LineRange = ReturnType<typeof parseLines>

/** A size of -1 marks a deleted file or a change to a whole folder. */
const HISTORY_ENTRY = {
  id: '',
  version: 0,
  at: '',
  tool: '',
  intent: '',
  actor: '',
  size: -1,
  waits: false,
}

/** Parses `file_history` and `list_changes`. */
export const parseHistory = createParser({ versions: [HISTORY_ENTRY], changes: [HISTORY_ENTRY] })

/** A change in the history of a file or folder. */
export type HistoryEntry = Parsed<typeof HISTORY_ENTRY>

/** The files of a change, and the number of those that are not listed. */
export interface ChangedFiles {
  readonly files: readonly FileDiff[]
  readonly more: number
}

/** Parses the resource of a change. */
export function parseChangedFiles(value: unknown): ChangedFiles {
  const { files } = recordOf(value)
  return { ...parseMore(value), files: Array.isArray(files) ? files.flatMap(parseFile) : [] }
}

const parseMore = createParser({ more: 0 })

const parseFacts = createParser({
  id: '',
  intent: '',
  stats: { added: 0, removed: 0, files: 0 },
})

/** A change, or the preview of one, with the files of which it has lines. */
export type Change = ReturnType<typeof parseChange>

/** Parses the change in the result of a changing tool. */
export const parseChange = (value: unknown) => ({
  ...parseFacts(value),
  files: parseHunks(recordOf(value)['hunks']),
})

/** Parses the content blocks of a result. */
export const parseBlocks = createParser([{ type: '', text: '', data: '', mimeType: '' }] as const)

/** Parses the structured error of a tool. */
export const parseToolError = createParser({ code: '', version: 0 })

/** Parses the result for which a host shows this view; the fields of all tools in one shape. */
export const parseInitialResult = createParser({
  root: '',
  pattern: '',
  total_matches: -1,
  matches: ['' as string],
  path: '',
  to: '',
  files: [{ path: '' }],
  start_line: 1,
})

/**
 * Parsers of tool results and resources, one shape per tool.
 *
 * @module
 */

import { shape, type Read } from './shape.ts'

const ENTRY = { name: '', type: 'file', version: 0, modified: '', size: 0, mime: '' }

/**
 * Parses `list_folder`. `next` is the name at which the next page begins; empty on the last page.
 */
export const readPage = shape({ entries: [ENTRY], next: '' })

/** A file or folder of a listing. */
export type Entry = Read<typeof ENTRY>
/** One page of a folder listing. */
export type Page = ReturnType<typeof readPage>

/** Parses the workspace roots. */
export const readRoots = shape({ roots: [{ path: '', default: false }] })

/** Parses `find_files`. Folders end in a slash. */
export const readFound = shape({ matches: [''], truncated: false })

/** Parses `search_files`. A file has its matching lines, `N: text`, or only their number. */
export const readMatches = shape({
  files: [{ path: '', matches: [''], count: 0 }],
  total_files: 0,
  total_matches: 0,
  skipped: 0,
})

/** The result of a content search. */
export type Matches = ReturnType<typeof readMatches>

/** Parses `read_file`: numbered lines. */
export const readPart = shape({ content: '', start_line: 1, count: 0, total: 0, version: 0 })

/** A range of lines of a file. */
export type Part = ReturnType<typeof readPart>

/** A size of -1 marks a deleted file or a change to a whole folder. */
const PAST = { id: '', version: 0, at: '', tool: '', intent: '', actor: '', size: -1 }

/** Parses `file_history` and `list_changes`. */
export const readHistory = shape({ versions: [PAST], changes: [PAST] })

/** An entry of the history. */
export type Past = Read<typeof PAST>

const HUNK = {
  path: '',
  oldStart: 0,
  newStart: 0,
  lines: [{ kind: 'context', text: '', spans: [[0, 0]] }],
} as const

/** A hunk of a diff. */
export type Hunk = Read<typeof HUNK>

/** Parses the resource of a change: the files before and after. An empty path means no file. */
export const readShown = shape({
  files: [{ from: '', to: '', binary: false, hunks: [HUNK] }],
  more: 0,
})

/** One file of a change. */
export type FileChange = ReturnType<typeof readShown>['files'][number]

/** Parses the change in the result of a changing tool. */
export const readChange = shape({
  id: '',
  intent: '',
  stats: { added: 0, removed: 0, files: 0 },
  hunks: [HUNK],
})

/** A change, or the preview of one. */
export type Change = ReturnType<typeof readChange>

/** Parses the content blocks of a result. */
export const readBlocks = shape([{ type: '', text: '', data: '', mimeType: '' }] as const)

/** Parses the structured error of a tool. */
export const readRefusal = shape({ code: '', version: 0 })

/** Parses the result for which a host shows this view; the fields of all tools in one shape. */
export const readArrival = shape({
  root: '',
  pattern: '',
  total_matches: -1,
  matches: ['' as string],
  path: '',
  to: '',
  files: [{ path: '' }],
  start_line: 1,
})

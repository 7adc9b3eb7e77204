/**
 * Answers: what the server's tools and resources say, each as the shape that is read of it.
 *
 * @module
 */

import { shape, type Read } from './shape.ts'

const ENTRY = { name: '', type: 'file', version: 0, modified: '', size: 0, mime: '' }

/** `list_folder`. `next` is the name after which the next page begins; empty for none. */
export const readPage = shape({ entries: [ENTRY], next: '' })

/** A file or a folder. */
export type Entry = Read<typeof ENTRY>
export type Page = ReturnType<typeof readPage>

export const readRoots = shape({ roots: [{ path: '', default: false }] })

/** `find_files`. Folders end in a slash. */
export const readFound = shape({ matches: [''], truncated: false })

/** `search_files`. A file has its matching lines, `N: text`, or only their number. */
export const readMatches = shape({
  files: [{ path: '', matches: [''], count: 0 }],
  total_files: 0,
  total_matches: 0,
  skipped: 0,
})

export type Matches = ReturnType<typeof readMatches>

/** `read_file`: numbered lines. */
export const readPart = shape({ content: '', start_line: 1, count: 0, total: 0, version: 0 })

export type Part = ReturnType<typeof readPart>

/** A size of -1 says that the file was gone, or that it was a whole folder. */
const PAST = { id: '', version: 0, at: '', tool: '', intent: '', actor: '', size: -1 }

/** `file_history` and `list_changes`. */
export const readHistory = shape({ versions: [PAST], changes: [PAST] })

/** A change as history tells of it. */
export type Past = Read<typeof PAST>

const HUNK = {
  path: '',
  oldStart: 0,
  newStart: 0,
  lines: [{ kind: 'context', text: '', spans: [[0, 0]] }],
} as const

export type Hunk = Read<typeof HUNK>

/** The resource of a change: what became of each file. A place that is empty is nowhere. */
export const readShown = shape({
  files: [{ from: '', to: '', binary: false, hunks: [HUNK] }],
  more: 0,
})

export type FileChange = ReturnType<typeof readShown>['files'][number]

/** What the result of a changing tool says of the change itself. */
export const readChange = shape({
  id: '',
  intent: '',
  stats: { added: 0, removed: 0, files: 0 },
  hunks: [HUNK],
})

export type Change = ReturnType<typeof readChange>

/** Blocks of a result, as far as they are looked at. */
export const readBlocks = shape([{ type: '', text: '', data: '', mimeType: '' }] as const)

export const readRefusal = shape({ code: '', version: 0 })

/** What a host may show this view for, all tools in one. */
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

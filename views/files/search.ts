/**
 * Search by name or by content, and the rows of the results.
 *
 * Input is debounced, and a response that arrives after the next query is dropped. Text is literal
 * unless the user selects regular expressions. `test/views/files/search.test.ts` has the table.
 *
 * @module
 */

import { ROOT, type StorePath } from '#core/path.ts'
import { pluralize } from '../safe-text.tsx'
import { errorMessage, resolveIn, type Client } from './client.ts'
import { cutToMatch, escapeRegExp, findMatches, type Span } from './match-highlights.ts'
import type { Matches } from './tool-results.ts'

/** A search. */
export interface Query {
  readonly text: string
  readonly mode: 'names' | 'contents'
  /** The text is a regular expression. For names, globs are recognised by their characters. */
  readonly pattern: boolean
}

/**
 * A row of results: a name, a file with its matching lines below, a line, or the button for more.
 */
export interface Result {
  readonly type: 'name' | 'folder' | 'file' | 'count' | 'line' | 'more'
  readonly path: StorePath
  /** The text of the row. */
  readonly text: string
  readonly marks: readonly Span[]
  /** The line number, or the number of matching lines. */
  readonly number: number
}

/** The results of a search. */
export interface Results {
  readonly rows: readonly Result[]
  readonly summary: string
  readonly leftOut: string
}

/** Milliseconds between the last input and the query. */
const PAUSE_MS = 200

type Searcher = Pick<Client, 'findFiles' | 'searchFiles'>

/** The state of the search and its actions. */
export class Search {
  readonly #client: Searcher
  readonly #onChange: () => void
  #timer = 0
  #pending = new AbortController()

  /** What is shown. */
  readonly state = {
    root: ROOT,
    query: { text: '', mode: 'names', pattern: false } as Query,
    phase: 'idle' as 'idle' | 'running' | 'done' | 'failed',
    rows: [] as readonly Result[],
    /** The number of results, or the message of an error. */
    summary: '',
    /** What was left out, or why nothing may have been found. */
    leftOut: '',
    active: 0,
  }

  /**
   * Creates the state without a query.
   *
   * @param onChange Called after every change of the state.
   */
  constructor(client: Searcher, onChange: () => void) {
    this.#client = client
    this.#onChange = onChange
  }

  /** Changes the query and runs it after a pause. */
  change(change: Partial<Query>, pause = PAUSE_MS): void {
    this.#cancel()
    const query = { ...this.state.query, ...change }
    if (!query.text) return this.#set({ query, phase: 'idle', rows: [], summary: '' })
    this.#timer = setTimeout(() => void this.#run(0), pause)
    this.#set({ query, phase: 'running' })
  }

  /** Loads the next page of names. */
  loadMore(): Promise<void> {
    return this.#run(this.state.rows.length - 1)
  }

  /** Loads the lines of a file for which only their number is known. */
  async expand(index: number): Promise<void> {
    const { rows, query } = this.state
    const { signal } = this.#pending
    const row = rows[index]
    if (!row) return
    const { files } = await this.#client.searchFiles(row.path, patternOf(query), signal)
    if (signal.aborted || this.state.rows !== rows) return
    const lines = lineRows(files[0]?.matches ?? [], row.path, query)
    this.#set({
      rows: [...rows.slice(0, index), { ...row, type: 'file' }, ...lines, ...rows.slice(index + 1)],
    })
  }

  /** Makes a row the active one. */
  moveTo(index: number): void {
    this.#set({ active: Math.max(0, Math.min(this.state.rows.length - 1, index)) })
  }

  /** Shows the results of a search that was run elsewhere, with its query. */
  show(query: Query, { rows, summary, leftOut }: Results): void {
    this.#cancel()
    this.#set({ query, rows, summary, leftOut, phase: 'done', active: 0 })
  }

  #set(next: Partial<typeof this.state>): void {
    Object.assign(this.state, next)
    this.#onChange()
  }

  #cancel(): void {
    clearTimeout(this.#timer)
    this.#pending.abort()
    this.#pending = new AbortController()
  }

  async #run(offset: number): Promise<void> {
    const { signal } = this.#pending
    const { mode } = this.state.query
    try {
      const page = await (mode === 'names' ? this.#findNames(offset, signal) : this.#find(signal))
      if (signal.aborted) return
      const active = offset || Math.min(0, page.rows.length - 1)
      const rows = [...this.state.rows.slice(0, offset), ...page.rows]
      this.#set({ ...page, rows, phase: 'done', active })
    } catch (error) {
      if (!signal.aborted) this.#set({ phase: 'failed', rows: [], summary: errorMessage(error) })
    }
  }

  async #findNames(offset: number, signal: AbortSignal) {
    const { root, query } = this.state
    const glob = toGlob(query.text)
    const { matches, truncated, note } = await this.#client.findFiles(root, glob, offset, signal)
    const rows = nameRows(matches, root, query)
    if (truncated) rows.push({ type: 'more', path: root, text: 'Show more', marks: [], number: 0 })
    const summary = pluralize(offset + matches.length, 'name') + (truncated ? ' so far' : '')
    return { rows, summary, leftOut: note }
  }

  async #find(signal: AbortSignal) {
    const { root, query } = this.state
    return resultsOf(await this.#client.searchFiles(root, patternOf(query), signal), root, query)
  }
}

const patternOf = ({ text, pattern }: Query) => (pattern ? text : escapeRegExp(text))

/** Returns the rows of a search by name. */
export function nameRows(matches: readonly string[], root: StorePath, query: Query): Result[] {
  return matches.map((match) => {
    const text = match.replace(/\/$/, '')
    const marks = findMatches(text, { ...query, pattern: false }).slice(-1)
    const type = match === text ? 'name' : 'folder'
    return { type, path: resolveIn(root, text), text, marks, number: 0 }
  })
}

/** Returns the rows of a search by content. */
export function matchRows({ files }: Matches, root: StorePath, query: Query): Result[] {
  return files.flatMap(({ path: text, matches, count }) => {
    const path = resolveIn(root, text)
    const lines = lineRows(matches, path, query)
    const type = matches.length > 0 ? 'file' : 'count'
    return [{ type, path, text, marks: [], number: count || lines.length }, ...lines]
  })
}

/** Returns the rows of matching lines: `N: text` is a match, `N- text` a context line. */
function lineRows(chunks: readonly string[], path: StorePath, query: Query): Result[] {
  const lines = chunks.flatMap((chunk) => chunk.split('\n'))
  return lines.flatMap((line) => {
    const [, number, full = ''] = /^(\d+): (.*)/.exec(line) ?? []
    if (number === undefined) return []
    const text = cutToMatch(full, query)
    const marks = findMatches(text, query)
    return [{ type: 'line', path, text, marks, number: Number(number) }]
  })
}

/**
 * Returns the glob of a name search. Plain text matches anywhere in a name; text with a glob
 * character is used as a glob, from the root if it has a slash.
 */
export function toGlob(text: string): string {
  const path = text.replace(/^\/+/, '')
  // A glob without a slash is meant for names in every folder, as in `*.md`.
  if (/[*?[\]{}]/.test(path)) return text.includes('/') ? path : `**/${path}`
  return `**/*${path.replaceAll('\\', '\\\\')}*`
}

/** Returns the results of a search by content. */
export function resultsOf(matches: Matches, root: StorePath, query: Query): Results {
  const rows = matchRows(matches, root, query)
  return { rows, summary: summarize(matches), leftOut: describeLeftOut(matches) }
}

/** Summarises the result of a search by content. */
export function summarize(matches: Matches): string {
  const { files, total_files, total_matches } = matches
  const more = total_files > files.length ? `; showing the ${files.length} with most lines` : ''
  const leftOut = describeLeftOut(matches)
  const found = `${pluralize(total_matches, 'line')} in ${pluralize(total_files, 'file')}${more}`
  return leftOut === '' ? found : `${found}; ${leftOut}`
}

/** Says which files were not searched; empty if all were. */
function describeLeftOut({ skipped, hidden }: Matches): string {
  const parts = [
    skipped > 0 && `${pluralize(skipped, 'file')} not searched: not text, or too large`,
    hidden > 0 && `${pluralize(hidden, 'hidden file')} not searched`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}

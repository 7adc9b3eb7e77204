/**
 * Search by name or by content, and the rows of the results.
 *
 * Input is debounced, and a response that arrives after the next query is dropped. Text is literal
 * unless the user selects regular expressions. `test/views/files-search.test.ts` has the table.
 *
 * @module
 */

import { ROOT, type StorePath } from '#core/path.ts'
import type { Matches } from './answers.ts'
import { counted } from './format.ts'
import { cutToMatch, literal, marksOf, type Span } from './marks.ts'
import { pathIn, wordsOf, type Server } from './server.ts'

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
  readonly shown: string
  readonly marks: readonly Span[]
  /** The line number, or the number of matching lines. */
  readonly number: number
}

/** The state of the search and its actions. */
export type Search = ReturnType<typeof createSearch>

/** Milliseconds between the last input and the query. */
const PAUSE = 200

/**
 * Creates the state of the search.
 *
 * @param changed Called after every change of the state.
 */
export function createSearch(server: Pick<Server, 'find' | 'search'>, changed: () => void) {
  const state = {
    root: ROOT,
    query: { text: '', mode: 'names', pattern: false } as Query,
    phase: 'idle' as 'idle' | 'asking' | 'done' | 'failed',
    rows: [] as readonly Result[],
    said: '',
    active: 0,
  }
  let timer = 0
  let asking = new AbortController()

  function stop(): void {
    clearTimeout(timer)
    asking.abort()
    asking = new AbortController()
  }

  function set(next: Partial<typeof state>): void {
    Object.assign(state, next)
    changed()
  }

  /** Changes the query and runs it after a pause. */
  function ask(change: Partial<Query>, pause = PAUSE): void {
    stop()
    const query = { ...state.query, ...change }
    if (query.text) timer = setTimeout(() => void run(0), pause)
    set(query.text ? { query, phase: 'asking' } : { query, phase: 'idle', rows: [], said: '' })
  }

  async function run(offset: number): Promise<void> {
    const { signal } = asking
    try {
      const answer = await (state.query.mode === 'names' ? names(offset, signal) : contents(signal))
      if (signal.aborted) return
      const active = offset || Math.min(0, answer.rows.length - 1)
      const rows = [...state.rows.slice(0, offset), ...answer.rows]
      set({ ...answer, rows, phase: 'done', active })
    } catch (error) {
      if (!signal.aborted) set({ phase: 'failed', rows: [], said: wordsOf(error) })
    }
  }

  async function names(offset: number, signal: AbortSignal) {
    const { root, query } = state
    const { matches, truncated } = await server.find(root, globOf(query.text), offset, signal)
    const rows = nameRows(matches, root, query)
    if (truncated) rows.push(rowOf('more', root, 'Show more'))
    const said = counted(offset + matches.length, 'name') + (truncated ? ' so far' : '')
    return { rows, said }
  }

  async function contents(signal: AbortSignal) {
    const { root, query } = state
    const pattern = query.pattern ? query.text : literal(query.text)
    const answer = await server.search(root, pattern, signal)
    return { rows: matchRows(answer, root, query), said: summaryOf(answer) }
  }

  /** Loads the lines of a file for which only their number is known. */
  async function expand(at: number): Promise<void> {
    const { rows, query } = state
    const { signal } = asking
    const row = rows[at]
    if (!row) return
    const pattern = query.pattern ? query.text : literal(query.text)
    const { files } = await server.search(row.path, pattern, signal)
    if (signal.aborted || state.rows !== rows) return
    const lines = lineRows(files[0]?.matches ?? [], row.path, query)
    set({ rows: [...rows.slice(0, at), { ...row, type: 'file' }, ...lines, ...rows.slice(at + 1)] })
  }

  return {
    state,
    ask,
    expand,
    more: () => run(state.rows.length - 1),
    move: (to: number) => set({ active: Math.max(0, Math.min(state.rows.length - 1, to)) }),
    /** Shows the results of a search that was run elsewhere, with its query. */
    show(query: Query, rows: readonly Result[], said: string): void {
      stop()
      set({ query, rows, said, phase: 'done', active: 0 })
    },
  }
}

function rowOf(
  type: Result['type'],
  path: StorePath,
  shown: string,
  marks: readonly Span[] = [],
  number = 0,
): Result {
  return { type, path, shown, marks, number }
}

/** Returns the rows of a search by name. */
export function nameRows(matches: readonly string[], top: StorePath, query: Query): Result[] {
  return matches.map((match) => {
    const shown = match.replace(/\/$/, '')
    const marks = marksOf(shown, { ...query, pattern: false }).slice(-1)
    return rowOf(match === shown ? 'name' : 'folder', pathIn(top, shown), shown, marks)
  })
}

/** Returns the rows of a search by content. */
export function matchRows({ files }: Matches, top: StorePath, query: Query): Result[] {
  return files.flatMap(({ path, matches, count }) => {
    const place = pathIn(top, path)
    const lines = lineRows(matches, place, query)
    const type = matches.length > 0 ? 'file' : 'count'
    return [rowOf(type, place, path, [], count || lines.length), ...lines]
  })
}

/** Returns the rows of matching lines: `N: text` is a match, `N- text` a context line. */
function lineRows(chunks: readonly string[], path: StorePath, query: Query): Result[] {
  const lines = chunks.flatMap((chunk) => chunk.split('\n'))
  return lines.flatMap((line) => {
    const [, number, text = ''] = /^(\d+): (.*)/.exec(line) ?? []
    if (number === undefined) return []
    const shown = cutToMatch(text, query)
    return [rowOf('line', path, shown, marksOf(shown, query), Number(number))]
  })
}

/**
 * Returns the glob of a name search. Plain text matches anywhere in a name; text with a glob
 * character is used as a glob.
 */
export function globOf(text: string): string {
  const path = text.replace(/^\/+/, '')
  return /[*?[\]{}]/.test(path) ? path : `**/*${path.replaceAll('\\', '\\\\')}*`
}

/** Summarises the result of a search by content. */
export function summaryOf({ files, total_files, total_matches, skipped }: Matches): string {
  const left = total_files > files.length ? `; the ${files.length} with most are shown` : ''
  const unread = skipped > 0 ? `; ${counted(skipped, 'file')} too large` : ''
  return `${counted(total_matches, 'line')} in ${counted(total_files, 'file')}${left}${unread}`
}

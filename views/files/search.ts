/**
 * Search: one field, two questions, by name or by content, and the rows that the answers make.
 *
 * What is typed waits a moment before it is asked, and an answer that comes after the next question
 * is not shown. Text is taken as it stands unless the person says that it is a pattern.
 * `test/views/files-search.test.ts` is the table.
 *
 * @module
 */

import { ROOT, type StorePath } from '#core/path.ts'
import type { Matches } from './answers.ts'
import { counted } from './format.ts'
import { cutToMatch, literal, marksOf, type Span } from './marks.ts'
import { pathIn, wordsOf, type Server } from './server.ts'

export interface Query {
  readonly text: string
  readonly mode: 'names' | 'contents'
  /** The text is a regular expression. For names, globs are known by their characters. */
  readonly pattern: boolean
}

/** A row of results: a name, a file with its matching lines below, such a line, or the way on. */
export interface Result {
  readonly type: 'name' | 'folder' | 'file' | 'count' | 'line' | 'more'
  readonly path: StorePath
  readonly shown: string
  readonly marks: readonly Span[]
  /** The number of the line, or of lines that match. */
  readonly number: number
}

export type Search = ReturnType<typeof createSearch>

/** Milliseconds after the last letter. */
const PAUSE = 200

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

  /** Asks something else, a moment later. */
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

  /** Shows the lines of a file of which there was only their number. */
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
    /** Shows what somebody else has found, as the answer to a question of theirs. */
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

export function nameRows(matches: readonly string[], top: StorePath, query: Query): Result[] {
  return matches.map((match) => {
    const shown = match.replace(/\/$/, '')
    const marks = marksOf(shown, { ...query, pattern: false }).slice(-1)
    return rowOf(match === shown ? 'name' : 'folder', pathIn(top, shown), shown, marks)
  })
}

export function matchRows({ files }: Matches, top: StorePath, query: Query): Result[] {
  return files.flatMap(({ path, matches, count }) => {
    const place = pathIn(top, path)
    const lines = lineRows(matches, place, query)
    const type = matches.length > 0 ? 'file' : 'count'
    return [rowOf(type, place, path, [], count || lines.length), ...lines]
  })
}

/** `N: text` is a match and `N- text` a line round it. */
function lineRows(chunks: readonly string[], path: StorePath, query: Query): Result[] {
  const lines = chunks.flatMap((chunk) => chunk.split('\n'))
  return lines.flatMap((line) => {
    const [, number, text = ''] = /^(\d+): (.*)/.exec(line) ?? []
    if (number === undefined) return []
    const shown = cutToMatch(text, query)
    return [rowOf('line', path, shown, marksOf(shown, query), Number(number))]
  })
}

/** Plain text is looked for anywhere in a name; what holds a sign of a glob is one. */
export function globOf(text: string): string {
  const path = text.replace(/^\/+/, '')
  return /[*?[\]{}]/.test(path) ? path : `**/*${path.replaceAll('\\', '\\\\')}*`
}

export function summaryOf({ files, total_files, total_matches, skipped }: Matches): string {
  const left = total_files > files.length ? `; the ${files.length} with most are shown` : ''
  const unread = skipped > 0 ? `; ${counted(skipped, 'file')} too large` : ''
  return `${counted(total_matches, 'line')} in ${counted(total_files, 'file')}${left}${unread}`
}

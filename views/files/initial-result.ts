/**
 * Shows the tool result for which the host opened this view; its shape reveals which tool it is
 * from.
 *
 * @module
 */

import { pluralize } from '../safe-text.tsx'
import { resolveIn } from './client.ts'
import type { Files } from './files.ts'
import { nameRows, resultsOf } from './search.ts'
import { parseInitialResult, parseMatches } from './tool-results.ts'

/** Shows the results of a search, or opens the file that a tool read or wrote. */
export async function showInitialResult(files: Files, structured: unknown): Promise<void> {
  const { search } = files
  const result = parseInitialResult(structured)
  const { pattern, matches, path, to, total_matches } = result
  const [first] = result.files
  const root = resolveIn(search.state.root, result.root)
  const text = pattern || '*'
  if (total_matches >= 0) {
    const found = parseMatches(structured)
    const query = { text, mode: 'contents', pattern: true } as const
    // A search in a single file reports its path relative to the default root.
    const base = first?.path === result.root ? search.state.root : root
    return search.show(query, resultsOf(found, base, query))
  }
  if (matches.length > 0) {
    const query = { text, mode: 'names', pattern: false } as const
    const rows = nameRows(matches, root, query)
    return search.show(query, { rows, summary: pluralize(matches.length, 'name'), leftOut: '' })
  }
  const file = to || path || first?.path
  if (!file) return
  files.showPane('detail')
  await files.openPath(resolveIn(search.state.root, file), result.start_line)
}

/**
 * Shows the tool result for which the host opened this view; its shape tells which tool it is from.
 *
 * @module
 */

import { readArrival, readMatches } from './answers.ts'
import type { Files } from './files.ts'
import { matchRows, nameRows, summaryOf } from './search.ts'
import { counted } from './format.ts'
import { pathIn } from './server.ts'

/** Shows the results of a search, or opens the file that a tool read or wrote. */
export async function arrive(files: Files, structured: unknown): Promise<void> {
  const { root, pattern, total_matches, matches, path, to, ...rest } = readArrival(structured)
  const top = pathIn(files.search.state.root, root)
  const text = pattern || '*'
  const [first] = rest.files
  if (total_matches >= 0) {
    const found = readMatches(structured)
    const query = { text, mode: 'contents', pattern: true } as const
    // A search in a single file reports its path relative to the default root.
    const place = first?.path === root ? files.search.state.root : top
    return files.search.show(query, matchRows(found, place, query), summaryOf(found))
  }
  if (matches.length > 0) {
    const query = { text, mode: 'names', pattern: false } as const
    return files.search.show(query, nameRows(matches, top, query), counted(matches.length, 'name'))
  }
  const opened = to || path || first?.path
  if (opened) await files.openPath(pathIn(files.search.state.root, opened), rest.start_line)
}

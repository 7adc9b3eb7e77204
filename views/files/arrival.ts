/**
 * Arrival: the tool result that a host shows this view for, told apart by its shape.
 *
 * @module
 */

import { readArrival, readMatches } from './answers.ts'
import type { Files } from './files.ts'
import { matchRows, nameRows, summaryOf } from './search.ts'
import { counted } from './format.ts'
import { pathIn } from './server.ts'

/** Shows what a tool found, or opens what it read or wrote. */
export async function arrive(files: Files, structured: unknown): Promise<void> {
  const { root, pattern, total_matches, matches, path, to, ...rest } = readArrival(structured)
  const top = pathIn(files.search.state.root, root)
  const text = pattern || '*'
  const [first] = rest.files
  if (total_matches >= 0) {
    const found = readMatches(structured)
    const query = { text, mode: 'contents', pattern: true } as const
    // A search in one file names the file from the default root.
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

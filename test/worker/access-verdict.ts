/**
 * What an answer may tell: nothing of a forbidden file, and nothing that depends on whether it exists.
 *
 * @module
 */

import { succeeded, type Answer } from './access-asker.ts'
import type { Can } from './access-callers.ts'
import type { Cell } from './access-routes.ts'
import { FILES, FOLDER_WORDS } from './access-tree.ts'

/** An answer without what differs between any two workspaces: ids, times, links, and numbers of requests. */
export function normalised(answer: unknown): string {
  return JSON.stringify(answer)
    .replaceAll(/"id":\d+/g, '"id":<number>')
    .replaceAll(/http:\/\/localhost\/[sw]\/[\w.-]+/g, '<address>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
}

/** What is forbidden to a caller and is in an answer all the same, unless the request named it. */
export function leaked(answer: unknown, asked: unknown, { read, write }: Can): string[] {
  const text = normalised(answer)
  const named = JSON.stringify(asked)
  const hidden = FILES.filter(({ path }) => !read(path))
  const folders = Object.entries(FOLDER_WORDS).filter(([path]) => !read(path) && !write(path))
  const words = [
    ...hidden.flatMap(({ word, size }) => [`canary-${word}`, `${word}.md`, String(size)]),
    ...folders.map(([, word]) => word),
  ]
  return words.filter((word) => text.includes(word) && !named.includes(word))
}

export const isForbidden = ({ needs }: Cell, can: Can) =>
  needs.some(([action, path]) => !can[action](path))

/** What is wrong with an answer, or null. `twin` is the answer where forbidden files do not exist. */
export function faultOf(
  cell: Cell,
  asked: unknown,
  [answer, twin]: readonly [Answer, Answer],
  can: Can,
): string | null {
  const done = succeeded(answer)
  const forbidden = isForbidden(cell, can)
  // A call for several files answers each of them with its code.
  if (forbidden && done && cell.route !== 'read_multiple_files')
    return 'succeeds without what it needs'
  if (!forbidden && !done && cell.mayFail !== true) return 'fails with all that it needs'
  const leaks = leaked(answer, asked, can)
  if (leaks.length > 0) return `tells of ${leaks.join(', ')}`
  const mayDepend = cell.depends === 'subtree' || (cell.depends === 'write-only' && !forbidden)
  return mayDepend || normalised(answer) === normalised(twin) ? null : 'depends on what is hidden'
}

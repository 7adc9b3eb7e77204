/**
 * Checks that a response reveals nothing of a forbidden file, and does not depend on whether it exists.
 *
 * @module
 */

import { succeeded, type Answer } from './access-client.ts'
import type { Can } from './access-callers.ts'
import type { Cell } from './access-routes.ts'
import { FILES, FOLDER_WORDS } from './access-tree.ts'
import { CHANGE_IDS } from './client.ts'

/** A response without the data that differs between any two workspaces: ids, times, links and request ids. */
export function normalise(answer: unknown): string {
  return JSON.stringify(answer)
    .replaceAll(/"id":\d+/g, '"id":<number>')
    .replaceAll(/http:\/\/localhost\/[sw]\/[\w.-]+/g, '<address>')
    .replaceAll(/at=\/w\/[\w-]+/g, 'at=<address>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(CHANGE_IDS, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
}

/** Lists forbidden words in a response, except those that the request named. */
export function findLeaks(answer: unknown, asked: unknown, { read, write }: Can): string[] {
  const text = normalise(answer)
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

/** Describes the problem of a response, or returns null. `twin` is the response where forbidden files do not exist. */
export function faultOf(
  cell: Cell,
  asked: unknown,
  [answer, twin]: readonly [Answer, Answer],
  can: Can,
): string | null {
  const done = succeeded(answer)
  const forbidden = isForbidden(cell, can)
  // A call for several files returns a code for each of them.
  if (forbidden && done && cell.route !== 'read_multiple_files')
    return 'succeeds without what it needs'
  if (!forbidden && !done && cell.mayFail !== true) return 'fails with all that it needs'
  const leaks = findLeaks(answer, asked, can)
  if (leaks.length > 0) return `tells of ${leaks.join(', ')}`
  const mayDepend = cell.depends === 'subtree' || (cell.depends === 'write-only' && !forbidden)
  return mayDepend || normalise(answer) === normalise(twin) ? null : 'depends on what is hidden'
}

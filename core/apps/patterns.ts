/**
 * The paths and patterns in `data` and `write` of `app.json`.
 *
 * `test/worker/apps/manifest.test.ts` has the table.
 *
 * @module
 */

import { parseGlob } from '../glob.ts'

/** Returns why a text is no pattern for files of the workspace; null if it is one. */
export function findPatternFault(text: string): string | null {
  if (text.split(/[/\\]/).includes('..')) return 'leaves the workspace'
  if (trimPattern(text) === '') return 'names no file'
  const glob = parseGlob(trimPattern(text))
  return glob.ok ? null : `is not a pattern: ${glob.error}`
}

/** Returns a pattern without the slashes at both ends. */
export const trimPattern = (text: string): string => text.replace(/^\/+|\/+$/g, '')

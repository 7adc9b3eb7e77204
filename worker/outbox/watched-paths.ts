/**
 * Watched paths: the files of which the webhook is notified when they change, from the variable `EDGEWISE_WEBHOOK_PATHS`.
 *
 * `test/worker/outbox/watched-paths.test.ts` has the cases.
 *
 * @module
 */

import { canMatchBelow, matches, MAX_GLOB_LENGTH, parseGlob, type Glob } from '#core/glob.ts'
import { relativeTo, ROOT, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Env } from '../env.ts'
import { MAX_WATCHED_PATTERNS } from './limits.ts'

/** A step of a change, as far as it says which paths it alters. */
export type AlteringStep =
  | { readonly type: 'put' | 'folder' | 'remove' | 'prune'; readonly path: StorePath }
  | { readonly type: 'move'; readonly from: StorePath; readonly to: StorePath }

/** Reads the patterns; empty without any. The error is a whole sentence that repeats no value. */
export function watchedPaths({
  EDGEWISE_WEBHOOK_PATHS: text,
}: Env): Result<readonly Glob[], string> {
  if (!text) return ok([])
  const parts = splitPatterns(text)
  if (parts.length > MAX_WATCHED_PATTERNS) return err(INVALID)
  const globs = parts.map((part) => (part === '' ? err('') : parseGlob(part)))
  return globs.every((glob) => glob.ok) ? ok(globs.map(({ value }) => value)) : err(INVALID)
}

const INVALID =
  'Cannot use EDGEWISE_WEBHOOK_PATHS: it is no list of patterns. Write at most ' +
  `${MAX_WATCHED_PATTERNS} of at most ${MAX_GLOB_LENGTH} characters, such as docs/**,*.md.`

/** Splits a list at its commas. One inside braces, or behind a backslash, belongs to a pattern. */
function splitPatterns(text: string): string[] {
  const patterns = ['']
  let depth = 0
  for (const [token] of text.matchAll(/\\.|./gsu)) {
    if (token === '{') depth++
    if (token === '}') depth = Math.max(0, depth - 1)
    if (token === ',' && depth === 0) patterns.push('')
    else patterns.push(`${patterns.pop()}${token}`)
  }
  return patterns.map((pattern) => pattern.trim())
}

/**
 * Whether steps may alter a file that one of the patterns matches. A folder that is deleted or moved is named alone, so for
 * what is below it the answer is yes if a pattern can match there.
 */
export const touchesWatched = (globs: readonly Glob[], steps: readonly AlteringStep[]): boolean =>
  steps.some((step) => globs.some((glob) => touches(glob, step)))

function touches(glob: Glob, step: AlteringStep): boolean {
  switch (step.type) {
    case 'put':
      return matches(glob, relativeTo(step.path, ROOT))
    case 'remove':
      return isMetBy(glob, step.path)
    case 'move':
      return isMetBy(glob, step.from) || isMetBy(glob, step.to)
    // A folder is no file.
    case 'folder':
    case 'prune':
      return false
  }
}

const isMetBy = (glob: Glob, path: StorePath) =>
  matches(glob, relativeTo(path, ROOT)) || canMatchBelow(glob, relativeTo(path, ROOT))

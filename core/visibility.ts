/**
 * Visibility: whether the model, the apps of the tool's server, or both may use a tool, from `_meta.ui`.
 *
 * The default is both. An invalid value grants nothing and leaves a warning; a single word instead of a
 * list, and `apps`, the word of the proposal's first draft, are accepted with a warning. After MCP Apps 2026-01-26, "Resource discovery and visibility";
 * `test/vectors/visibility.json` is the table of cases.
 *
 * @module
 */

import { isRecord, recordOf } from './json.ts'

/** Who may use a tool. */
export interface Visibility {
  /** Whether the model sees the tool in its list. */
  readonly model: boolean
  /** Whether a view of the same server may call it. A view of another server never may. */
  readonly app: boolean
  /** What is wrong with the declaration, for a log; null if it is valid. */
  readonly warning: string | null
}

const BOTH: Visibility = { model: true, app: true, warning: null }

/** Parses the visibility from a tool's untrusted `_meta`. */
export function visibilityOf(meta: unknown): Visibility {
  const { ui } = recordOf(meta)
  if (!isRecord(ui) || !Object.hasOwn(ui, 'visibility')) return BOTH
  const value = ui['visibility']
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const app = list.includes('app') || list.includes('apps')
  const isValid = Array.isArray(value) && list.length > 0 && list.every(isWord)
  const warning = isValid
    ? null
    : `visibility must list "model", "app" or both, not ${shown(value)}${app ? '; read as "app"' : ''}`
  return { model: list.includes('model'), app, warning }
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 100)

const isWord = (value: unknown) => value === 'model' || value === 'app'

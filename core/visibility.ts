/**
 * Visibility: who may use a tool, the model or the app that the tool's server shows, from `_meta.ui`.
 *
 * Both by default. A value that cannot be understood opens nothing and leaves a warning, except a
 * bare word where a list was meant. After MCP Apps 2026-01-26, "Resource discovery and visibility";
 * `test/vectors/visibility.json` is the table of cases.
 *
 * @module
 */

import { isRecord, recordOf } from './json.ts'

export interface Visibility {
  /** Whether the tool stands in the model's list. */
  readonly model: boolean
  /** Whether a view of the same server may call it. A view of another server never may. */
  readonly app: boolean
  /** What is wrong with the declaration, for a log; null when it is in order. */
  readonly warning: string | null
}

const BOTH: Visibility = { model: true, app: true, warning: null }

/** Reads a tool's `_meta`, as a stranger wrote it. */
export function visibilityOf(meta: unknown): Visibility {
  const { ui } = recordOf(meta)
  if (!isRecord(ui) || !Object.hasOwn(ui, 'visibility')) return BOTH
  const value = ui['visibility']
  const list: readonly unknown[] = Array.isArray(value) ? value : isWord(value) ? [value] : []
  const inOrder = Array.isArray(value) && value.length > 0 && value.every(isWord)
  const warning = inOrder
    ? null
    : `visibility must list "model", "app" or both, not ${shown(value)}`
  return { model: list.includes('model'), app: list.includes('app'), warning }
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 100)

const isWord = (value: unknown) => value === 'model' || value === 'app'

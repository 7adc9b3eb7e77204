/**
 * Appends the values of a form to a file: a row of CSV, an item of a JSON array, or a line of JSON.
 *
 * `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { FileText } from '../data/files.ts'
import { locateJson, memberOf, type JsonNode } from '../data/json-text.ts'
import { withoutBom } from '../data/rows.ts'
import { appendRow } from '../edits/csv-edit.ts'
import { findEdit } from '../edits/edit-call.ts'
import { appendItem } from '../edits/json-edit.ts'
import { csvValue, type FieldValue } from './values.ts'

/** The values of a form, by the names of its fields. */
export type FormValues = ReadonlyMap<string, FieldValue>

/** A call of a tool. */
export interface Call {
  readonly tool: string
  readonly args: JsonRecord
}

/** Returns the call that appends values; the reason if the file has no place for them. */
export function planAppend(
  path: string,
  file: FileText | null,
  values: FormValues,
): Result<Call, string> {
  const text = withoutBom(file?.text ?? '')
  const next = appendTo(path, text, values)
  if (!next.ok) return next
  const edit = findEdit(text, next.value)
  const if_version = file?.version ?? 0
  if (edit) return ok({ tool: 'edit_file', args: { path, edits: [edit], if_version } })
  return ok({ tool: 'write_file', args: { path, content: next.value, if_version } })
}

function appendTo(path: string, text: string, values: FormValues): Result<string, string> {
  if (/\.(?:csv|tsv)$/i.test(path)) {
    const cells = new Map([...values].map(([name, value]) => [name, csvValue(value)]))
    return appendRow(text, path, cells)
  }
  const record = Object.fromEntries(values)
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return ok(appendLine(text, JSON.stringify(record)))
  if (!/\.json$/i.test(path))
    return err(`Cannot add to ${path}: it is not a CSV, JSON or JSON Lines file`)
  if (text.trim() === '') return ok(`${JSON.stringify([record], null, 2)}\n`)
  const array = findArray(text)
  return array ? ok(appendItem(text, array, record)) : err(`Cannot add to ${path}: it has no list`)
}

function appendLine(text: string, line: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return text === '' || text.endsWith('\n') ? text + line + newline : text + newline + line
}

/** Returns the list of a JSON text: the value itself, or its `items`, `rows` or `data`. */
function findArray(text: string): JsonNode | null {
  const root = locateJson(text)
  if (!root || root.items) return root
  const record = recordOf(JSON.parse(text))
  const name = ['items', 'rows', 'data'].find((each) => Array.isArray(record[each]))
  return name === undefined ? null : memberOf(root, name)
}

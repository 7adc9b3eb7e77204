/**
 * Reads a tool's definition while it is registered, and replaces `execute` by its guarded version.
 *
 * `registerTool` receives a view whose members are read from the author's object when they are
 * accessed, and once each. The method's own Web IDL conversion therefore determines order,
 * coercions and errors; the two extension members of `annotations` are read at their place in that
 * order. `test/polyfill/approval/tool.test.ts` compares every read. Inherited members never lower the
 * approval level.
 *
 * @module
 */

import { parseIntent, type Template } from '#core/intent/template.ts'
import { bare, create, hasOwn, keys, read, stringify } from './builtins.ts'
import { isFunction, isObject, toDOMString } from '../idl.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { isApprovalLevel } from './approval-level.ts'
import { viewJSON, viewOf } from './views.ts'

/** A tool's `execute` or `preview`. */
export type Execute = (input: unknown, options?: ExecuteOptions) => unknown

/** Second argument of `execute`. */
export interface ExecuteOptions {
  readonly signal?: AbortSignal
  /** The result of `preview` that the user saw. */
  readonly preview?: unknown
}

/** The extension members of `annotations`, where the author gave them. */
export interface Members {
  humanInTheLoopHint?: ApprovalLevel
  intentTemplate?: string
}

/** The annotations of the specification. */
type Flag = 'consequentialHint' | 'debugging' | 'readOnlyHint' | 'untrustedContentHint'

/**
 * The definition of a tool, filled while its members are read. Approvals hold for it, so that nothing in
 * it belongs to the author: a schema that the browser has stored is its JSON text.
 */
export interface ToolRecord {
  name: string
  title: string
  description: string
  schema: unknown
  outputSchema?: unknown
  annotations: Members & Partial<Record<Flag, boolean>>
  intent: Template | null
  preview: Execute | null
  /** Other origins that may list the tool, as strings in a JSON array. */
  exposedTo?: string | undefined
}

/** Wraps an `execute` in the approval gate. */
export type Guard = (execute: Execute, record: ToolRecord) => Execute

/**
 * Creates the view for `registerTool` and the record that is filled while the view is read.
 *
 * @throws `TypeError` from the view, for an invalid `humanInTheLoopHint`, `intentTemplate` or
 *   `preview`.
 */
export function viewTool(tool: object, guard: Guard): { view: object; record: ToolRecord } {
  // A page can add getters to `Object.prototype`, which would receive the record.
  const record: ToolRecord = bare({
    name: '',
    title: '',
    description: '',
    schema: null,
    outputSchema: undefined,
    annotations: create(null),
    intent: null,
    preview: null,
    exposedTo: undefined,
  })
  const text = (key: 'description' | 'name' | 'title') => () => {
    const value = read(tool, key)
    return value === undefined ? value : (record[key] = toDOMString(value))
  }
  const view = viewOf({
    annotations: () =>
      viewAnnotations(read(tool, 'annotations'), record, hasOwn(tool, 'annotations')),
    description: text('description'),
    execute() {
      const execute = read(tool, 'execute')
      return isFunction(execute) ? guard(execute, record) : execute
    },
    inputSchema: () => viewJSON(read(tool, 'inputSchema'), (text) => (record.schema = text)),
    name: text('name'),
    outputSchema: () =>
      viewJSON(read(tool, 'outputSchema'), (text) => (record.outputSchema = text)),
    title() {
      record.preview = previewOf(read(tool, 'preview'))
      return text('title')()
    },
  })
  return { view, record }
}

function viewAnnotations(given: unknown, record: ToolRecord, isOwn: boolean): unknown {
  if (!isObject(given)) return given
  const { annotations } = record
  // All are kept, because an approval holds for these.
  const flag = (key: Flag) => () => (annotations[key] = !!read(given, key))
  const has = (key: string) => isOwn && hasOwn(given, key)
  return viewOf({
    consequentialHint: flag('consequentialHint'),
    debugging: flag('debugging'),
    readOnlyHint() {
      const hint = read(given, 'humanInTheLoopHint')
      const isOwnHint = has('humanInTheLoopHint')
      if (hint !== undefined && isOwnHint) annotations.humanInTheLoopHint = toApprovalLevel(hint)
      const template = read(given, 'intentTemplate')
      if (template !== undefined && has('intentTemplate'))
        record.intent = parseIntent((annotations.intentTemplate = toDOMString(template)))
      const readOnly = flag('readOnlyHint')()
      annotations.readOnlyHint =
        readOnly && has('readOnlyHint') && (hint === undefined || isOwnHint)
      return readOnly
    },
    untrustedContentHint: flag('untrustedContentHint'),
  })
}

/** Returns the extension members of a tool; null if the author gave none. */
export function membersOf({ annotations }: ToolRecord): Members | null {
  const { humanInTheLoopHint, intentTemplate } = annotations
  const members: Members = {
    ...(humanInTheLoopHint !== undefined && { humanInTheLoopHint }),
    ...(intentTemplate !== undefined && { intentTemplate }),
  }
  return keys(members).length > 0 ? members : null
}

function toApprovalLevel(value: unknown): ApprovalLevel {
  const word = toDOMString(value)
  if (isApprovalLevel(word)) return word
  throw new TypeError(`${stringify(word)} is not a humanInTheLoopHint`)
}

function previewOf(value: unknown): Execute | null {
  if (value === undefined || isFunction(value)) return value ?? null
  throw new TypeError('preview is not a function')
}

/**
 * Reading a tool as it is registered: our members, on the way to whoever registers it.
 *
 * The registering method gets a view of the tool whose members are read from the author's object at
 * the moment they are asked for, and once. So the method's own Web IDL conversion drives: order,
 * coercions and errors are its own, our two annotations are read at their place in that order, and
 * `execute` comes out guarded. `test/polyfill/annex-tool.test.ts` compares read by read. Of what an
 * object only inherits nothing counts that would lower what holds for the tool.
 *
 * @module
 */

import { parseIntent, type Template } from '#core/intent/template.ts'
import { bare, create, defineProperty, hasOwn, keys, read, stringify } from './builtins.ts'
import { isFunction, isObject, toDOMString } from '../idl.ts'
import { isPolicy, type Policy } from './policy.ts'

export type Execute = (input: unknown, options?: ExecuteOptions) => unknown

export interface ExecuteOptions {
  readonly signal?: AbortSignal
  /** What `preview` answered and the person saw. */
  readonly preview?: unknown
}

/** Our two members of `annotations`, where the author gave them. */
export interface Members {
  humanInTheLoopHint?: Policy
  intentTemplate?: string
}

/** A tool as far as it has been read. */
export interface ToolRecord {
  name: string
  title: string
  description: string
  schema: unknown
  annotations: Members & { readOnlyHint?: boolean; consequentialHint?: boolean }
  intent: Template | null
  preview: Execute | null
}

/** Puts a gate before an `execute`. */
export type Guard = (execute: Execute, record: ToolRecord) => Execute

/** The view of a tool for whoever registers it, and the record that fills while it is read. */
export function viewTool(tool: object, guard: Guard): { view: object; record: ToolRecord } {
  const record: ToolRecord = {
    name: '',
    title: '',
    description: '',
    schema: null,
    annotations: create(null),
    intent: null,
    preview: null,
  }
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
    inputSchema: () => (record.schema = read(tool, 'inputSchema')),
    name: text('name'),
    title() {
      record.preview = previewOf(read(tool, 'preview'))
      return text('title')()
    },
  })
  return { view, record }
}

function viewAnnotations(given: unknown, record: ToolRecord, isOwn: boolean): unknown {
  if (!isObject(given)) return given
  const flag = (key: string) => () => !!read(given, key)
  const has = (key: string) => isOwn && hasOwn(given, key)
  const { annotations } = record
  return viewOf({
    consequentialHint: () => (annotations.consequentialHint = flag('consequentialHint')()),
    debugging: flag('debugging'),
    readOnlyHint() {
      const hint = read(given, 'humanInTheLoopHint')
      const isSaid = has('humanInTheLoopHint')
      if (hint !== undefined && isSaid) annotations.humanInTheLoopHint = toPolicy(hint)
      const template = read(given, 'intentTemplate')
      if (template !== undefined && has('intentTemplate'))
        record.intent = parseIntent((annotations.intentTemplate = toDOMString(template)))
      const readOnly = flag('readOnlyHint')()
      annotations.readOnlyHint = readOnly && has('readOnlyHint') && (hint === undefined || isSaid)
      return readOnly
    },
    untrustedContentHint: flag('untrustedContentHint'),
  })
}

/** Our members alone, for who lists the tool; null when the author gave none. */
export function membersOf({ annotations }: ToolRecord): Members | null {
  const { humanInTheLoopHint, intentTemplate } = annotations
  const members: Members = {
    ...(humanInTheLoopHint !== undefined && { humanInTheLoopHint }),
    ...(intentTemplate !== undefined && { intentTemplate }),
  }
  return keys(members).length > 0 ? members : null
}

/** An object whose members are computed when they are first read. */
export function viewOf(members: Readonly<Record<string, () => unknown>>): object {
  const view = {}
  const names = keys(members)
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    let known: { value: unknown } | null = null
    const get = () => (known ??= { value: members[name]?.() }).value
    defineProperty(view, name, bare({ enumerable: true, get }))
  }
  return view
}

function toPolicy(value: unknown): Policy {
  const word = toDOMString(value)
  if (isPolicy(word)) return word
  throw new TypeError(`${stringify(word)} is no humanInTheLoopHint`)
}

function previewOf(value: unknown): Execute | null {
  if (value === undefined || isFunction(value)) return value ?? null
  throw new TypeError('preview is not a function')
}

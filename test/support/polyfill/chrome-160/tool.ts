/**
 * The interface `Tool` of Chrome 160: branded by a private table, frozen, and without members of
 * its own, so that a spread copies nothing and `structuredClone()` throws.
 *
 * @module
 */

import { refuse } from './idl.ts'

/** What the browser knows about a registered tool. */
export interface Entry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: string | undefined
  readonly outputSchema: string | undefined
  readonly annotations: object | undefined
  readonly exposedTo: readonly string[]
  readonly execute: (...args: unknown[]) => unknown
  readonly owner: Owner
}

/** The document of a tool. */
export interface Owner {
  readonly window: Window
  readonly origin: string
  readonly target: EventTarget
  readonly entries: Map<string, Entry>
}

const entries = new WeakMap<object, Entry>()
const values = new WeakMap<object, Record<string, unknown>>()

export class Tool {
  constructor() {
    refuse('Illegal constructor')
  }
}

const parse = (schema: string | undefined): unknown =>
  schema === undefined ? null : JSON.parse(schema)

const MEMBERS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'source',
  'origin',
  'annotations',
]
for (const name of MEMBERS) {
  const member = {
    get [name](): unknown {
      return (values.get(this) ?? refuse('Illegal invocation'))[name]
    },
  }
  const getter = Object.getOwnPropertyDescriptor(member, name)
  if (getter) Object.defineProperty(Tool.prototype, name, getter)
}
Object.defineProperty(Tool.prototype, Symbol.toStringTag, { value: 'Tool', configurable: true })

/** Makes the object that `getTools()` lists. */
export function list(entry: Entry): object {
  const tool: object = Reflect.construct(EventTarget, [], Tool)
  const { name, title, description, inputSchema, outputSchema, annotations, owner } = entry
  entries.set(tool, entry)
  values.set(tool, {
    name,
    title,
    description,
    inputSchema: parse(inputSchema),
    outputSchema: parse(outputSchema),
    source: owner.window,
    origin: owner.origin,
    annotations: annotations ? { ...annotations } : null,
  })
  return Object.freeze(tool)
}

/** Returns the entry of a listed tool, whatever tool has its name since. */
export const entryOf = (tool: unknown): Entry =>
  entries.get(Object(tool)) ?? refuse("parameter 1 is not of type 'Tool'")

/**
 * Wraps `registerTool`, `getTools` and `executeTool` of an existing context.
 *
 * The original methods still do the work. Each is wrapped where it is defined, normally on the
 * prototype, and can be restored. A frozen context keeps its methods, and an object that inherits
 * from it carries the wrappers. `test/pages/polyfill-annex.test.ts` runs this on Chromium's own
 * implementation.
 *
 * @module
 */

import { isFunction, isObject } from '../idl.ts'
import { apply, defineProperty, describe, hasOwn, isArray, read, stringify } from './builtins.ts'
import { takeDenial } from './denials.ts'
import { countCalls } from './frames.ts'
import { hubOf, openHub } from './hub.ts'
import { membersOf, viewOf, viewTool, type Guard, type ToolRecord } from './tool.ts'

type Undo = () => void
type Method = (this: unknown, ...args: readonly unknown[]) => Promise<unknown>

/**
 * Wraps the methods of a context. Every tool registered from then on is guarded.
 *
 * @returns A function that restores the methods.
 */
export function layOver(context: object, guard: Guard): Undo {
  const tools = new Map<string, ToolRecord>()
  const undos = [
    openHub({
      membersOf(name) {
        const tool = tools.get(name)
        return tool ? membersOf(tool) : null
      },
      takeDenial,
    }),
    ...wrap(context, {
      registerTool: (original) => registering(original, guard, tools),
      getTools: listing,
      executeTool: executing,
    }),
  ]
  return () => undos.toReversed().forEach((undo) => undo())
}

function registering(original: Method, guard: Guard, tools: Map<string, ToolRecord>) {
  return {
    registerTool(this: unknown, tool?: unknown, ...rest: unknown[]): Promise<unknown> {
      const options = rest[0]
      if (!isObject(tool)) return apply(original, this, [tool, options])
      const { view, record } = viewTool(tool, guard)
      let signal: unknown
      const given = isObject(options)
        ? viewOf({
            exposedTo: () => read(options, 'exposedTo'),
            signal: () => (signal = read(options, 'signal')),
          })
        : options
      const registered = apply(original, this, [view, given])
      // If the name is taken, this registration is about to fail and the existing tool keeps its
      // record.
      if (!tools.has(record.name)) void keep(record, signal, registered, tools)
      return registered
    },
  }
}

/**
 * Keeps the record from the start, because the tool is visible at once, until it is unregistered.
 */
async function keep(
  record: ToolRecord,
  signal: unknown,
  registered: Promise<unknown>,
  tools: Map<string, ToolRecord>,
): Promise<void> {
  const { name } = record
  const forget = () => void (tools.get(name) === record && tools.delete(name))
  tools.set(name, record)
  if (signal instanceof AbortSignal) signal.addEventListener('abort', forget, { once: true })
  try {
    await registered
  } catch {
    forget()
  }
}

function listing(original: Method) {
  return {
    async getTools(this: unknown, ...args: readonly unknown[]): Promise<unknown> {
      const tools = await apply(original, this, args)
      return isArray(tools) ? tools.map(withMembers) : tools
    },
  }
}

function withMembers(tool: unknown): unknown {
  const members = isObject(tool) && facts(tool)?.membersOf(nameOf(tool))
  if (!members) return tool
  const annotations = { ...Object(read(tool, 'annotations')), ...members }
  // Web IDL writes dictionary members in lexicographical order.
  return {
    ...tool,
    annotations: Object.fromEntries(
      Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}

function executing(original: Method) {
  return {
    async executeTool(this: unknown, tool?: unknown, ...rest: readonly unknown[]) {
      const coming = apply(original, this, [tool, ...rest])
      const name = isObject(tool) ? nameOf(tool) : ''
      try {
        countCalls(name, 1)
        return await coming
      } catch (error) {
        throw (isObject(tool) && denialOf(tool, rest[0])) || error
      } finally {
        countCalls(name, -1)
      }
    },
  }
}

function denialOf(tool: object, input: unknown = {}): DOMException | null {
  try {
    return facts(tool)?.takeDenial(nameOf(tool), stringify(input)) ?? null
  } catch {
    return null
  }
}

const facts = (tool: object) => hubOf(read(tool, 'window'))
const nameOf = (tool: object) => String(read(tool, 'name'))

// The wrappers are methods of object literals, because Web IDL operations are not constructors
// either.
type Makers = Readonly<Record<string, (original: Method) => object>>

/** Replaces methods where they are defined; returns the functions that restore them. */
function wrap(context: object, makers: Makers): Undo[] {
  const undos: Undo[] = []
  const held = place(context, 'registerTool')
  const front: object | null = held && !held.descriptor.configurable ? Object.create(context) : null
  for (const [key, make] of Object.entries(makers)) {
    const found = place(context, key)
    if (!found) continue
    const { holder, descriptor, method } = found
    const value: unknown = read(make(front ? method.bind(context) : method), key)
    undos.push(replace(front ?? holder, key, { ...descriptor, configurable: true, value }))
  }
  if (front) undos.push(replace(document, 'modelContext', { configurable: true, value: front }))
  return undos
}

function place(context: object, key: string) {
  let holder: object | null = context
  while (holder && !hasOwn(holder, key)) holder = Reflect.getPrototypeOf(holder)
  const descriptor = holder && describe(holder, key)
  const method: unknown = descriptor?.value
  return holder && descriptor && isFunction(method)
    ? { holder, descriptor, method: method as Method }
    : null
}

function replace(holder: object, key: string, descriptor: PropertyDescriptor): Undo {
  const before = describe(holder, key)
  if (!defineProperty(holder, key, descriptor))
    console.warn(`WebMCP: ${key} cannot be guarded here, because it is frozen`)
  return () => {
    if (before) defineProperty(holder, key, before)
    else Reflect.deleteProperty(holder, key)
  }
}

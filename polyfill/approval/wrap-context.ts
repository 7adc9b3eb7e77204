/**
 * Wraps `registerTool`, `getTools` and `executeTool` of an existing context.
 *
 * The original methods still do the work. Each is wrapped where it is defined, normally on the
 * prototype, and can be restored. A frozen context keeps its methods, and an object that inherits
 * from it carries the wrappers. `test/pages/polyfill/approval.slow.test.ts` runs this on Chromium's own
 * implementation.
 *
 * @module
 */

import { isFunction, isObject } from '../idl.ts'
import {
  apply,
  create,
  defineProperty,
  deleteProperty,
  describe,
  hasOwn,
  isArray,
  keys,
  parse,
  protect,
  read,
  settle,
  untilAborted,
} from './builtins.ts'
import { countCalls } from './abandoned-calls.ts'
import { addMembers, nameOf, sourceOf, wrapAnnotations } from './listed-tools.ts'
import { expectResponse } from './responses.ts'
import { findDirectory, publishDirectory, takeDenial } from './same-origin-tools.ts'
import { membersOf, viewTool, type Guard, type ToolRecord } from './tool.ts'
import { viewJSON, viewOf, viewStrings } from './views.ts'

type Undo = () => void

/** The registered tools by name, without a prototype, as a page can replace the methods of a `Map`. */
type Records = Record<string, ToolRecord>

/** Loads `cross-origin-tools.ts`, which has no part in approvals. */
export type FramesLoader = () => Promise<typeof import('./cross-origin-tools.ts')>
type Method = (this: unknown, ...args: readonly unknown[]) => Promise<unknown>

/**
 * Wraps the methods of a context. Every tool registered from then on is guarded.
 *
 * @param frames Loads what other origins need, when a tool is exposed to one or listed from one.
 * @returns A function that restores the methods.
 */
export function wrapContext(context: object, guard: Guard, frames: FramesLoader): Undo {
  const tools: Records = create(null)
  const exposed = () =>
    keys(tools).map((name) => [name, parse(tools[name]?.exposedTo ?? 'null')] as const)
  const undos = [
    publishDirectory({
      membersOf(name) {
        const tool = tools[name]
        return tool ? membersOf(tool) : null
      },
      takeDenial,
      expectResponse,
    }),
    wrapAnnotations(),
    ...wrap(context, {
      registerTool: (original) =>
        wrapRegisterTool(original, guard, tools, () =>
          frames().then(({ offerMembers }) => offerMembers(exposed), console.warn),
        ),
      getTools: (original) => wrapGetTools(original, frames),
      executeTool: wrapExecuteTool,
    }),
  ]
  return () => undos.toReversed().forEach((undo) => undo())
}

function wrapRegisterTool(original: Method, guard: Guard, tools: Records, offer: () => unknown) {
  return {
    registerTool(this: unknown, tool?: unknown, ...rest: unknown[]): Promise<unknown> {
      const options = rest[0]
      if (!isObject(tool)) return apply(original, this, [tool, options])
      const { view, record } = viewTool(tool, guard)
      let signal: unknown
      const viewed = isObject(options)
        ? viewOf({
            exposedTo: () =>
              viewStrings(read(options, 'exposedTo'), (text) => (record.exposedTo = text)),
            signal: () => (signal = read(options, 'signal')),
          })
        : options
      const registered = apply(original, this, [view, viewed])
      // If the name is taken, this registration is about to fail and the existing tool keeps its
      // record.
      if (!hasOwn(tools, record.name)) void keepRecord(record, signal, registered, tools)
      if (record.exposedTo) offer()
      return registered
    },
  }
}

/**
 * Keeps the record from the start, because the tool is visible at once, until it is unregistered.
 */
async function keepRecord(
  record: ToolRecord,
  signal: unknown,
  registered: Promise<unknown>,
  tools: Records,
): Promise<void> {
  const { name } = record
  const forget = () => void (tools[name] === record && deleteProperty(tools, name))
  tools[name] = record
  if (signal instanceof AbortSignal)
    // Scripts can dispatch the event without aborting.
    signal.addEventListener('abort', () => signal.aborted && forget())
  try {
    await registered
  } catch {
    forget()
  }
}

function wrapGetTools(original: Method, frames: FramesLoader) {
  return {
    getTools(this: unknown, ...[options]: readonly unknown[]): Promise<unknown> {
      let origins: unknown
      const given = isObject(options)
        ? viewOf({ fromOrigins: () => (origins = read(options, 'fromOrigins')) })
        : options
      const call = apply(original, this, [given])
      // Added before the caller sees the list, so that the promise stays the same and a refusal
      // arrives without delay. Only a call with origins can list tools of others.
      const addOwn = (tools: unknown) => {
        if (isArray(tools)) tools.forEach(addOwnMembers)
      }
      void settle<unknown>(call, addOwn, () => {})
      const isOwn = !isObject(origins) || (isArray(origins) && origins.length === 0)
      return isOwn ? call : withRemoteMembers(call, frames)
    },
  }
}

function addOwnMembers(tool: unknown): void {
  if (isObject(tool)) addMembers(tool, directoryOf(tool)?.membersOf(nameOf(tool)) ?? null)
}

/** Adds the members of tools in frames of other origins, which takes a message to each frame. */
async function withRemoteMembers(call: Promise<unknown>, frames: FramesLoader): Promise<unknown> {
  const tools = await call
  // If the module does not load, the list has no members of these tools.
  await frames().then(({ addRemoteMembers }) => addRemoteMembers(tools, addMembers), console.warn)
  return tools
}

function wrapExecuteTool(original: Method) {
  return {
    executeTool(this: unknown, tool?: unknown, ...rest: readonly unknown[]): Promise<unknown> {
      if (!isObject(tool)) return apply(original, this, [tool, ...rest])
      const seen: Seen = { input: null, signal: null }
      const given = [tool, viewInput(rest[0], seen), viewOptions(rest[1], seen)]
      const call = apply(original, this, given)
      // A refusal of the arguments is passed on as it is, because it has rejected already, and
      // every promise around it would reject later.
      return seen.input === null || isAborted(seen.signal)
        ? call
        : protect(explainFailure(call, tool, seen.input, seen.signal))
    },
  }
}

/** What the method has read of its arguments. */
interface Seen {
  /** The input as JSON; null until it was written, which is the last check of the arguments. */
  input: string | null
  signal: unknown
}

/** Notes the JSON of the input. An input that is left out is an empty object. */
function viewInput(input: unknown, seen: Seen): unknown {
  if (input !== undefined && !isObject(input)) return input
  return viewJSON(input ?? {}, (text) => (seen.input = text))
}

/** Notes the signal of the options. */
const viewOptions = (options: unknown, seen: Seen): unknown =>
  isObject(options) ? viewOf({ signal: () => (seen.signal = read(options, 'signal')) }) : options

const isAborted = (signal: unknown): boolean => signal instanceof AbortSignal && signal.aborted

/** Waits for a call. Replaces the error of a denied one, and finds a response that was given up. */
async function explainFailure(
  call: Promise<unknown>,
  tool: object,
  input: string,
  signal: unknown,
): Promise<unknown> {
  const name = nameOf(tool)
  const end = directoryOf(tool)?.expectResponse?.(name)
  countCalls(name, 1)
  try {
    const result = await call
    void end?.(null, false)
    return result
  } catch (error) {
    const response = end?.(error, isAborted(signal))
    if (!response) throw directoryOf(tool)?.takeDenial(name, input) ?? error
    return await (signal instanceof AbortSignal ? untilAborted(response, signal) : response)
  } finally {
    countCalls(name, -1)
  }
}

const directoryOf = (tool: object) => findDirectory(sourceOf(tool))

// The wrappers are methods of object literals, because Web IDL operations are not constructors
// either.
type Makers = Readonly<Record<string, (original: Method) => object>>

/** Replaces methods where they are defined; returns the functions that restore them. */
function wrap(context: object, makers: Makers): Undo[] {
  const undos: Undo[] = []
  const first = findMethod(context, 'registerTool')
  const front: object | null =
    first && !first.descriptor.configurable ? Object.create(context) : null
  for (const [key, make] of Object.entries(makers)) {
    const found = findMethod(context, key)
    if (!found) continue
    const { holder, descriptor, method } = found
    const value: unknown = read(make(front ? method.bind(context) : method), key)
    undos.push(replace(front ?? holder, key, { ...descriptor, configurable: true, value }))
  }
  if (front) undos.push(replace(document, 'modelContext', { configurable: true, value: front }))
  return undos
}

function findMethod(context: object, key: string) {
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
    console.warn(`WebMCP: ${key} is frozen, not guarded`)
  return () => {
    if (before) defineProperty(holder, key, before)
    else Reflect.deleteProperty(holder, key)
  }
}

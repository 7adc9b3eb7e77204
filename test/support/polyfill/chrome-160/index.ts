/**
 * A strict imitation of Chrome 160 as a judge of what lies over it, for the documents of one origin:
 * no forms, no frames of other origins. `frozen` gives the page a frozen context that is no event
 * target, as some browsers with an agent of their own do.
 *
 * Sources: https://developer.chrome.com/docs/ai/webmcp/updates and the draft.
 *
 * @module
 */

import * as idl from './idl.ts'
import { entryOf, type Entry, list, Tool, type Owner } from './tool.ts'

const KEY = Symbol.for('chrome-160')

class ModelContext extends EventTarget {
  constructor() {
    super()
    idl.refuse('Illegal constructor')
  }
}

const eventClass = (name: string) =>
  ({
    [name]: class extends Event {
      readonly toolName: string
      constructor(type: string, { toolName = '' } = {}) {
        super(type)
        this.toolName = toolName
      }
    },
  })[name] as new (type: string, init: { toolName: string }) => Event

const EVENTS = {
  toolactivated: eventClass('ToolActivatedEvent'),
  toolcancel: eventClass('ToolCancelEvent'),
}

const owner: Owner = {
  window,
  origin: location.origin,
  target: Reflect.construct(EventTarget, [], ModelContext),
  entries: new Map(),
}
Object.defineProperty(window, KEY, { value: owner })

const owners = (root = window.top ?? window): Owner[] => {
  const frames = Array.from({ length: root.length }, (_, at) => root[at])
  const own =
    root.origin === owner.origin ? ((Reflect.get(root, KEY) as Owner | undefined) ?? []) : []
  return [own, ...frames.map((frame) => (frame ? owners(frame) : []))].flat()
}

const later = (step: () => void) => setTimeout(step)

const changed = () =>
  owners().forEach(({ target }) => later(() => target.dispatchEvent(new Event('toolchange'))))

const HINTS = {
  consequentialHint: idl.flag,
  debugging: idl.flag,
  readOnlyHint: idl.flag,
  untrustedContentHint: idl.flag,
}
const toHints = (value: unknown) =>
  Object.fromEntries(
    Object.entries(idl.dictionary(value, HINTS)).map(([name, is]) => [name, is ?? false]),
  )

const methods = {
  async registerTool(tool: unknown, options?: unknown): Promise<void> {
    const given = idl.dictionary(
      tool,
      {
        annotations: toHints,
        description: idl.text,
        execute: idl.callback,
        inputSchema: idl.object,
        name: idl.text,
        outputSchema: idl.object,
        title: idl.usv,
      },
      ['description', 'execute', 'name'],
    )
    const { exposedTo, signal } = idl.dictionary(options, {
      exposedTo: idl.list,
      signal: idl.abortSignal,
    })
    const { name = '', description = '', title = '', execute = () => {} } = given
    if (owner.entries.has(name) || !/^[\w.-]{1,128}$/.test(name) || description === '')
      throw idl.fault('InvalidStateError', 'invalid tool')
    const entry: Entry = {
      name,
      title,
      description,
      inputSchema: given.inputSchema && idl.json(given.inputSchema),
      outputSchema: given.outputSchema && idl.json(given.outputSchema),
      annotations: given.annotations,
      exposedTo: (signal?.throwIfAborted(), idl.origins(exposedTo)),
      execute,
      owner,
    }
    await add(entry, signal)
  },
  async getTools(options?: unknown): Promise<object[]> {
    const { fromOrigins } = idl.dictionary(options, { fromOrigins: idl.list })
    idl.origins(fromOrigins)
    const found = owners().flatMap(({ entries }) => [...entries.values()])
    found.sort((a, b) => (a.name < b.name ? -1 : 1))
    return new Promise((resolve) => later(() => resolve(found.map(list))))
  },
  async executeTool(tool: unknown, input?: unknown, options?: unknown): Promise<string | null> {
    const entry = entryOf(tool)
    const given = input === undefined ? {} : idl.object(input)
    const { signal } = idl.dictionary(options, { signal: idl.abortSignal })
    const text = idl.json(given)
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      later(() => run(entry, text, signal).then(resolve, reject))
    })
  },
}

function add(entry: Entry, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => {
      if (!signal.aborted) return
      if (owner.entries.get(entry.name) === entry) owner.entries.delete(entry.name)
      changed()
      reject(signal.reason)
    })
    owner.entries.set(entry.name, entry)
    changed()
    later(() => later(resolve))
  })
}

async function run(entry: Entry, text: string, caller: AbortSignal | undefined) {
  const unknown = (words: string) => idl.fault('UnknownError', words)
  const { entries, target } = entry.owner
  if (entries.get(entry.name) !== entry) throw unknown('No such tool')
  const input: unknown = JSON.parse(text)
  if (Object(input) !== input) throw unknown('Failed to parse input arguments')
  const fire = (type: keyof typeof EVENTS) =>
    target.dispatchEvent(new EVENTS[type](type, { toolName: entry.name }))
  const controller = new AbortController()
  const { signal } = controller
  const cancel = () => {
    if (!caller?.aborted) return
    controller.abort()
    fire('toolcancel')
  }
  const end = new AbortController()
  caller?.addEventListener('abort', () => later(cancel), end)
  try {
    const begun = (async () => Reflect.apply(entry.execute, undefined, [input, { signal }]))()
    fire('toolactivated')
    const value: unknown = await begun
    return typeof value === 'string' ? value : `${JSON.stringify(value)}`
  } catch {
    throw unknown('The tool failed')
  } finally {
    end.abort()
  }
}

/** Gives the page the imitation. */
export function install(frozen: boolean): void {
  const context = owner.target
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(ModelContext.prototype, name, {
      configurable: true,
      enumerable: true,
      writable: true,
      value(this: unknown, ...args: never[]): unknown {
        return this === context
          ? Reflect.apply(value, undefined, args)
          : Promise.reject(new TypeError('Illegal invocation'))
      },
    })
  Object.defineProperty(ModelContext.prototype, Symbol.toStringTag, { value: 'ModelContext' })
  const names = { ModelContext, Tool, ToolActivatedEvent: EVENTS.toolactivated }
  for (const [name, value] of Object.entries({ ...names, ToolCancelEvent: EVENTS.toolcancel }))
    Object.defineProperty(window, name, { configurable: true, writable: true, value })
  const shown = frozen ? Object.freeze({ ...methods }) : context
  Object.defineProperty(Document.prototype, 'modelContext', {
    configurable: true,
    enumerable: true,
    get: () => shown,
  })
}

Object.assign(globalThis, { install160: install })

/**
 * One row of the tables that native WebMCP and the polyfill are both held to.
 *
 * A case acts on the page's own model context and answers plain data. `want` is what the polyfill
 * has to answer; `native` is set where Chromium's response differs, and SPEC.md tells
 * why. `test/pages/polyfill/core.slow.test.ts` runs every table three ways.
 *
 * @module
 */

import {
  modelContextOf,
  type ModelContext,
  type ModelContextTool,
  type RegisteredTool,
  type RegisterToolOptions,
  type Tool,
} from '../../../../polyfill/types.ts'

export interface Case {
  readonly run: (page: Page) => unknown
  readonly want: unknown
  readonly native?: unknown
}

/** What native Chromium 156 cannot be asked, as it brings the page down. */
export const CRASHES = Symbol('crashes')

export type Cases = Readonly<Record<string, Case>>

/** The page as a case sees it: its context, and tools that go when the case is over. */
export class Page {
  readonly #over = new AbortController()
  readonly context = contextOf(document)

  /** Registers a tool for the time of the case. */
  register(tool: object = {}, options: RegisterToolOptions = {}): Promise<void> {
    const registered = this.context.registerTool(complete(tool), {
      signal: this.#over.signal,
      ...options,
    })
    return registered
  }

  async listed(name = 'tool'): Promise<Tool> {
    const tool = (await this.context.getTools()).find((found) => found.name === name)
    if (!tool) throw new Error(`There is no tool ${name}`)
    return tool
  }

  /** Copies a tool member by member, as pages did with what was listed before Chrome 160. */
  async copied(name?: string): Promise<RegisteredTool> {
    const tool = await this.listed(name)
    const { title, description, origin, annotations, inputSchema } = tool
    return {
      name: tool.name,
      title,
      description,
      origin,
      window: windowOf(tool),
      ...(inputSchema && { inputSchema }),
      ...(annotations && { annotations }),
    }
  }

  async call(input?: object, name = 'tool'): Promise<string | null> {
    return this.context.executeTool(await this.listed(name), input)
  }

  end(): void {
    this.#over.abort()
  }
}

/** The window of a tool, in any browser. */
export const windowOf = (tool: Tool): Window => tool.source ?? tool.window

export function contextOf(owner: Document): ModelContext {
  const context = modelContextOf(owner)
  if (!context) throw new Error('There is no model context')
  return context
}

/** A valid tool with the given changes. */
const complete = (parts: object): ModelContextTool => ({
  name: 'tool',
  description: 'A tool',
  execute: () => 'done',
  ...parts,
})

/** How something fails, by name: of an exception, or of the reason itself. */
export async function failure(action: () => unknown): Promise<string> {
  try {
    await action()
    return 'nothing'
  } catch (error) {
    // Not by instanceof: it may come from a frame.
    const name: unknown = typeof error === 'object' && error && Reflect.get(error, 'name')
    return typeof name === 'string' ? name : String(error)
  }
}

/** Waits until tasks that were queued before have run. */
export const settled = (time = 60) => new Promise((resolve) => setTimeout(resolve, time))

/** Waits for an event, and not for long. */
export function event(target: EventTarget, type: string): Promise<string> {
  return new Promise((resolve) => {
    target.addEventListener(type, () => resolve('fired'), { once: true })
    setTimeout(resolve, 2000, 'nothing')
  })
}

/** Unknown arguments, as a page without types would pass them. */
export function untyped(context: ModelContext) {
  const call =
    (name: string) =>
    (...args: unknown[]): Promise<unknown> =>
      Reflect.apply(Reflect.get(context, name), context, args)
  return {
    registerTool: call('registerTool'),
    getTools: call('getTools'),
    executeTool: call('executeTool'),
  }
}

/** A proxy that writes down which members are read. */
export function spied<T extends object>(source: T, name: string, log: string[]): T {
  return new Proxy(source, {
    get(target, key, receiver): unknown {
      log.push(`${name}.${String(key)}`)
      return Reflect.get(target, key, receiver)
    },
  })
}

/**
 * `@edgewise/webmcp/react`: tools that exist for as long as the component that has them.
 *
 * Rendering registers nothing, because React may render without showing. A component that is removed and at once
 * shown again, as strict mode and hot reloading do, keeps its tools: a tool is released first and unregistered in a
 * microtask, unless it was claimed again. `test/polyfill/react.test.ts` covers it, with React.
 *
 * @module
 */

import { apply, type PageTool } from '@edgewise/webmcp'
import { useEffect, useState } from 'react'

/** Options of {@link useTool} and {@link useTools}. */
export interface UseToolOptions {
  /** Origins of other pages that may call the tools. */
  readonly exposedTo?: readonly string[] | undefined
  /**
   * Receives why a tool could not be registered, such as a name that another component uses; otherwise the
   * console does.
   */
  readonly onError?: ((error: unknown, name: string) => void) | undefined
}

/** A tool with arguments of any type. */
type AnyTool = PageTool<never>

/** A component with tools: what it rendered last. */
interface Owner {
  tools: readonly AnyTool[]
  onError: UseToolOptions['onError']
}

/** A registered tool. */
interface Registration {
  readonly name: string
  /** Everything that is declared, as JSON. */
  readonly definition: string
  readonly controller: AbortController
  /** Null while it is released. */
  owner: Owner | null
}

const registrations = new Map<string, Registration>()

/**
 * Registers a tool for as long as the component is shown.
 *
 * The tool needs no memo: `execute` and `preview` are always those of the last render, and it is registered again
 * only when what it declares has changed. {@link apply} is called without options, so call it with yours before the
 * first render.
 *
 * @param tool The tool; null registers none.
 * @example
 * ```tsx
 * const [count, setCount] = useState(0)
 * useTool({
 *   name: 'add',
 *   description: 'Adds to the counter.',
 *   inputSchema: { type: 'object', properties: { amount: { type: 'integer' } } },
 *   execute: ({ amount }: { amount: number }) => setCount(count + amount),
 * })
 * ```
 */
export function useTool<Input extends object>(
  tool: PageTool<Input> | null,
  options?: UseToolOptions,
): void {
  const tools: readonly PageTool<Input>[] = tool ? [tool] : []
  useTools<readonly Input[]>(tools, options)
}

/**
 * Registers several tools for as long as the component is shown. The list may change between two renders; otherwise
 * as {@link useTool}.
 */
export function useTools<Inputs extends readonly object[]>(
  tools: readonly [...{ [Key in keyof Inputs]: PageTool<Inputs[Key]> }],
  { exposedTo = [], onError }: UseToolOptions = {},
): void {
  const [owner] = useState<Owner>(() => ({ tools: [], onError }))
  const definitions = JSON.stringify(tools.map((tool) => describe(tool, exposedTo)))
  useEffect(() => {
    owner.tools = tools
    owner.onError = onError
  })
  useEffect(() => {
    apply()
    const parsed: readonly Definition[] = JSON.parse(definitions)
    const claimed = parsed.map((one) => claim(one, owner))
    return () => claimed.forEach(release)
  }, [definitions, owner])
}

/** What a tool declares, without its functions. */
interface Definition extends Omit<AnyTool, 'execute' | 'preview'> {
  readonly hasPreview: boolean
  readonly exposedTo: readonly string[]
}

function describe(tool: AnyTool, exposedTo: readonly string[]): Definition {
  const { execute: _, preview, ...declared } = tool
  return { ...declared, hasPreview: preview !== undefined, exposedTo }
}

/** Takes over a tool that was released and is the same, or registers it. */
function claim(declared: Definition, owner: Owner): Registration {
  const { name } = declared
  const definition = JSON.stringify(declared)
  const known = registrations.get(name)
  if (known?.owner === null && known.definition === definition) {
    known.owner = owner
    return known
  }
  if (known?.owner === null) known.controller.abort()
  const made: Registration = { name, definition, controller: new AbortController(), owner }
  if (!known?.owner) registrations.set(name, made)
  void register(made, declared)
  return made
}

/** Registers a tool; a failure is reported, unless the component has gone meanwhile. */
async function register(made: Registration, declared: Definition): Promise<void> {
  const { hasPreview, exposedTo, ...tool } = declared
  const { signal } = made.controller
  try {
    await document.modelContext.registerTool<never>(
      {
        ...tool,
        execute: (input, options) => current(made).execute(input, options),
        ...(hasPreview && { preview: (input, options) => current(made).preview?.(input, options) }),
      },
      { signal, exposedTo: [...exposedTo] },
    )
  } catch (error) {
    forget(made)
    if (!signal.aborted) (made.owner?.onError ?? reportError)(error, made.name)
  }
}

function reportError(error: unknown, name: string): void {
  console.error(`Cannot register the tool ${name}. Two components may use the name.`, error)
}

/** Returns the tool as it was rendered last. */
function current({ name, owner }: Registration): AnyTool {
  const tool = owner?.tools.find((one) => one.name === name)
  if (!tool) throw new Error(`${name} is not available any more`)
  return tool
}

function release(registration: Registration): void {
  registration.owner = null
  queueMicrotask(() => {
    if (registration.owner) return
    registration.controller.abort()
    forget(registration)
  })
}

function forget(registration: Registration): void {
  if (registrations.get(registration.name) === registration) registrations.delete(registration.name)
}

/**
 * Consumer functions for agents in the page: list tools, call a tool, observe the list.
 *
 * They work on any model context: native or polyfilled, frozen or not, and older Chromium, which
 * lists plain objects. Input is sent as text if the browser reports, before anything ran, that it
 * cannot read an object. `test/polyfill/consumer.test.ts` has the cases.
 *
 * @module
 */

import { type CallableTool, describe, type ToolDescription, toolOf } from './tool-description.ts'
import { type ModelContext, modelContextOf, type RegisteredTool, type Tool } from './types.ts'

/** Options of {@link list} and {@link watch}. */
export interface ListOptions {
  /** Origins of other frames whose tools are listed as well; none by default. */
  readonly fromOrigins?: readonly string[]
  /** Includes tools marked `debugging`, which are left out by default. */
  readonly debugging?: boolean
}

/** Options of {@link call}. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** Time limit in milliseconds; five minutes by default. */
  readonly timeout?: number
}

const TIMEOUT = 300_000

function context(): ModelContext {
  const found = modelContextOf(document)
  if (found) return found
  throw new DOMException('This page has no model context', 'NotSupportedError')
}

/**
 * Lists the tools that this page may call.
 *
 * @param options Further origins, and whether tools for debugging are included.
 * @returns The tools, sorted by name; a schema is always an object or absent.
 * @throws `NotSupportedError` if the page has no model context; otherwise as `getTools()`.
 * @example
 * ```ts
 * const tools = await list({ fromOrigins: ['https://shop.example'] })
 * ```
 */
export async function list(options: ListOptions = {}): Promise<ToolDescription[]> {
  const { fromOrigins = [], debugging = false } = options
  const tools = await context().getTools(
    fromOrigins.length > 0 ? { fromOrigins: [...fromOrigins] } : {},
  )
  return tools.map(describe).filter(({ annotations }) => debugging || !annotations?.debugging)
}

/**
 * Calls a tool and parses its result.
 *
 * @param tool A tool from {@link list} or `getTools()`.
 * @param input The arguments; `{}` by default.
 * @param options Signal and time limit.
 * @returns The parsed value if the result is JSON, else its text; null if the call navigated the
 *   page.
 * @throws `TimeoutError` after the time limit, `NotSupportedError` if the page has no model
 *   context; otherwise as `executeTool()`.
 * @example
 * ```ts
 * const [tool] = await list()
 * if (tool) console.log(await call(tool, { query: 'shoes' }, { timeout: 10_000 }))
 * ```
 */
export async function call(
  tool: CallableTool,
  input: object = {},
  { signal, timeout = TIMEOUT }: CallOptions = {},
): Promise<unknown> {
  const limit = AbortSignal.timeout(timeout)
  const either = signal ? AbortSignal.any([signal, limit]) : limit
  return readAnswer(await execute(toolOf(tool), input, either))
}

async function execute(tool: Tool | RegisteredTool, input: object, signal: AbortSignal) {
  try {
    return await context().executeTool(tool, input, { signal })
  } catch (error) {
    if (!wantsText(error)) throw error
    // Up to Chromium 155 input was text. A tool that exists runs at most once: see SPEC.md.
    const target = context()
    const older: unknown = Reflect.get(target, 'executeTool')
    return await (older as OlderExecute).call(target, tool, JSON.stringify(input), { signal })
  }
}

type OlderExecute = (
  tool: Tool | RegisteredTool,
  input: string,
  options: object,
) => Promise<string | null>

const wantsText = (error: unknown): boolean =>
  error instanceof DOMException && error.message.startsWith('Failed to parse input')

function readAnswer(text: string | null): unknown {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}

/**
 * Passes the tools to a callback, now and after each change.
 *
 * If changes overlap, only the latest list is passed on.
 *
 * @param then Receives the tools.
 * @param options As for {@link list}.
 * @returns A function that stops watching.
 * @throws `NotSupportedError` if the page has no model context.
 */
export function watch(
  then: (tools: ToolDescription[]) => void,
  options: ListOptions = {},
): () => void {
  const target: EventTarget | ModelContext = context()
  let turn = 0
  const look = async () => {
    const mine = ++turn
    const tools = await list(options)
    if (mine === turn) then(tools)
  }
  const change = () => void look()
  // Some hosts provide a context that is not an event target.
  if (target instanceof EventTarget) target.addEventListener('toolchange', change)
  change()
  return () => {
    turn = Infinity
    if (target instanceof EventTarget) target.removeEventListener('toolchange', change)
  }
}

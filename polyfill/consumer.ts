/**
 * For agents in the page: list tools, call one, watch them come and go.
 *
 * They work on any model context, native or ours, frozen or not, and speak to older Chromium as
 * well: schemas that come as text are read, and input is sent as text when the browser says, before
 * anything ran, that it cannot read an object. `test/polyfill/consumer.test.ts` has the cases.
 *
 * @module
 */

import { parseJSON } from './idl.ts'
import { type ModelContext, modelContextOf, type RegisteredTool } from './types.ts'

export interface ListOptions {
  readonly fromOrigins?: readonly string[]
  /** Tools for developers as well, which are left out otherwise. */
  readonly debugging?: boolean
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds until the call is given up; five minutes unless said otherwise. */
  readonly timeout?: number
}

const TIMEOUT = 300_000

function context(): ModelContext {
  const found = modelContextOf(document)
  if (found) return found
  throw new DOMException('This page has no model context', 'NotSupportedError')
}

/** The tools that this page may call. */
export async function list(options: ListOptions = {}): Promise<RegisteredTool[]> {
  const { fromOrigins = [], debugging = false } = options
  const tools = await context().getTools(
    fromOrigins.length > 0 ? { fromOrigins: [...fromOrigins] } : {},
  )
  return tools.map(readSchema).filter(({ annotations }) => debugging || !annotations?.debugging)
}

/** Until Chromium 152 a schema was text. */
function readSchema(tool: RegisteredTool): RegisteredTool {
  const schema: unknown = tool.inputSchema
  if (typeof schema !== 'string') return tool
  const { inputSchema: _, ...rest } = tool
  const inputSchema = parseJSON(schema)
  return inputSchema ? { ...rest, inputSchema } : rest
}

/**
 * Calls a tool and reads its answer: what its text says as JSON, else the text; null when the call
 * has navigated. Rejects as `executeTool()` does, or with a TimeoutError.
 */
export async function call(
  tool: RegisteredTool,
  input: object = {},
  { signal, timeout = TIMEOUT }: CallOptions = {},
): Promise<unknown> {
  const limit = AbortSignal.timeout(timeout)
  const either = signal ? AbortSignal.any([signal, limit]) : limit
  return readAnswer(await execute(tool, input, either))
}

async function execute(tool: RegisteredTool, input: object, signal: AbortSignal) {
  try {
    return await context().executeTool(tool, input, { signal })
  } catch (error) {
    if (!wantsText(error)) throw error
    // Until Chromium 155 input was text. A tool that exists runs at most once: see SPEC.md.
    const target = context()
    const older: unknown = Reflect.get(target, 'executeTool')
    return await (older as OlderExecute).call(target, tool, JSON.stringify(input), { signal })
  }
}

type OlderExecute = (tool: RegisteredTool, input: string, options: object) => Promise<string | null>

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

/** Hands over the tools now and after each change, the latest only. Answers what ends that. */
export function watch(
  then: (tools: RegisteredTool[]) => void,
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
  // Some hosts give a context that is no event target.
  if (target instanceof EventTarget) target.addEventListener('toolchange', change)
  change()
  return () => {
    turn = Infinity
    if (target instanceof EventTarget) target.removeEventListener('toolchange', change)
  }
}

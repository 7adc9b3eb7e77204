/**
 * Requests to frames of other origins: their tools, a call, the permission to use tools.
 *
 * Every response is untrusted: it is bounded, converted, and attributed to the origin that the
 * browser reports. The other end is `answers.ts`.
 *
 * @module
 */

import { parseJSON, toDictionary, toDOMString } from '../idl.ts'
import { toListing, toModelContextTool } from '../model-context/dictionaries.ts'
import type { Cancel, Done, ToolCall } from '../model-context/execution.ts'
import { connect, hear, type Line, PATIENCE, send, whenOver } from './handshake.ts'

/** Most tools that are taken from one frame. */
const MAX_TOOLS = 1000

/** Sends the one request of a channel; resolves to the first response, or undefined. */
async function ask(
  line: Line | null,
  request: object,
  patience = PATIENCE,
): Promise<object | undefined> {
  if (!line) return undefined
  const answer = await new Promise<object | undefined>((resolve) => {
    hear(line, resolve)
    whenOver(line, () => resolve(undefined))
    if (patience < Infinity) setTimeout(resolve, patience)
    if (!send(line, request)) resolve(undefined)
  })
  line.over.abort()
  return answer
}

/** Lists the tools of a frame as JSON, if its origin is one of `origins`. */
export async function listRemote(window: Window, origins: readonly string[]): Promise<string[]> {
  const line = await connect(window, origins)
  const answer: { tools?: unknown } = (await ask(line, { list: true })) ?? {}
  try {
    const tools = Array.isArray(answer.tools) ? answer.tools.slice(0, MAX_TOOLS) : []
    return tools.map((text) => relisted(text, line?.origin ?? ''))
  } catch {
    return []
  }
}

/** Converts a listing as if the tool were registered here, and sets its real origin. */
const relisted = (text: unknown, origin: string): string =>
  toListing(toModelContextTool({ ...parseJSON(toDOMString(text)), execute: relisted }), origin)

/**
 * Calls a tool in a frame of another origin.
 *
 * @param target The frame's window and the origin that it must have.
 * @param done Receives the result or the reason of the failure.
 * @returns A function that cancels the call.
 */
export function callRemote(
  { window, origin }: { window: Window; origin: string },
  { name, input }: ToolCall,
  done: Done,
): Cancel {
  const line = connect(window, [origin])
  void line
    .then((found) => ask(found, { name, input }, Infinity))
    .then((answer: { result?: unknown; failed?: unknown } = {}) => {
      const { result, failed = 'No answer' } = answer
      if (typeof result === 'string' || result === null) done(result)
      else done(null, String(failed))
    })
  // Any second message cancels the call.
  return () => void line.then((found) => found && send(found, {}))
}

/** Notifies a frame of a change, if its origin is one of `exposedTo`. */
export function changeRemote(window: Window, exposedTo: readonly string[]): void {
  void connect(window, exposedTo).then((line) => ask(line, { change: true }))
}

/** Asks the embedding page whether this frame may use tools. Without a response it may. */
export async function askEmbedder(): Promise<boolean> {
  const answer = await ask(await connect(window.parent), { policy: true })
  return toDictionary(answer)('allowed', Boolean) ?? true
}

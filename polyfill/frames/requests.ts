/**
 * What a document asks of frames of other origins: their tools, a call, whether it may.
 *
 * Every answer is read as a stranger's: bounded, converted, and taken for that of the origin that
 * the browser named. The other end is `answers.ts`.
 *
 * @module
 */

import { parseJSON, toDictionary, toDOMString } from '../idl.ts'
import { toListing, toModelContextTool } from '../model-context/dictionaries.ts'
import type { Cancel, Done, ToolCall } from '../model-context/execution.ts'
import { connect, hear, type Line, PATIENCE, send, whenOver } from './handshake.ts'

/** The most tools that are taken from one frame. */
const MAX_TOOLS = 1000

/** Sends the one request of a line, and answers the first message that comes back. */
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

/** The listings of a frame, when its origin is one of those asked for. */
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

/** Read as if it were registered here, and listed under the origin that it really has. */
const relisted = (text: unknown, origin: string): string =>
  toListing(toModelContextTool({ ...parseJSON(toDOMString(text)), execute: relisted }), origin)

/** A call into a frame of another origin, which has to be the expected one. */
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
  // A second message cancels.
  return () => void line.then((found) => found && send(found, {}))
}

/** Tells a frame of a change, when the tool is exposed to its origin. */
export function changeRemote(window: Window, exposedTo: readonly string[]): void {
  void connect(window, exposedTo).then((line) => ask(line, { change: true }))
}

/** Whether the embedding page lets this frame use tools. It may, where nobody answers. */
export async function askEmbedder(): Promise<boolean> {
  const answer = await ask(await connect(window.parent), { policy: true })
  return toDictionary(answer)('allowed', Boolean) ?? true
}

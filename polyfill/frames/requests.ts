/**
 * Requests to frames of other origins: their tools, a call, a notification, the permission to use
 * tools.
 *
 * Every response is untrusted: it is bounded, converted, and attributed to the origin that the
 * browser reports. The other end is `server.ts`.
 *
 * @module
 */

import { parseJSON, toDictionary, toUSVStrings } from '../idl.ts'
import { toListing, toModelContextTool } from '../model-context/dictionaries.ts'
import type { ToolDefinition } from '../model-context/context.ts'
import type { Cancel, Done, ToolCall } from '../model-context/execution.ts'
import { connect, receive, type Channel, MAX_WAIT_MS, send, onClose } from './channel.ts'
import { type Listing, peerOf, windowsOfTree } from './tree.ts'

/** Maximum number of tools taken from one frame. */
const MAX_TOOLS = 1000

/**
 * Sends the one request of a channel; resolves to the first response, or to an object without
 * members.
 *
 * @param timeout Milliseconds to wait; without a limit if 0.
 */
async function sendRequest(
  channel: Channel | undefined,
  request: object,
  timeout = MAX_WAIT_MS,
): Promise<Partial<Record<string, unknown>>> {
  if (!channel) return {}
  const answer = await new Promise<object | undefined>((resolve) => {
    const fail = () => resolve(undefined)
    receive(channel, resolve)
    onClose(channel, fail)
    if (timeout) setTimeout(fail, timeout)
    if (!send(channel, request)) fail()
  })
  channel.closing.abort()
  return { ...answer }
}

/** Lists the tools of a frame, if its origin is one of `origins`. */
export async function listRemote(window: Window, origins: readonly string[]): Promise<Listing[]> {
  const channel = await connect(window, origins)
  const { tools } = await sendRequest(channel, { list: true })
  try {
    const list: readonly unknown[] = Array.isArray(tools) ? tools.slice(0, MAX_TOOLS) : []
    return list.map((tool) => convertListing(toUSVStrings(tool), channel?.origin ?? ''))
  } catch {
    return []
  }
}

/** Converts a listing as if the tool were registered here, and sets its real origin. */
function convertListing([id = '', text = '']: readonly string[], origin: string): Listing {
  const given = Object.entries({ ...parseJSON(text), execute: convertListing })
  // Absent members are null in a listing, and absent when a tool is registered.
  const tool = Object.fromEntries(given.filter(([, value]) => value !== null))
  return [id, toListing(toModelContextTool(tool), origin)]
}

/**
 * Calls a tool in a frame of another origin.
 *
 * @param target The frame's window, and the origin that it must have.
 * @param done Receives the result or the reason of the failure.
 * @returns A function that cancels the call.
 */
export function callRemote(
  { source, origin }: { source: Window; origin: string },
  { id, name, input }: ToolCall,
  done: Done,
): Cancel {
  const channel = connect(source, [origin])
  void channel
    .then((found) => sendRequest(found, { id, name, input }, 0))
    .then(({ result, failed = 'No answer' }) => {
      if (typeof result === 'string' || result === null) done(result)
      else done(null, String(failed))
    })
  // Any second message cancels the call.
  return () => void channel.then((found) => found && send(found, {}))
}

/** Notifies a frame of a change, if its origin is one of `exposedTo`. */
function changeRemote(window: Window, exposedTo: readonly string[]): void {
  void connect(window, exposedTo).then((channel) => sendRequest(channel, { change: true }))
}

/** Asks the embedding page whether this frame may use tools. Without a response it may. */
export async function askEmbedder(): Promise<boolean> {
  const answer = await sendRequest(await connect(window.parent), { policy: true })
  return toDictionary(answer)('allowed', Boolean) ?? true
}

/**
 * Notifies every document of the tree that may see the tool.
 * https://webmachinelearning.github.io/webmcp/#notify-documents-of-a-tool-change
 */
export function notifyFrames({ exposedTo }: ToolDefinition): void {
  for (const window of windowsOfTree()) {
    const peer = peerOf(window)
    if (peer) peer.change()
    else if (peer === null && exposedTo.length > 0) changeRemote(window, exposedTo)
  }
}

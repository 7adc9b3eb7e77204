/**
 * `executeTool()`: the caller's side of a call.
 *
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-executetool, with its step numbers.
 *
 * @module
 */

import { exception } from '../exception.ts'
import { callRemote } from '../frames/requests.ts'
import { peerOf, windowsOfTree } from '../frames/tree.ts'
import { toJSON, toObject } from '../idl.ts'
import { type Brand, checkDocument, type Context } from './context.ts'
import { toExecuteOptions, toRegisteredTool } from './dictionaries.ts'
import { type Cancel, type Done, type ToolCall, UNKNOWN_TOOL } from './execution.ts'
import { originOf, OWN_ORIGIN } from './origin.ts'
import { queueTask } from './task.ts'
import type { ListedTool } from './tool.ts'

type Target = Pick<ListedTool, 'id' | 'name' | 'origin' | 'source'>

/**
 * Calls a tool, on behalf of the method of the interface.
 *
 * @param own Returns the context of `self`, or throws.
 * @returns The result as text, or null if the call navigated the target.
 */
export async function executeTool(
  own: Brand,
  self: unknown,
  tool: unknown,
  inputObject: unknown,
  options: unknown,
): Promise<string | null> {
  const context = own(self)
  const target = toTarget(context, tool)
  const { signal } = toExecuteOptions(options)
  // 2 and 3.
  const allowed = checkDocument(context)
  if (allowed) await allowed
  // 4 to 6. As in Chromium, a bad origin is found before a bad input.
  const caller = OWN_ORIGIN
  const origin = originOf(target.origin)
  if (!origin) throw exception('NotSupportedError', `"${target.origin}" is not a secure origin`)
  // 8 to 10.
  const input = inputObject === undefined ? '{}' : toJSON(toObject(inputObject))
  // 15.2.
  signal?.throwIfAborted()
  if (target.source.closed) throw exception('InvalidStateError', 'Document not active')
  const call = { id: target.id, name: target.name, input, caller }
  return createPromise(context, signal, (done) => start({ ...target, origin }, call, done))
}

/**
 * Converts the tool. It may be one that another window of this origin has listed. The draft takes
 * nothing else; the dictionaries of earlier browsers are accepted with a warning.
 */
function toTarget(context: Context, tool: unknown): Target {
  const own = context.readTool(tool)
  if (own) return own
  for (const window of windowsOfTree()) {
    const found = peerOf(window)?.readTool(tool)
    if (found) return found
  }
  context.warnOfCopies()
  return toRegisteredTool(tool)
}

/** Steps 11, 15.4 and 16.11: creates the promise, which an abort rejects immediately. */
function createPromise(
  { calling }: Context,
  signal: AbortSignal | undefined,
  begin: (done: Done) => Cancel,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      calling.delete(cancel)
      signal?.removeEventListener('abort', abort)
    }
    const abort = () => {
      // Scripts can dispatch the event without aborting.
      if (!signal?.aborted) return
      settle()
      reject(signal.reason)
      cancel()
    }
    const cancel = begin((result, failed, thrown) =>
      queueTask(() => {
        settle()
        if (failed) reject(exception('UnknownError', thrown ? `${failed}: ${thrown}` : failed))
        else resolve(result)
      }),
    )
    calling.add(cancel)
    signal?.addEventListener('abort', abort)
  })
}

/**
 * Steps 16.1 to 16.9 and 16.14: starts the call in the target's event loop, if the target exists.
 */
function start(target: Target, call: ToolCall, done: Done): Cancel {
  const peer = target.source.top === window.top && peerOf(target.source)
  if (peer && target.origin === call.caller) return peer.start(call, done)
  if (peer === null) return callRemote(target, call, done)
  done(null, UNKNOWN_TOOL)
  return () => undefined
}

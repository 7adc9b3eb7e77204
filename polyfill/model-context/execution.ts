/**
 * Execution of a call in the document that registered the tool: lookup, run, serialisation,
 * cancellation.
 *
 * Calls from this document, from frames of this origin and from other origins all use {@link
 * startTool}, with the arguments as JSON, so that no caller shares objects with a tool.
 *
 * @module
 */

import { isObject, parseJSON, toJSON } from '../idl.ts'
import { type Context, fireToolEvent, isExposed } from './context.ts'
import { queueTask } from './task.ts'

/**
 * The execute steps of a tool. They call `activated` when `toolactivated` may be fired, and return
 * the result or {@link NAVIGATED}.
 */
export type ExecuteSteps = (input: object, signal: AbortSignal, activated: () => void) => unknown

/**
 * The result of a tool that navigated its document. It is a registered symbol, because additions
 * may be loaded as separate scripts.
 */
export const NAVIGATED: unique symbol = Symbol.for('navigated')

/** A call on its way to the tool. */
export interface ToolCall {
  /** The id of the registration; undefined if the caller knows only the name. */
  readonly id: string | undefined
  readonly name: string
  /** The arguments as JSON. */
  readonly input: string
  /** The origin of the caller. */
  readonly caller: string
}

/**
 * Receives the outcome of a call: the result as text or null, or the reason of the failure, and the message of what the
 * tool has thrown, which only callers of its own origin may see.
 */
export type Done = (result: string | null, failed?: string, thrown?: string) => void

/** Cancels a call. */
export type Cancel = () => void

/** Message for a tool that does not exist or is not exposed to the caller. */
export const UNKNOWN_TOOL = 'No such tool'

/**
 * Starts a call in a task of its own.
 * https://webmachinelearning.github.io/webmcp/#tool-execute-steps
 *
 * @param done Called once, unless the call is cancelled first.
 */
export function startTool(context: Context, call: ToolCall, done: Done): Cancel {
  const { running } = context
  const controller = new AbortController()
  const finish: Done = (...end) => {
    if (running.delete(unload)) done(...end)
  }
  const unload = () => finish(null, 'Document not active')

  running.add(unload)
  queueTask(() => {
    if (running.has(unload)) run(context, call, controller.signal, finish)
  })
  // https://webmachinelearning.github.io/webmcp/#cancel-a-pending-tool-execution
  return () =>
    queueTask(() => {
      if (!running.delete(unload)) return
      controller.abort()
      fireToolEvent(context, 'toolcancel', call.name)
    })
}

/**
 * Runs a tool, imperative or a form.
 * https://webmachinelearning.github.io/webmcp/#imperative-execute-steps
 */
function run(
  context: Context,
  { id, name, input, caller }: ToolCall,
  signal: AbortSignal,
  finish: Done,
): void {
  const tool = context.tools.get(name)
  if (!tool || (id ?? tool.id) !== tool.id || !isExposed(tool, caller))
    return finish(null, UNKNOWN_TOOL)
  // 1 to 3. Consumers retry with text when they read this message, so nothing may have run before.
  const object = parseJSON(input)
  if (!object) return finish(null, 'Failed to parse input arguments')
  // 4 is left to the execute steps: Chromium fires the event after the callback was called.
  const activated = () => fireToolEvent(context, 'toolactivated', name)
  // 9 to 11.
  void new Promise((resolve) => resolve(tool.execute(object, signal, activated)))
    .then((value) => serialiseResult(value, context.results))
    .then(finish, (reason: unknown) => {
      const failed = `"${name}" failed`
      console.error(failed, reason)
      finish(null, failed, messageOf(reason))
    })
}

/** Returns the message of an error; empty for anything else, also for an object that fails when it is read. */
function messageOf(reason: unknown): string {
  try {
    return reason instanceof Error ? `${reason.message}`.slice(0, 1_000) : ''
  } catch {
    return ''
  }
}

/** Serialises a result. Chromium keeps strings as they are, and writes `undefined` as that word. */
function serialiseResult(value: unknown, results: Context['results']): string | null {
  if (value === NAVIGATED) return null
  if (results === 'spec') return toJSON(value)
  if (!isObject(value)) return `${value as string}`
  const text: string | undefined = JSON.stringify(value)
  return `${text}`
}

/**
 * A call where the tool lives: find it, run it, write its result down, and take it back when asked.
 *
 * Callers in this document, in frames of this origin and of others all come through
 * {@link startTool}, with the arguments as JSON, so nobody shares objects with a tool.
 *
 * @module
 */

import { isObject, parseJSON, toJSON } from '../idl.ts'
import { type Context, fireToolEvent, isExposed } from './context.ts'
import { queueTask } from './task.ts'

/**
 * What a tool does: runs, and calls `activated` when others may know. Answers its result, or
 * {@link NAVIGATED}.
 */
export type ExecuteSteps = (input: object, signal: AbortSignal, activated: () => void) => unknown

/** The result of a tool that has navigated its document. Additions may be loaded on their own. */
export const NAVIGATED: unique symbol = Symbol.for('navigated')

export interface ToolCall {
  readonly name: string
  readonly input: string
  /** The origin that calls. */
  readonly caller: string
}

/** Told how a call ended: with JSON or null, or why it failed. */
export type Done = (result: string | null, failed?: string) => void

/** Tells that the caller no longer waits. */
export type Cancel = () => void

export const UNKNOWN_TOOL = 'No such tool'

/** https://webmachinelearning.github.io/webmcp/#tool-execute-steps, from a task of their own */
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

/** https://webmachinelearning.github.io/webmcp/#imperative-execute-steps, and those of a form */
function run(
  context: Context,
  { name, input, caller }: ToolCall,
  signal: AbortSignal,
  finish: Done,
): void {
  const tool = context.tools.get(name)
  if (!tool || !isExposed(tool, caller)) return finish(null, UNKNOWN_TOOL)
  // 1 to 3. Consumers try again with a string when they read these words, so nothing has run yet.
  const object = parseJSON(input)
  if (!object) return finish(null, 'Failed to parse input arguments')
  // 4 is done by the steps: Chromium fires the event when the callback has been called.
  const activated = () => fireToolEvent(context, 'toolactivated', name)
  // 9 to 11.
  void new Promise((resolve) => resolve(tool.execute(object, signal, activated)))
    .then((value) => written(value, context.results))
    .then(finish, (reason: unknown) => {
      const failed = `"${name}" failed`
      console.error(failed, reason)
      finish(null, failed)
    })
}

/** A result as text. Chromium leaves strings as they are, and writes `undefined` as such. */
function written(value: unknown, results: Context['results']): string | null {
  if (value === NAVIGATED) return null
  if (results === 'spec') return toJSON(value)
  if (!isObject(value)) return `${value as string}`
  const text: string | undefined = JSON.stringify(value)
  return `${text}`
}

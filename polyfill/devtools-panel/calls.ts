/**
 * The log of calls that the panel shows.
 *
 * A call of a script in this page is seen with its arguments and its outcome, because it passes
 * `executeTool()` of this context. One of the browser, of developer tools or of another frame is seen when its
 * tool starts, without its arguments. What decided is read from the audit log. Nothing is changed: the caller
 * gets the promise that the original method returned. `test/polyfill/devtools-calls.test.ts` covers it.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import { annotationsOf } from '../approval/listed-tools.ts'
import { effectivePolicy, type Hints } from '../approval/approval-level.ts'
import { approvals } from '../approval/approval-store.ts'
import { sensitiveLevel } from '../approval/sensitive.ts'
import type { ModelContext } from '../types.ts'

/** Maximum number of calls in the log; the oldest are dropped. */
export const MAX_CALLS = 200

/** A call in the log. */
export interface LoggedCall {
  readonly tool: string
  /** Null for a caller outside of this page's scripts. */
  readonly input: object | null
  readonly level: ApprovalLevel | null
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Whether the tool has started, so that the approval is over. */
  isStarted: boolean
  outcome: 'pending' | 'ran' | 'denied' | 'cancelled' | 'failed'
  /** What decided, as in the audit log; empty until that is known. */
  by: string
  /** Milliseconds from the call to its outcome. */
  duration: number | null
  result: unknown
}

/**
 * Logs the calls of a context.
 *
 * @param changed Receives all calls, newest first, after each change.
 * @returns A function that stops logging.
 */
export function logCalls(
  context: ModelContext,
  changed: (calls: readonly LoggedCall[]) => void,
): () => void {
  const calls: LoggedCall[] = []
  const add = (call: LoggedCall) => {
    calls.unshift(call)
    calls.length = Math.min(calls.length, MAX_CALLS)
    changed(calls)
  }
  const settle = (call: LoggedCall, outcome: LoggedCall['outcome'], result: unknown) => {
    Object.assign(call, { outcome, result, duration: Date.now() - call.at })
    changed(calls)
    void readDecision(call).then(() => changed(calls))
  }
  const original: ModelContext['executeTool'] = Reflect.get(context, 'executeTool')
  const execute: ModelContext['executeTool'] = function (this: ModelContext, ...args) {
    const [tool, input = {}] = args
    const call = newCall(tool.name, input, levelOf(tool))
    const result = original.apply(this, args)
    add(call)
    result.then(
      (value) => settle(call, 'ran', value),
      (error: unknown) => settle(call, outcomeOf(error), messageOf(error)),
    )
    return result
  }
  const noteStart = (event: Event) => {
    const toolName = String(Reflect.get(event, 'toolName'))
    const due = calls.findLast(({ tool, isStarted, outcome }) => {
      return tool === toolName && !isStarted && outcome === 'pending'
    })
    if (!due) return add({ ...newCall(toolName, null, null), isStarted: true, outcome: 'ran' })
    due.isStarted = true
    changed(calls)
  }
  const isReplaced = Reflect.set(context, 'executeTool', execute)
  context.addEventListener('toolactivated', noteStart)
  return () => {
    context.removeEventListener('toolactivated', noteStart)
    if (isReplaced) Reflect.deleteProperty(context, 'executeTool')
  }
}

const newCall = (tool: string, input: object | null, level: ApprovalLevel | null): LoggedCall => ({
  tool,
  input,
  level,
  at: Date.now(),
  isStarted: false,
  outcome: 'pending',
  by: '',
  duration: null,
  result: undefined,
})

/** A tool as it is listed, in any form. */
interface Listed {
  readonly name: string
  readonly annotations?: Hints | null | undefined
  readonly inputSchema?: object | null | undefined
}

/** Returns the level of a tool; site and person can have raised it. */
export function levelOf(tool: Listed): ApprovalLevel {
  const { name, inputSchema: schema } = tool
  const annotations = annotationsOf(tool)
  return effectivePolicy({ annotations }, sensitiveLevel({ name, annotations, schema }))
}

function outcomeOf(error: unknown): LoggedCall['outcome'] {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return 'denied'
  return name === 'AbortError' ? 'cancelled' : 'failed'
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Reads what decided from the audit log, whose newest entry of the tool is that of the call. */
async function readDecision(call: LoggedCall): Promise<void> {
  const entries = await approvals.audit().catch(() => [])
  const found = entries.findLast(({ tool, at }) => tool === call.tool && at >= call.at)
  if (typeof found?.by === 'string') call.by = found.by
}

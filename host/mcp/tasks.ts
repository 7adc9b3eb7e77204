/**
 * Calls of tools that run as tasks only (`execution.taskSupport: "required"`, MCP 2025-11-25, section Tasks): creates
 * the task, polls it, and fetches its result. While a task needs input, its questions arrive with the request for the
 * result. A call that is given up cancels its task.
 *
 * Tasks of the modern era are an extension that the client does not declare. `test/host/mcp/tasks.test.ts` has the
 * states, and `test/pages/host/connection.slow.test.ts` a server of others.
 *
 * @module
 */

import { cutEnd } from '#core/cut-middle.ts'
import { recordOf, type JsonRecord } from '#core/json.ts'
import type { CallOptions } from './connection.ts'
import { ConnectionError, makeProblem } from './errors.ts'
import { textOf } from './parse.ts'
import type { Request } from './requests.ts'
import { MAX_CALL_MS } from './session.ts'

/** Bounds of the time between two polls, in milliseconds, and that of a server which suggests none. */
const POLL = { least: 200, most: 10_000, usual: 1_000 } as const

/** Longest that a task is waited for, in milliseconds. */
const MAX_TASK_MS = 60 * 60_000

/**
 * Calls a tool as a task.
 *
 * @param params The params of `tools/call`.
 * @param options `onProgress` receives the status messages of the task.
 * @returns The result of the tool, also where the server answers at once.
 * @throws {ConnectionError} If the task was cancelled or takes longer than an hour; what a request throws.
 */
export async function callAsTask(
  request: Request,
  params: JsonRecord,
  options: CallOptions = {},
): Promise<JsonRecord> {
  const created = await request('tools/call', { ...params, task: {} }, options)
  const task = readTask(created['task'])
  if (!task.id) return created
  const { signal: given } = options
  const signal = AbortSignal.any([AbortSignal.timeout(MAX_TASK_MS), ...(given ? [given] : [])])
  try {
    return await waitForTask(request, task, { ...options, signal })
  } catch (error) {
    if (signal.aborted) void request('tasks/cancel', { taskId: task.id }).catch(() => {})
    throw error
  }
}

/** Characters of a status message that are shown. */
const MAX_MESSAGE_LENGTH = 500

interface Task {
  /** Empty if the server has created no task. */
  readonly id: string
  readonly status: string
  readonly message: string
  /** Milliseconds until the next poll. */
  readonly pause: number
}

function readTask(value: unknown): Task {
  const { taskId, status, statusMessage, pollInterval } = recordOf(value)
  const pause = typeof pollInterval === 'number' ? pollInterval : POLL.usual
  return {
    id: textOf(taskId),
    status: textOf(status),
    message: cutEnd(textOf(statusMessage), MAX_MESSAGE_LENGTH),
    pause: Math.min(POLL.most, Math.max(POLL.least, pause)),
  }
}

async function waitForTask(
  request: Request,
  task: Task,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<JsonRecord> {
  const { signal, onProgress } = options
  let { status, message, pause } = task
  for (let polls = 0; status === 'working' || status === ''; polls++) {
    onProgress?.({ progress: polls, total: null, message })
    await sleep(pause, signal)
    ;({ status, message, pause } = readTask(
      await request('tasks/get', { taskId: task.id }, { signal }),
    ))
  }
  if (status === 'cancelled')
    throw new ConnectionError(makeProblem('protocol', `The server cancelled the task. ${message}`))
  // A question to the user can take long.
  return request('tasks/result', { taskId: task.id }, { signal, timeoutMs: MAX_CALL_MS })
}

/** Resolves after a time; rejects with the signal's reason. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
}

/**
 * Makes all tool calls of the console, so that none that changes something bypasses the user's
 * consent.
 *
 * A call that the user starts needs no second approval, but scopes are still asked for; a call that
 * an app starts is asked about as its tool's approval level requires.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { callFactsOf } from '../../connection/facts.ts'
import type {
  CallOptions,
  CallToolResult,
  Connection,
  Progress,
  Tool,
} from '../../connection/types.ts'
import { callWithConsent } from '../../consent/call-with-consent.ts'
import { createRules } from '../../consent/rules.ts'
import type { CallFacts, Outcome, WantedCall } from '../../consent/types.ts'
import { createPatience, LONGEST_MS } from './patience.ts'
import { askingFor } from './questions.ts'
import { visitedFirst } from './url-first.ts'
import { ToolError } from './words.ts'

/** Stored decisions of the user, in this browser. */
export const rules = createRules()

/** Options of a call. */
export interface Made extends Pick<CallOptions, 'signal' | 'onProgress'> {
  /** The `_meta` of the request. */
  readonly meta?: JsonRecord
}

/** Makes a call that the user started; asks only for missing scopes. */
export function callAsPerson(
  connection: Connection,
  tool: Tool,
  args: JsonRecord,
  made: Made = {},
): Promise<Outcome> {
  // Pressing the button was the approval; the page shows the preview itself.
  const facts: CallFacts = { ...callFactsOf(tool, args), hint: 'none', preview: false }
  return run(connection, facts, { tool: tool.name, args, meta: made.meta ?? {} }, 'You', made)
}

/**
 * Makes a call that an app started; asks as the tool's approval level requires.
 *
 * @param app The app's name, shown in questions.
 */
export function callAsApp(
  connection: Connection,
  tool: Tool,
  args: JsonRecord,
  app: string,
  made: Made = {},
): Promise<Outcome> {
  const wanted = { tool: tool.name, args, meta: made.meta ?? {} }
  return run(connection, callFactsOf(tool, args), wanted, app, made)
}

function run(
  connection: Connection,
  facts: CallFacts,
  wanted: WantedCall,
  name: string,
  { signal, onProgress }: Made,
): Promise<Outcome> {
  const kind = name === 'You' ? 'person' : 'app'
  return callWithConsent(wanted, facts, {
    server: connection.url,
    rules,
    ask: askingFor({ name, kind, server: connection.server.title }),
    send: (call) => patiently(connection, call, { ...(signal && { signal }), onProgress }),
    ...(signal && { signal }),
  })
}

/** Sends the call; its timeout is suspended while the user answers a question of the server. */
async function patiently(
  connection: Connection,
  { tool, args, meta }: WantedCall,
  { signal, onProgress }: { signal?: AbortSignal; onProgress: CallOptions['onProgress'] },
): Promise<CallToolResult> {
  const patience = createPatience()
  const either = AbortSignal.any([patience.signal, ...(signal ? [signal] : [])])
  const told = (progress: Progress) => {
    patience.heard()
    onProgress?.(progress)
  }
  try {
    return await connection.call(tool, args, {
      meta,
      timeoutMs: LONGEST_MS,
      signal: either,
      ...(onProgress && { onProgress: told }),
    })
  } catch (error) {
    throw await visitedFirst(patience.explained(error), new URL(connection.url).host, either)
  } finally {
    patience.end()
  }
}

/**
 * Calls a tool that only reads, without asking.
 *
 * @throws {ToolError} If the tool reports an error.
 */
export async function readWith(
  connection: Connection,
  name: string,
  args: JsonRecord,
  signal?: AbortSignal,
): Promise<CallToolResult> {
  const result = await connection.call(name, args, signal ? { signal } : {})
  if (result.isError) throw new ToolError(result)
  return result
}

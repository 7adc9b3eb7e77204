/**
 * Calls: every tool call of the console goes through here, so that none is made past the person.
 *
 * What the person starts themselves needs no second approval, and still asks before it touches what
 * lies outside; what an app starts is asked about as its tool's hint demands.
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

/** Decisions that were remembered, in this browser. */
export const rules = createRules()

export interface Made extends Pick<CallOptions, 'signal' | 'onProgress'> {
  readonly meta?: JsonRecord
}

/** A call that the person started, with what it needs asked for. */
export function callAsPerson(
  connection: Connection,
  tool: Tool,
  args: JsonRecord,
  made: Made = {},
): Promise<Outcome> {
  // Pressing the button was the approval; the preview is on the page beside it.
  const facts: CallFacts = { ...callFactsOf(tool, args), hint: 'none', preview: false }
  return run(connection, facts, { tool: tool.name, args, meta: made.meta ?? {} }, 'You', made)
}

/** A call that an app started. */
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

/** Makes the call, and gives the person the time that they need where the server asks them something. */
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

/** A tool that only tells something; its error is thrown. */
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

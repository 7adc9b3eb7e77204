/**
 * Makes all tool calls of the console, so that none that changes something bypasses the user's
 * consent.
 *
 * A call that the user starts needs no second approval, but scopes are still asked for; a call that
 * an app starts is asked about as its tool's approval level requires, and carries the stored denials.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { REQUESTER_META } from '#core/wire.ts'
import { MAX_CALL_MS } from '../../mcp/session.ts'
import { callFactsOf } from '../../mcp/tool-facts.ts'
import type { CallOptions, Connection } from '../../mcp/connection.ts'
import type { CallToolResult, Progress, Tool } from '../../mcp/types.ts'
import { callWithConsent } from '../../consent/call-with-consent.ts'
import { createRules } from '../../consent/rules.ts'
import type {
  CallFacts,
  ConsentDialogs,
  Outcome,
  Requester,
  WantedCall,
} from '../../consent/types.ts'
import type { DeniedCall } from '../../mcp/workspace-api.ts'
import { api } from '../connect/workspace.ts'
import { createCallTimeout } from '../questions/call-timeout.ts'
import type { AppQuestions } from '../questions/app-questions.ts'
import { createAsking, limitAsking } from '../questions/queue.ts'
import { visitPages } from '../questions/url-elicitation.ts'
import { ToolError } from '../ui/errors.ts'

/** Stored decisions of the user, in this browser. */
export const rules = createRules()

/** Who makes a call that the user started: they pressed a button, and the console sends it. */
const CONSOLE = { name: 'This console', kind: 'person' } as const

/** What a call needs of the connection. */
type Caller = Pick<Connection, 'url' | 'server' | 'call'>

/** Options of a call. */
export interface CallSettings extends Pick<CallOptions, 'signal' | 'onProgress'> {
  /** The `_meta` of the request. */
  readonly meta?: JsonRecord
}

/** The app that makes a call. */
export interface CallingApp {
  /** Its name, shown in questions. */
  readonly name: string
  readonly questions: AppQuestions
  /** Whether it is a page of the console, by which the user reads their own files. */
  readonly isOfConsole?: boolean
}

/** Makes a call that the user started; asks only for missing scopes. */
export function callAsPerson(
  connection: Caller,
  tool: Tool,
  args: JsonRecord,
  made: CallSettings = {},
): Promise<Outcome> {
  // Pressing the button was the approval; the page shows the preview itself.
  const facts: CallFacts = { ...callFactsOf(tool, args), hint: 'none', preview: false }
  const wanted = { tool: tool.name, args, meta: made.meta ?? {} }
  const ask = createAsking({ ...CONSOLE, server: connection.server.title })
  return run(connection, facts, { wanted, ask, requester: 'person', ...made })
}

/**
 * Makes a call that an app started; asks as the tool's approval level requires.
 */
export function callAsApp(
  connection: Caller,
  tool: Tool,
  args: JsonRecord,
  { name, questions, isOfConsole = false }: CallingApp,
  made: CallSettings = {},
): Promise<Outcome> {
  const wanted = { tool: tool.name, args, meta: metaOfApp(made.meta) }
  const asking = createAsking({ name, kind: 'app', server: connection.server.title })
  const limited = limitAsking(asking, questions)
  const requester = isOfConsole ? 'person' : 'app'
  return run(connection, callFactsOf(tool, args), { wanted, ask: limited, requester, ...made })
}

/** A policy that an app sends is not that of a person. */
const metaOfApp = (meta: JsonRecord = {}): JsonRecord =>
  Object.hasOwn(meta, 'policy') ? { ...meta, [REQUESTER_META]: 'llm' } : meta

interface AskedCall extends CallSettings {
  readonly wanted: WantedCall
  readonly ask: ConsentDialogs
  readonly requester: Requester
}

async function run(
  connection: Caller,
  facts: CallFacts,
  { wanted, ask, requester, signal, onProgress }: AskedCall,
): Promise<Outcome> {
  const outcome = await callWithConsent(wanted, facts, {
    server: connection.url,
    rules,
    ask,
    requester,
    send: (call) => sendWithTimeout(connection, call, { ...(signal && { signal }), onProgress }),
    ...(signal && { signal }),
  })
  const { tool } = wanted
  const intent = facts.intent.text || facts.title
  if (outcome.status === 'denied') noteDenial({ tool, intent, scopes: outcome.scopes })
  return outcome
}

/** Tells the workspace of a No, since a denied call never reaches it. A failure changes nothing here. */
export function noteDenial({ intent, ...denied }: DeniedCall): void {
  void api.peek()?.noteDenial({ ...denied, intent: intent.slice(0, MAX_INTENT_LENGTH) })
}

/** Most characters of an intent in the audit log of a denial. */
const MAX_INTENT_LENGTH = 2_000

/** Sends the call; its timeout is suspended while the user answers a question of the server. */
async function sendWithTimeout(
  connection: Caller,
  { tool, args, meta }: WantedCall,
  { signal, onProgress }: { signal?: AbortSignal; onProgress: CallOptions['onProgress'] },
): Promise<CallToolResult> {
  const timeout = createCallTimeout()
  const either = AbortSignal.any([timeout.signal, ...(signal ? [signal] : [])])
  const handleProgress = (progress: Progress) => {
    timeout.restart()
    onProgress?.(progress)
  }
  try {
    return await connection.call(tool, args, {
      meta,
      timeoutMs: MAX_CALL_MS,
      signal: either,
      ...(onProgress && { onProgress: handleProgress }),
    })
  } catch (error) {
    throw await visitPages(timeout.explain(error), new URL(connection.url).host, either)
  } finally {
    timeout.end()
  }
}

/**
 * Calls a tool that only reads, without asking.
 *
 * @throws {ToolError} If the tool reports an error.
 */
export async function callReadOnly(
  connection: Pick<Connection, 'call'>,
  name: string,
  args: JsonRecord,
  signal?: AbortSignal,
): Promise<CallToolResult> {
  const result = await connection.call(name, args, signal ? { signal } : {})
  if (result.isError) throw new ToolError(result)
  return result
}

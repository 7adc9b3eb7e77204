/**
 * Makes all tool calls of the console, so that none that changes something bypasses the user's
 * consent.
 *
 * A call that the user starts needs no second approval, but scopes are still asked for; a call that
 * an app starts is asked about as its tool's approval level requires, or once if it only reads, and carries the stored
 * denials. A preview that the person applied in the console itself is approved with it, where the rules hold the change.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { PREVIEW_META, REQUESTER_META } from '#core/wire.ts'
import { MAX_CALL_MS } from '../../mcp/session.ts'
import { textOf } from '../../mcp/parse.ts'
import { callFactsOf, changeOf } from '../../mcp/tool-facts.ts'
import type { CallOptions, Connection } from '../../mcp/connection.ts'
import type { CallToolResult, Progress, Tool } from '../../mcp/types.ts'
import { callWithConsent, type ConsentParts } from '../../consent/call-with-consent.ts'
import { createDecisions } from '../../consent/stored-decisions.ts'
import type {
  CallFacts,
  ConsentDialogs,
  Done,
  Outcome,
  Requester,
  WantedCall,
} from '../../consent/types.ts'
import { createCallTimeout } from '../questions/call-timeout.ts'
import { askerOf, askOnce, type CallingApp } from '../questions/calling-app.ts'
import { approveShown, findOwnBase } from '../questions/own-approval.ts'
import { createAsking, limitAsking } from '../questions/queue.ts'
import { visitPages } from '../questions/url-elicitation.ts'
import { ToolError } from '../ui/errors.ts'
import { noteDenial } from './note-denial.ts'

/** Stored decisions of the user, in this browser. */
export const decisions = createDecisions()

/** Who makes a call that the user started: they pressed a button, and the console sends it. */
const CONSOLE = { name: 'This console', kind: 'person' } as const

/** What a call needs of the connection. */
type Caller = Pick<Connection, 'url' | 'server' | 'tools' | 'call' | 'readResource'>

export interface CallSettings extends Pick<CallOptions, 'signal' | 'onProgress'> {
  /** The `_meta` of the request. */
  readonly meta?: JsonRecord
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
  const pressed = previewIn(wanted)
  return run(connection, facts, { wanted, ask, requester: 'person', pressed, ...made })
}

/** Definitions of a tool about which one call asks, each because the server changed it during the question before. */
const MAX_DEFINITIONS = 3

/**
 * Makes a call that an app started; asks as the tool's approval level requires, or once where it only reads. An answer
 * holds for the definition that the question showed.
 */
export async function callAsApp(
  connection: Caller,
  tool: Tool,
  args: JsonRecord,
  app: CallingApp,
  made: CallSettings = {},
): Promise<Outcome> {
  for (let current = tool, count = 1; ; count++) {
    const outcome = await askForApp(connection, current, args, app, made)
    const isChanged = outcome.status === 'gave-up' && outcome.reason === 'changed'
    const next = findTool(connection, tool.name)
    if (!isChanged || !next || count === MAX_DEFINITIONS) return outcome
    current = next
  }
}

function askForApp(
  connection: Caller,
  tool: Tool,
  args: JsonRecord,
  app: CallingApp,
  made: CallSettings,
): Promise<Outcome> {
  const { questions, isOfConsole = false } = app
  const asker = askerOf(app, connection.server)
  const definition = definitionOf(tool)
  const { title, description } = tool
  const ask = askOnce(app, asker, { tool: tool.name, title, description, definition })
  return run(connection, callFactsOf(tool, args), {
    wanted: { tool: tool.name, args, meta: metaOfApp(made.meta) },
    ask: limitAsking(createAsking(asker), questions),
    requester: isOfConsole ? 'person' : 'app',
    ...(ask && { askToRead: ask }),
    isCurrent: () => definitionOf(findTool(connection, tool.name)) === definition,
    ...made,
  })
}

const findTool = ({ tools }: Caller, wanted: string) => tools.find(({ name }) => name === wanted)

const definitionOf = (tool: Tool | undefined) => JSON.stringify(tool?.raw ?? null)

/** A policy that an app sends is not that of a person. */
const metaOfApp = (meta: JsonRecord = {}): JsonRecord =>
  Object.hasOwn(meta, 'policy') ? { ...meta, [REQUESTER_META]: 'llm' } : meta

interface AskedCall extends CallSettings, Pick<ConsentParts, 'askToRead' | 'isCurrent'> {
  readonly wanted: WantedCall
  readonly ask: ConsentDialogs
  readonly requester: Requester
  /** The preview that the call names, if the person has pressed a button of the console beside it. */
  readonly pressed?: string | null
}

/** The id of the preview that a call applies, and nothing else; null if it applies none. */
const previewIn = ({ meta }: WantedCall) => textOf(meta[PREVIEW_META]) || null

async function run(
  connection: Caller,
  facts: CallFacts,
  { wanted, signal, onProgress, pressed = null, ...asked }: AskedCall,
): Promise<Outcome> {
  const own = asked.requester === 'person' ? findOwnBase(connection.url) : null
  const made = await callWithConsent(wanted, facts, {
    server: connection.url,
    decisions,
    ...asked,
    send: (call) => {
      const isDecidedHere = own !== null && previewIn(call) !== null
      const settings = { ...(signal && { signal }), onProgress, isDecidedHere }
      return sendWithTimeout(connection, call, settings)
    },
    ...(signal && { signal }),
  })
  const outcome =
    own === null ? made : await approveIfShown(own, made, { connection, wanted, pressed })
  // The answer to a question about reads is noted once, where it is given.
  if (outcome.status === 'denied' && outcome.what !== 'read')
    noteDenial({
      tool: wanted.tool,
      intent: facts.intent.text || facts.title,
      scopes: outcome.scopes,
    })
  return outcome
}

interface Pressed extends Pick<AskedCall, 'wanted' | 'pressed'> {
  readonly connection: Caller
}

/** Approves what the call left waiting, if the person has applied a preview of it. */
async function approveIfShown(
  base: string,
  made: Outcome,
  { connection, wanted, pressed }: Pressed,
): Promise<Outcome> {
  if (made.status !== 'done') return made
  const preview = pressed ?? approvedIn(made)
  if (preview === null) return made
  return approveShown({ base, connection, tool: wanted.tool, preview }, made)
}

interface SendSettings {
  readonly signal?: AbortSignal
  readonly onProgress: CallOptions['onProgress']
  readonly isDecidedHere: boolean
}

/** The id of the preview that the person has approved in a dialog of the console; null if there was none. */
const approvedIn = ({ basis, preview }: Done) =>
  basis === 'approved' && preview !== null ? (changeOf(preview)?.id ?? null) : null

/** Sends the call; its timeout is suspended while the user answers a question of the server. */
async function sendWithTimeout(
  connection: Caller,
  { tool, args, meta }: WantedCall,
  { signal, onProgress, isDecidedHere }: SendSettings,
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
      isDecidedHere,
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

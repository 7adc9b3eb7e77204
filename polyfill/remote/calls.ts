/**
 * Calls of a remote tool: its preview, the call bound to the preview, and requests for further
 * scopes.
 *
 * `test/pages/polyfill/approval-remote.slow.test.ts` covers it.
 *
 * @module
 */

import { renderIntent } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import { recordOf, type JsonRecord } from '#core/json.ts'
import { CHANGE_META, PREVIEW_META } from '#core/wire.ts'
import { OWN_ORIGIN } from '../model-context/origin.ts'
import type { ApprovalRequest } from '../approval/approver.ts'
import { bare, defineProperty, freeze, isArray } from '../approval/builtins.ts'
import type { ExecuteOptions } from '../approval/tool.ts'
import type { Client } from './client.ts'
import { RpcError, toText } from './messages.ts'
import { toAgentResult, createMirrorHeaders, type RemoteTool } from './tools.ts'

/** Asks the user for approval; rejects unless it is granted. */
export type AskPermission = (
  request: ApprovalRequest,
  definition: string,
  signal: AbortSignal,
) => Promise<void>

/** Maximum number of scopes of one request. */
const MAX_SCOPES = 50

/** Error code of a tool that cannot preview the call. */
const NO_PREVIEW = -32050

const never = new AbortController().signal

/**
 * Creates `preview` and `execute` of a remote tool.
 *
 * @param registered The name under which the tool is registered, for the dialog.
 * @param ask Asks for the scopes that the server requests beyond those of the configuration.
 */
export function createCalls(
  tool: RemoteTool,
  registered: string,
  client: Client,
  ask: AskPermission,
) {
  // Scopes granted for a preview also apply to the call bound to it.
  const granted = new WeakMap<object, JsonRecord>()

  async function send(input: unknown, meta: JsonRecord, signal: AbortSignal): Promise<JsonRecord> {
    const params = { name: tool.name, arguments: input, _meta: meta }
    return client.request('tools/call', params, {
      signal,
      mirror: createMirrorHeaders(tool.inputSchema, input),
    })
  }

  /**
   * Sends a call, and repeats it once with the scopes that the server requests and the user grants.
   */
  async function sendGranted(input: unknown, meta: JsonRecord, signal: AbortSignal) {
    const result = await send(input, meta, signal)
    const scopes = result['isError'] === true ? readRequestedScopes(result) : []
    if (scopes.length === 0 || 'granted_scopes' in meta) return { result, grants: {} }
    await ask(createScopesRequest(tool, registered, input, scopes), '', signal)
    const grants = { granted_scopes: scopes }
    return { result: await send(input, { ...meta, ...grants }, signal), grants }
  }

  async function preview(input: unknown, { signal = never }: ExecuteOptions = {}) {
    try {
      const { result, grants } = await sendGranted(input, { preview: true }, signal)
      if (result['isError'] === true) return toAgentResult(result)
      const shown = await addReviewPage(result, client, signal)
      granted.set(shown, grants)
      return shown
    } catch (error) {
      if (error instanceof RpcError && error.code === NO_PREVIEW) return undefined
      throw error
    }
  }

  async function execute(input: unknown, { signal = never, preview: seen }: ExecuteOptions = {}) {
    const shown = recordOf(seen)
    const { id } = recordOf(recordOf(shown['_meta'])[CHANGE_META])
    const bound = typeof id === 'string' ? { [PREVIEW_META]: id } : {}
    const { result } = await sendGranted(input, { ...bound, ...granted.get(shown) }, signal)
    return toAgentResult(result)
  }

  return { preview, execute }
}

function readRequestedScopes({ _meta }: JsonRecord): readonly string[] {
  const scopes = recordOf(_meta)['requested_scopes']
  const texts: string[] = []
  for (let i = 0; isArray(scopes) && i < scopes.length && texts.length < MAX_SCOPES; i++) {
    const value: unknown = scopes[i]
    if (typeof value === 'string')
      defineProperty(texts, texts.length, bare({ value, enumerable: true }))
  }
  return freeze(texts) // those that the user sees are those that are granted
}

function createScopesRequest(
  tool: RemoteTool,
  registered: string,
  input: unknown,
  scopes: readonly string[],
): ApprovalRequest {
  const { title, description, annotations } = tool
  const { intentTemplate } = annotations
  return {
    origin: OWN_ORIGIN,
    tool: registered,
    title,
    description,
    policy: 'confirm',
    intent: intentTemplate === undefined ? null : renderIntent(parseIntent(intentTemplate), input),
    input: JSON.stringify(input),
    scopes,
    choices: ['once'],
    days: 0,
  }
}

/**
 * Adds the server's HTML review page to the result, as the first block, if `<mcp-view>` is defined.
 */
async function addReviewPage(
  result: JsonRecord,
  client: Client,
  signal: AbortSignal,
): Promise<JsonRecord> {
  const uri = toText(recordOf(recordOf(result['_meta'])[CHANGE_META])['review'])
  if (uri === '' || !customElements.get('mcp-view')) return { ...result }
  try {
    const { contents } = await client.request('resources/read', { uri }, { signal })
    const pages: readonly unknown[] = Array.isArray(contents) ? contents : []
    const blocks = pages.map((resource) => ({ type: 'resource', resource }))
    const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : []
    return { ...result, content: [...blocks, ...content] }
  } catch {
    signal.throwIfAborted()
    return { ...result } // the dialog can still show the diff lines
  }
}

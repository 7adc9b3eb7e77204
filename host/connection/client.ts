/**
 * What the client declares in the handshake, and how it answers elicitations.
 *
 * @module
 */

import type {
  Client,
  ClientCapabilities,
  ElicitRequest,
  ElicitResult,
  JSONObject,
} from '@modelcontextprotocol/client'
import { isRecord, type JsonRecord } from '#core/json.ts'
import { textOf } from './read.ts'
import type { ConnectOptions, Elicitation } from './types.ts'

/** The `clientInfo` of the handshake. */
export const CLIENT_INFO = { name: 'edgewise-console', title: 'Edgewise console', version: '0.1.0' }

const UI_EXTENSION = 'io.modelcontextprotocol/ui'

/** Builds the client's capabilities; `elicitation` and `configuration` only if the options have them. */
export function capabilitiesFor({
  configuration,
  onElicitation,
}: ConnectOptions): ClientCapabilities {
  return {
    extensions: { [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] } },
    ...(onElicitation && { elicitation: { form: {}, url: {} } }),
    ...(isRecord(configuration) && { experimental: { configuration: jsonOf(configuration) } }),
  }
}

/** Copies a configuration through JSON, so that only JSON values are sent. */
function jsonOf(value: JsonRecord): JSONObject {
  const copy: JSONObject = JSON.parse(JSON.stringify(value))
  return copy
}

/** Answers `elicitation/create` requests of the server with the given function. */
export function answerQuestions(
  client: Client,
  answer: NonNullable<ConnectOptions['onElicitation']>,
): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const reply = await answer(questionOf(params), mcpReq.signal)
    return reply.action === 'accept'
      ? { action: 'accept', content: filledIn(reply.content) }
      : { action: reply.action }
  })
}

/** Keeps what the specification allows in a form's answer: plain values and lists of strings. */
function filledIn(content: JsonRecord): NonNullable<ElicitResult['content']> {
  const filled: NonNullable<ElicitResult['content']> = {}
  for (const [name, value] of Object.entries(content)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      filled[name] = value
    else if (Array.isArray(value)) filled[name] = value.filter((item) => typeof item === 'string')
  }
  return filled
}

function questionOf(params: ElicitRequest['params']): Elicitation {
  const given: JsonRecord = { ...params }
  const schema = given['requestedSchema']
  return {
    mode: given['mode'] === 'url' ? 'url' : 'form',
    message: textOf(given['message']),
    schema: isRecord(schema) ? schema : null,
    url: textOf(given['url']) || null,
  }
}

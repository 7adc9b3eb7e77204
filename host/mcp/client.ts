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
import { VERSION } from '#core/version.ts'
import { APP_MIME, APPS_EXTENSION } from '#core/wire.ts'
import { textOf } from './parse.ts'
import type { ConnectOptions, Elicitation } from './types.ts'

/** The `clientInfo` of the handshake. */
export const CLIENT_INFO = { name: 'edgewise-console', title: 'Edgewise console', version: VERSION }

/** Builds the client's capabilities; `elicitation` and `configuration` only if the options have them. */
export function capabilitiesFor({
  configuration,
  onElicitation,
}: ConnectOptions): ClientCapabilities {
  return {
    extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_MIME] } },
    ...(onElicitation && { elicitation: { form: {}, url: {} } }),
    ...(isRecord(configuration) && { experimental: { configuration: copyJson(configuration) } }),
  }
}

/** Copies a configuration through JSON, so that only JSON values are sent. */
function copyJson(value: JsonRecord): JSONObject {
  const copy: JSONObject = JSON.parse(JSON.stringify(value))
  return copy
}

/** Answers `elicitation/create` requests of the server with the given function. */
export function answerElicitations(
  client: Client,
  answer: NonNullable<ConnectOptions['onElicitation']>,
): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const reply = await answer(parseElicitation(params), mcpReq.signal)
    return reply.action === 'accept'
      ? { action: 'accept', content: keepAllowed(reply.content) }
      : { action: reply.action }
  })
}

/** Keeps what the specification allows in a form's answer: plain values and lists of strings. */
function keepAllowed(content: JsonRecord): NonNullable<ElicitResult['content']> {
  const allowed: NonNullable<ElicitResult['content']> = {}
  for (const [name, value] of Object.entries(content)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      allowed[name] = value
    else if (Array.isArray(value)) allowed[name] = value.filter((item) => typeof item === 'string')
  }
  return allowed
}

function parseElicitation(params: ElicitRequest['params']): Elicitation {
  const given: JsonRecord = { ...params }
  const schema = given['requestedSchema']
  return {
    mode: given['mode'] === 'url' ? 'url' : 'form',
    message: textOf(given['message']),
    schema: isRecord(schema) ? schema : null,
    url: textOf(given['url']) || null,
  }
}

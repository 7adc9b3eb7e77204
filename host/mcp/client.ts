/**
 * What the client declares in the handshake, and how it answers requests of the server.
 *
 * @module
 */

import type {
  Client,
  ClientCapabilities,
  ElicitResult,
  JSONObject,
  ServerCapabilities,
} from '@modelcontextprotocol/client'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { VERSION } from '#core/version.ts'
import { APP_MIME, APPS_EXTENSION } from '#core/wire.ts'
import { textOf } from './parse.ts'
import { answerSampling } from './sampling.ts'
import type { ConnectOptions } from './connection.ts'
import type { Elicitation } from './types.ts'

/** The `clientInfo` of the handshake. */
export const CLIENT_INFO = { name: 'edgewise-console', title: 'Edgewise console', version: VERSION }

/**
 * Builds the client's capabilities; `elicitation`, `sampling` and `configuration` only if the options
 * have them.
 */
export function capabilitiesFor({
  configuration,
  onElicitation,
  onSampling,
}: ConnectOptions): ClientCapabilities {
  return {
    extensions: {
      [APPS_EXTENSION]: { mimeTypes: [APP_MIME], ...(onElicitation && { elicitation: {} }) },
    },
    ...(onElicitation && { elicitation: { form: {}, url: {} } }),
    ...(onSampling && { sampling: {} }),
    ...(isRecord(configuration) && { experimental: { configuration: copyJson(configuration) } }),
  }
}

/** Copies a configuration through JSON, so that only JSON values are sent. */
function copyJson(value: JsonRecord): JSONObject {
  const copy: JSONObject = JSON.parse(JSON.stringify(value))
  return copy
}

/** Answers the requests of the server for which the options have a function. */
export function answerServer(client: Client, { onElicitation, onSampling }: ConnectOptions): void {
  if (onElicitation) answerElicitations(client, onElicitation)
  if (!onSampling) return
  client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
    answerSampling({ ...params }, (request) => onSampling(request, mcpReq.signal)),
  )
}

function answerElicitations(
  client: Client,
  answer: NonNullable<ConnectOptions['onElicitation']>,
): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const reply = await answer(
      parseElicitation({ ...params }, client.getServerCapabilities()),
      mcpReq.signal,
    )
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

function parseElicitation(params: JsonRecord, server: ServerCapabilities | undefined): Elicitation {
  const schema = params['requestedSchema']
  const mode = params['mode'] === 'url' ? 'url' : 'form'
  const apps = recordOf(server?.extensions?.[APPS_EXTENSION])
  return {
    mode,
    message: textOf(params['message']),
    schema: isRecord(schema) ? schema : null,
    url: textOf(params['url']) || null,
    // Both sides have to declare it (SEP-3118), and the form stays complete without the app.
    app: mode === 'form' && isRecord(apps['elicitation']) ? readApp(params) : null,
  }
}

function readApp(params: JsonRecord): string | null {
  const uri = recordOf(recordOf(params['_meta'])['ui'])['resourceUri']
  return typeof uri === 'string' && /^ui:\/\/[^/]/.test(uri) ? uri : null
}

/**
 * Requests of an app that are no tool calls: they are reads, which are asked once, and carry the stored denials, as its
 * calls do, so that the server holds them for resources, lists and downloads too.
 *
 * `test/host/console/app-requests.test.ts` covers it.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import {
  listDenials,
  REACHES_ALL,
  resolveRequestScopes,
  withDenials,
} from '../../consent/denied-scopes.ts'
import type { ConsentParts } from '../../consent/call-with-consent.ts'
import { findStoredDenial } from '../../consent/denials.ts'
import { textOf } from '../../mcp/parse.ts'
import type { CallOptions, Connection, RequestOptions } from '../../mcp/connection.ts'
import { refused } from '../../view/errors.ts'
import type { ReadQuestion } from '../../consent/types.ts'
import type { OnceAsked } from '../questions/calling-app.ts'
import { decisions } from '../tools/calls.ts'
import { noteDenial } from '../tools/note-denial.ts'

export interface AppRequest {
  readonly method: string
  /** As the app sent them. */
  readonly params: JsonRecord
}

/** The question about requests of the same kind, such as `resources`. */
export function describeRequests(method: string): OnceAsked {
  const [kind = ''] = method.split('/')
  const title = kind === 'prompts' ? 'Prompts' : 'Resources'
  return { tool: kind, title, description: '', definition: '' }
}

/**
 * Sends a request of an app.
 *
 * @param askToRead Asks the person; without it, nothing is asked.
 * @throws {ViewError} If a stored decision denies what it names, or the person denies it.
 */
export async function requestAsApp(
  open: Pick<Connection, 'url' | 'request'>,
  { method, params }: AppRequest,
  options?: RequestOptions,
  askToRead?: ConsentParts['askToRead'],
): Promise<JsonRecord> {
  const server = open.url
  const touched = resolveRequestScopes(method, params)
  const denied = findStoredDenial(method, touched, { server, decisions })
  if (denied) {
    const intent = `Request ${method} ${textOf(params['uri'])}`.trim()
    noteDenial({ tool: method, intent, scopes: denied.scopes })
    throw refused(DENIED)
  }
  const question = describeRequest(method, params)
  if (askToRead && !(await askToRead(question, options?.signal ?? NEVER))) throw refused(DENIED)
  const denials = listDenials(touched, decisions.decisionsFor(server))
  if (denials.length === 0) return open.request(method, params, options)
  return open.request(
    method,
    { ...params, _meta: withDenials(recordOf(params['_meta']), denials) },
    options,
  )
}

const DENIED = 'The person denied this request [DENIED_BY_PERSON]'

const NEVER = new AbortController().signal

function describeRequest(method: string, args: JsonRecord): ReadQuestion {
  const { title } = describeRequests(method)
  const text = `${title} of the server: ${method}`
  const intent = { text, parts: [{ type: 'text', text } as const] }
  return { call: { tool: method, args, meta: {} }, title, intent, claim: 'protocol' }
}

/** What a preview of an app uses of a connection. */
export type AppConnection = Pick<Connection, 'tools' | 'request' | 'call'>

/** Returns a connection for the data of an app that is previewed. Its calls only read, and ask nothing. */
export function restrictToApp(open: AppConnection & Pick<Connection, 'url'>): AppConnection {
  const denialsOf = () => listDenials(REACHES_ALL, decisions.decisionsFor(open.url))
  return {
    get tools() {
      return open.tools
    },
    request: (method, params = {}, options) => requestAsApp(open, { method, params }, options),
    call: (name, args, { meta = {}, ...options }: CallOptions = {}) =>
      open.call(name, args, { ...options, meta: withDenials(meta, denialsOf()) }),
  }
}

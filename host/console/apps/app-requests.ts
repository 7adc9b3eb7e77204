/**
 * Requests of an app that are no tool calls: they carry the stored denials, as its calls do, so that the server
 * holds them for resources, lists and downloads too.
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
import { findStoredDenial } from '../../consent/denials.ts'
import { textOf } from '../../mcp/parse.ts'
import type { CallOptions, Connection, RequestOptions } from '../../mcp/connection.ts'
import { refused } from '../../view/errors.ts'
import { rules } from '../tools/calls.ts'
import { noteDenial } from '../tools/note-denial.ts'

/** What an app requests. */
export interface AppRequest {
  readonly method: string
  /** As the app sent them. */
  readonly params: JsonRecord
}

/**
 * Sends a request of an app.
 *
 * @throws {ViewError} If a stored decision denies what it names.
 */
export async function requestAsApp(
  open: Pick<Connection, 'url' | 'request'>,
  { method, params }: AppRequest,
  options?: RequestOptions,
): Promise<JsonRecord> {
  const server = open.url
  const touched = resolveRequestScopes(method, params)
  const denied = findStoredDenial(method, touched, { server, rules })
  if (denied) {
    const intent = `Request ${method} ${textOf(params['uri'])}`.trim()
    noteDenial({ tool: method, intent, scopes: denied.scopes })
    throw refused('The person denied this request [DENIED_BY_PERSON]')
  }
  const denials = listDenials(touched, rules.decisionsFor(server))
  if (denials.length === 0) return open.request(method, params, options)
  return open.request(
    method,
    { ...params, _meta: withDenials(recordOf(params['_meta']), denials) },
    options,
  )
}

/** What a preview of an app uses of a connection. */
export type AppConnection = Pick<Connection, 'tools' | 'request' | 'call'>

/** Returns a connection for the data of an app that is previewed. Its calls only read, and ask nothing. */
export function restrictToApp(open: AppConnection & Pick<Connection, 'url'>): AppConnection {
  const denialsOf = () => listDenials(REACHES_ALL, rules.decisionsFor(open.url))
  return {
    get tools() {
      return open.tools
    },
    request: (method, params = {}, options) => requestAsApp(open, { method, params }, options),
    call: (name, args, { meta = {}, ...options }: CallOptions = {}) =>
      open.call(name, args, { ...options, meta: withDenials(meta, denialsOf()) }),
  }
}

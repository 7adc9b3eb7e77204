/**
 * The envelope of a message: in the strict form of MCP, or the sentence that says which member is wrong.
 *
 * Programs whose language writes null for what is not set send it for optional members; there it is absent. It is not
 * in `_meta` and in a client's configuration, whose members give or restrict access.
 * `test/worker/mcp/envelope.test.ts` has the cases, for both eras.
 *
 * @module
 */

import { isRecord, isString, own, type JsonRecord } from '#core/json.ts'
import { ok, type Result } from '#core/result.ts'
import { CAPABILITIES_META, CLIENT_INFO_META } from '#core/wire.ts'
import { parseBody } from './message-body.ts'

/** Parses a message, or each of a batch. The error is the response for invalid JSON. */
export function parseMessage(text: string): Result<unknown, Response> {
  const json = parseBody(text)
  if (!json.ok) return json
  return ok(Array.isArray(json.value) ? json.value.map(tidy) : tidy(json.value))
}

function tidy(message: unknown): unknown {
  if (!isRecord(message)) return message
  const { method } = message
  // A request without an id could not be answered, so only a notification has none.
  const isNotification = isString(method) && method.startsWith('notifications/')
  const set = withoutNulls(message, isNotification ? undefined : 'id')
  return replace(withoutForeign(set), 'params', tidyParams)
}

/** Drops what gateways add beside the members of JSON-RPC. A misplaced `_meta` may have a policy, so it is refused. */
function withoutForeign(message: JsonRecord): JsonRecord {
  const names = Object.keys(message)
  if (names.every((name) => MEMBERS.has(name))) return message
  return Object.fromEntries(Object.entries(message).filter(([name]) => MEMBERS.has(name)))
}

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta'])

function tidyParams(params: JsonRecord): JsonRecord {
  const known = params['capabilities'] === null ? { ...params, capabilities: {} } : params
  const own = replace(withoutNulls(known), 'capabilities', tidyCapabilities)
  const named = replace(replace(own, 'clientInfo', withoutNulls), 'notifications', withoutNulls)
  return replace(named, '_meta', tidyMeta)
}

function tidyMeta(meta: JsonRecord): JsonRecord {
  const unset = own(meta, CAPABILITIES_META) === null
  const known = unset ? { ...meta, [CAPABILITIES_META]: {} } : meta
  return replace(
    replace(known, CAPABILITIES_META, tidyCapabilities),
    CLIENT_INFO_META,
    withoutNulls,
  )
}

/** Drops capabilities that are not set, and their members; a configuration stays as sent. */
function tidyCapabilities(capabilities: JsonRecord): JsonRecord {
  const set = withoutNulls(capabilities)
  return Object.keys(set).reduce(
    (known, name) => replace(known, name, (one) => withoutNulls(one, 'configuration')),
    set,
  )
}

/** Replaces a member that is an object. Nothing is copied that stays the same, as nearly every message does. */
function replace(
  record: JsonRecord,
  name: string,
  change: (value: JsonRecord) => JsonRecord,
): JsonRecord {
  const value = own(record, name)
  const changed = isRecord(value) ? change(value) : value
  return changed === value ? record : { ...record, [name]: changed }
}

function withoutNulls(record: JsonRecord, kept?: string): JsonRecord {
  if (!Object.values(record).includes(null)) return record
  const set = Object.entries(record).filter(([name, value]) => value !== null || name === kept)
  return Object.fromEntries(set)
}

/** Says which member of a message has no valid form, or returns null. */
export function malformedMember(message: unknown): string | null {
  if (!isRecord(message)) return 'a message must be an object'
  const { id, method, params } = message
  if (message['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"'
  if ('_meta' in message) return '_meta must be in params, and is beside them'
  if (method === undefined && ('result' in message || 'error' in message)) return null
  if (!isString(method)) return `method must be text, and is ${kindOf(method)}`
  if (id !== undefined && !isId(id))
    return `id must be text or a whole number, and is ${kindOf(id)}`
  if (params === undefined) return null
  if (!isRecord(params)) return `params must be an object, and is ${kindOf(params)}`
  const meta = own(params, '_meta')
  if (meta === undefined) return null
  if (!isRecord(meta)) return `params._meta must be an object, and is ${kindOf(meta)}`
  const token = own(meta, 'progressToken')
  if (token === undefined || isId(token)) return null
  return `params._meta.progressToken must be text or a whole number, and is ${kindOf(token)}`
}

const isId = (id: unknown) => isString(id) || Number.isSafeInteger(id)

/** Names the type of a value in JSON. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (isString(value)) return 'text'
  if (isRecord(value)) return 'an object'
  if (Number.isInteger(value) && !isId(value))
    return 'a number beyond 2^53, which is inexact: send it as text'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/**
 * The scope challenge: a request that lacks a scope of its token is answered with HTTP 403, so that standard
 * clients request more scopes (RFC 6750, section 3.1). It names all scopes that one request lacks, as far as a header has
 * room for them.
 *
 * Access is judged only in `access/authorize.ts`; here the verdict becomes a status. Requests that go to the
 * SDK are judged before, because the SDK cannot answer with a status.
 *
 * @module
 */

import { pathOf } from '#core/file-uri.ts'
import { parseIntent } from '#core/intent/template.ts'
import { isRecord, recordOf } from '#core/json.ts'
import { authorize } from '../access/authorize.ts'
import { NO_METADATA, parseMetadata } from '../access/metadata.ts'
import { resolveLiterally, resolveSpelled } from '../access/spelling.ts'
import { accountOf, noteRefusal } from '../call/audit-note.ts'
import type { CallServices } from '../call/context.ts'
import { accessOfRequest } from '../access/from-metadata.ts'
import { understand } from '../call/understand.ts'
import { sentence, type Problem } from '../errors/problem.ts'
import type { Caller } from '../access/caller.ts'
import { reading } from '../tools/lib/tool.ts'
import { idOf } from '../json-rpc.ts'

/** Returns the 403 of a request that lacks a scope of its caller's token, or null. */
export type Challenge = (message: unknown, caller: Caller) => Response | null

type Insufficient = Problem & { readonly reason: 'insufficient_scope' }

/**
 * Returns the 403 of a message that lacks a scope of its caller's token, or null. Records it in the audit
 * log.
 */
export function challengeOf(
  message: unknown,
  caller: Caller,
  services: Pick<CallServices, 'tools' | 'audit' | 'openFor'>,
): Response | null {
  if (caller.token === null || !isRecord(message)) return null
  const params = recordOf(message['params'])
  const lack =
    message['method'] === 'tools/call'
      ? lackOfCall(params, caller, services)
      : message['method'] === 'resources/read'
        ? lackOfRead(params, caller, services)
        : null
  return lack && insufficientScope(idOf(message), lack)
}

function lackOfCall(
  { name, arguments: args, _meta: meta }: Record<string, unknown>,
  caller: Caller,
  services: Pick<CallServices, 'tools' | 'audit' | 'openFor'>,
): Insufficient | null {
  const request = { name: String(name), args, meta: isRecord(meta) ? meta : undefined, caller }
  const metadata = parseMetadata(request.meta)
  const understood = metadata.ok ? understand(request, metadata.value, services) : metadata
  if (!understood.ok || !understood.value.ok) return null
  const call = understood.value.value
  const { tool, input, access } = call
  const resolve = resolveSpelled(services.openFor(access, caller))
  const places = authorize(tool.touches(input), access, resolve)
  if (places.ok || places.error.reason !== 'insufficient_scope') return null
  const account = () => accountOf({ ...call, resolve }, { ...request, args: call.args })
  noteRefusal(places.error, account, services.audit)
  return places.error
}

const READING = {
  name: 'resources/read',
  intent: parseIntent('Read {uri}'),
  touches: () => [],
}

function lackOfRead(
  { uri, _meta: meta }: Record<string, unknown>,
  caller: Caller,
  { audit }: Pick<CallServices, 'audit'>,
): Insufficient | null {
  const path = pathOf(String(uri))
  const access = accessOfRequest(caller, isRecord(meta) ? meta : undefined)
  if (path === null || !access.ok) return null
  const places = authorize([reading(path)], access.value)
  if (places.ok || places.error.reason !== 'insufficient_scope') return null
  const resolve = resolveLiterally(access.value)
  const read = { tool: READING, input: null, metadata: NO_METADATA, resolve }
  noteRefusal(
    places.error,
    () => accountOf(read, { args: { uri }, meta: undefined, caller }),
    audit,
  )
  return places.error
}

/** Maximum length of the scopes after the first in a challenge; a client requests the others in the next round. */
const MAX_FURTHER_SCOPES = 500

function writeScopes(scopes: readonly string[]): string {
  const [first = '', ...more] = scopes.map((one) => encodeURI(one).replaceAll('"', '%22'))
  let left = MAX_FURTHER_SCOPES
  const end = more.findIndex((one) => (left -= one.length + 1) < 0)
  return [first, ...(end === -1 ? more : more.slice(0, end))].join(' ')
}

/** Builds the 403 with its challenge (RFC 6750, section 3.1, as MCP requires it). */
export function insufficientScope(id: string | number | null, lack: Insufficient): Response {
  const scope = writeScopes(lack.scopes)
  return Response.json(
    { jsonrpc: '2.0', id, error: { code: -32000, message: sentence(lack) } },
    {
      status: 403,
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    },
  )
}

/**
 * The stored denials that a request of an app carries in `denied_scopes`.
 *
 * The check in `denials.ts` sees the paths that a call names. Only the server knows what it reaches: below a
 * folder, by a glob, from a default root, or by an id. It refuses the request or leaves out what is denied.
 * `test/host/consent/denied-scopes.test.ts` covers calls, `test/host/console/app-requests.test.ts` the rest.
 *
 * @module
 */

import { pathOf } from '#core/file-uri.ts'
import type { JsonRecord } from '#core/json.ts'
import { covers, formatScope, type Scope } from '#core/scope.ts'
import { textOf } from '../mcp/parse.ts'
import type { CallScopes } from './call-scopes.ts'
import { decide, type Remembered } from './decide.ts'
import { isToolScope, toScopes } from './stored-decisions.ts'

/** A request that may reach anything. */
export const REACHES_ALL: CallScopes = { needed: [], unresolved: [], isLimited: false }

const READ = 'read:file'

/** Resolves what a request reads that is no tool call. A resource that is no file, such as a change, may show any file. */
export function resolveRequestScopes(method: string, params: JsonRecord): CallScopes {
  if (method === 'resources/list') return { ...REACHES_ALL, needed: [READ] }
  const uri = textOf(params['uri'])
  if (method !== 'resources/read' || !/^file:/i.test(uri)) return REACHES_ALL
  const path = pathOf(uri)
  // A URI that is invalid here may name any path of another server.
  if (path === null) return { ...REACHES_ALL, needed: [READ], unresolved: [READ] }
  return { ...REACHES_ALL, needed: [`${READ}:${path}`], isLimited: true }
}

/** Lists the denials that the server has to hold for a request, without those inside another one. */
export function listDenials(
  { needed, isLimited }: CallScopes,
  remembered: Remembered,
): readonly string[] {
  const scopes = needed.flatMap(toScopes)
  const held = remembered.deny.filter(
    (denial) => !isToolScope(denial) && !(isLimited && isLifted(denial, scopes, remembered)),
  )
  const widest = held.filter(
    (denial) => !held.some((other) => covers(other, denial) && !covers(denial, other)),
  )
  return [...new Set(widest.map(formatScope))]
}

/**
 * Whether a narrower decision allows all that a request names of what is denied. The server has no exceptions
 * from a denial, so it must not receive this one.
 */
function isLifted(denial: Scope, needed: readonly Scope[], remembered: Remembered): boolean {
  const met = needed.filter((scope) => covers(denial, scope) || covers(scope, denial))
  return (
    met.length > 0 &&
    met.every((scope) => covers(denial, scope) && decide([scope], remembered).decision === 'allow')
  )
}

/** Adds denials to the `_meta` of a request. What the app denies itself stays, and is refused if it is invalid. */
export function withDenials(meta: JsonRecord, denials: readonly string[]): JsonRecord {
  if (denials.length === 0) return meta
  const given = meta['denied_scopes'] ?? []
  const own: readonly unknown[] = Array.isArray(given) ? given : [given]
  return { ...meta, denied_scopes: [...new Set([...own, ...denials])] }
}

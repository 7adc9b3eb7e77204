/**
 * Stored denials: whether a decision of the user denies a call before it is sent.
 *
 * A denial holds for every spelling of a path. The folder from which the server counts relative paths is asked
 * for only if a denial could depend on it. Where it stays unknown, a relative path may be any path, so each denial
 * below the tool's scopes denies the call. `denied-scopes.ts` holds denials for all that a call reaches.
 * `test/host/consent/denials.test.ts` covers it.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { resolvePath, type StorePath } from '#core/path.ts'
import { covers, formatScope } from '#core/scope.ts'
import { ConnectionError } from '../mcp/errors.ts'
import { textOf } from '../mcp/parse.ts'
import { dependsOnBase, resolveCallScopes, type CallScopes } from './call-scopes.ts'
import { decide } from './decide.ts'
import { toolScope, toScopes, type DecisionStore } from './stored-decisions.ts'
import type { CallFacts, Denied, Send, WantedCall } from './types.ts'

/** What the check needs of the page. */
export interface DenialParts {
  /** The server's URL, under which decisions are stored. */
  readonly server: string
  readonly decisions: DecisionStore
  readonly send: Send
  readonly signal: AbortSignal
}

/** Resolves what a call touches, as far as the stored denials require it. */
export async function resolveTouched(
  { args }: WantedCall,
  { scopes }: CallFacts,
  { server, decisions, send, signal }: DenialParts,
): Promise<CallScopes> {
  const isFolderDenied = decisions.decisionsFor(server).deny.some(({ path }) => path !== null)
  const isNeeded = isFolderDenied && dependsOnBase(scopes, args)
  signal.throwIfAborted()
  return resolveCallScopes(scopes, args, isNeeded ? await readDefaultRoot(send) : null)
}

/** Asks the server for its default root; null if it names none. */
async function readDefaultRoot(send: Send): Promise<StorePath | null> {
  try {
    const { structuredContent } = await send({ tool: 'list_roots', args: {}, meta: {} })
    const { roots } = recordOf(structuredContent)
    const listed: readonly unknown[] = Array.isArray(roots) ? roots : []
    const root = listed.map(recordOf).find((one) => one['default'] === true)
    const path = resolvePath(textOf(root?.['path']))
    return path.ok ? path.value : null
  } catch (error) {
    // A JSON-RPC error: the server has no such tool.
    if (error instanceof ConnectionError && error.problem.code !== null) return null
    throw error
  }
}

/** Finds a stored denial of the tool or of what a call of it touches. */
export function findStoredDenial(
  tool: string,
  { needed, unresolved }: CallScopes,
  { server, decisions }: Pick<DenialParts, 'server' | 'decisions'>,
): Denied | null {
  const remembered = decisions.decisionsFor(server)
  const verdict = decide([...needed, toolScope(tool)].flatMap(toScopes), remembered)
  const possible = unresolved.flatMap(toScopes)
  const denied = [
    ...(verdict.decision === 'deny' ? verdict.denied : []),
    ...remembered.deny.filter((scope) => possible.some((one) => covers(one, scope))),
  ]
  if (denied.length === 0) return null
  const scopes = [...new Set(denied.map(formatScope))]
  return { status: 'denied', by: 'stored', what: 'scopes', scopes, result: null }
}

/**
 * Direct answers: plain requests of both eras, answered without the SDK.
 *
 * A call takes the same pipeline as every other; only the reading of the request and the writing of the response
 * are ours (`docs/decisions`, 2 and 22).
 *
 * @module
 */

import { err, type Result } from '#core/result.ts'
import { JudgingSpent, problemOfSpent } from '../access/judging.ts'
import { hasServerKeys, INVALID_PARAMS, type Refused } from '../access/metadata.ts'
import { call } from '../call/call.ts'
import type { CallServices } from '../call/context.ts'
import type { Outcome } from '../tools/lib/tool-result.ts'
import { sentence } from '../errors/problem.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Caller } from '../access/caller.ts'
import { insufficientScope } from './challenge.ts'
import { respondError } from '../json-rpc.ts'
import { CANCELLED, INTERNAL_ERROR } from './mcp-error.ts'
import type { Direct, PlainRequest } from './plain-request.ts'
import { identityAt, originOf } from './identity.ts'
import { inputRequiredResult, legacyError, legacyResult, plainResult } from './plain-result.ts'
import { listTools } from './server.ts'
import { CAPABILITIES, discoveryOf, SOMETHING_WRONG, type Capabilities } from './server-info.ts'
import { requireInput } from './url-elicitation.ts'

/** Creates the direct answers of a workspace. */
export function createDirect(
  services: CallServices,
  instructionsFor: (caller: Caller) => string,
  capabilities: Capabilities = CAPABILITIES,
): Direct {
  const discoveryFor = (caller: Caller) => discoveryOf(instructionsFor(caller), capabilities)
  return {
    modern: (request, caller, signal) =>
      request.method === 'server/discover'
        ? // With the whole identity of the server.
          plainResult(request.id, discoveryFor(caller), identityAt(originOf(caller.base)))
        : answerModern({ ...services, signal }, request, caller),
    legacy: (request, caller, session) => answerLegacy(services, request, caller, session),
  }
}

async function answerModern(
  services: CallServices,
  request: PlainRequest,
  caller: Caller,
): Promise<Response> {
  const { id } = request
  const outcome = await callTool(services, request, caller)
  if (outcome.ok) return plainResult(id, outcome.value)
  const { code, message, lack, elicit } = outcome.error
  if (lack) return insufficientScope(id, lack)
  if (elicit) return inputRequiredResult(id, requireInput(elicit))
  return respondError(id, code, message)
}

function answerLegacy(
  services: CallServices,
  request: PlainRequest,
  caller: Caller,
  session: string | null,
): MaybePromise<Response> | null {
  const { id, method } = request
  if (method === 'ping') return legacyResult(id, {}, session)
  // A request that narrows its own access is listed less, which the SDK's handler decides.
  if (method === 'tools/list')
    return hasServerKeys(request.meta) ? null : listInOlderEra(services, request, caller, session)
  return mayWait(services, request, caller)
    ? null
    : callInOlderEra(services, request, caller, session)
}

function listInOlderEra(
  services: CallServices,
  { id }: PlainRequest,
  caller: Caller,
  session: string | null,
): Response {
  try {
    return legacyResult(id, listTools(services, caller), session)
  } catch (error) {
    return legacyError(id, wentWrong(error), session)
  }
}

/**
 * Whether a call of the older era may take so long that its client needs a stream that is kept alive, or may
 * cancel it: the SDK has the stream and the signal.
 */
function mayWait({ tools }: CallServices, { params }: PlainRequest, caller: Caller): boolean {
  const tool = tools.get(String(params['name']))
  if (!tool) return false
  return tool.cancellable === true || (tool.kind === 'change' && caller.urlElicitation !== null)
}

async function callInOlderEra(
  services: CallServices,
  request: PlainRequest,
  caller: Caller,
  session: string | null,
): Promise<Response> {
  const { id } = request
  const outcome = await callTool(services, request, caller)
  if (outcome.ok) return legacyResult(id, outcome.value, session)
  const { lack } = outcome.error
  return lack ? insufficientScope(id, lack) : legacyError(id, outcome.error, session)
}

/** Logs a bug. The client only learns that there was one, as from the SDK's handler. */
function wentWrong(error: unknown): Refused {
  if (error instanceof JudgingSpent)
    return { code: INVALID_PARAMS, message: sentence(problemOfSpent(error)) }
  console.error(error)
  return { code: INTERNAL_ERROR, message: SOMETHING_WRONG }
}

async function callTool(
  services: CallServices,
  { params, meta }: PlainRequest,
  caller: Caller,
): Promise<Result<Outcome, Refused>> {
  const { name, arguments: args, requestState: state, inputResponses: responses } = params
  try {
    return await call({ name: String(name), args, meta, caller, state, responses }, services)
  } catch (error) {
    return err(services.signal?.aborted ? CANCELLED : wentWrong(error))
  }
}

/**
 * `/config`: reads and replaces the configuration of the workspace. Each change is an entry of the audit log.
 * Loosening the rules can need a passkey.
 * `test/worker/api/config.test.ts` has the cases.
 *
 * @module
 */

import { formatConfig, type ConfigProblems } from '#core/config.ts'
import type { JsonRecord } from '#core/json.ts'
import { BY_OWNER, noteDecision } from '../call/audit-note.ts'
import type { Callers } from '../sessions/callers.ts'
import type { Audit } from '../audit/audit.ts'
import type { Act } from '../passkeys/challenges.ts'
import { isLoosened } from '../passkeys/loosening.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Actor } from '../store/change-note.ts'
import { problem } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'
import { answerProblem, deciderOf, readProof } from './passkey-proof.ts'

/** The services that this route uses. */
export interface ConfigParts {
  readonly callers: Callers
  readonly audit: Audit
  readonly passkeys: Pick<Passkeys, 'ask' | 'isMissing' | 'prove'>
  readonly actorOf: (request: Request) => Actor
}

/** Serves `/config`. A refused configuration is answered with all its problems. */
export async function serveConfig(request: Request, parts: ConfigParts): Promise<Response> {
  const { callers, audit, passkeys, actorOf } = parts
  if (request.method === 'GET') return Response.json(formatConfig(callers.config))
  if (request.method !== 'PUT') return notAllowed('GET, PUT')
  const body = await readSentJson(request)
  if (!body.ok) return body.error
  const given = body.value
  const read = callers.parse(given)
  if (!read.ok) return refuseConfig(read.error)
  const actor = actorOf(request)
  const decider = deciderOf(request, actor)
  const act: Act = ['configure', formatConfig(read.value)]
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  // Nothing may come between this check and the change.
  if (isLoosened(callers.config, read.value) && passkeys.isMissing('loosen', proof.value))
    return answerProblem({ reason: 'passkey_required' }, act, decider, passkeys)
  callers.configure(given)
  const decision = [...BY_OWNER, ...(proof.value ? [proof.value] : [])]
  const intent = describeConfiguration(given)
  noteDecision({ actor, tool: 'configure', intent, request: given, decision }, audit)
  return Response.json(formatConfig(read.value))
}

function refuseConfig(problems: ConfigProblems): Response {
  const [{ message }] = problems
  return Response.json({ code: 'INVALID_CONFIG', message, problems }, { status: 400 })
}

function describeConfiguration(given: JsonRecord | null): string {
  const fields = Object.keys(given ?? {})
  return `Set the configuration: ${fields.length === 0 ? 'as deployed' : fields.join(', ')}`
}

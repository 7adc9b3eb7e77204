/**
 * `/s/{link}/file`: what a transfer link opens, which is one file in one direction.
 *
 * The link is a session under the one that made it, so it ends with that session, and it is judged by what holds
 * when it is used. Each use is counted and is an entry of the audit. `test/worker/transfer-link.test.ts` has
 * the cases.
 *
 * @module
 */

import { authorize, type Touch } from '../access/authorize.ts'
import type { OpenFor } from '../access/workspace.ts'
import { actorOf, withoutVersion } from '../account.ts'
import { codeOf, type Problem } from '../problem.ts'
import type { Callers, TransferCaller } from '../sessions/callers.ts'
import type { Sessions, Transfer } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import { limitsOf } from '../store/limits.ts'
import { reading, rewriting, writing } from '../tools/tool.ts'
import { afterBody, problem, refuse, serveFile } from './files.ts'
import { notAllowed } from './json.ts'

export interface TransferParts {
  readonly openFor: OpenFor
  readonly sessions: Sessions
  readonly callers: Callers
  readonly audit: Audit
}

export async function serveTransfer(request: Request, parts: TransferParts): Promise<Response> {
  const known = await parts.callers.ofTransfer(request)
  if (known instanceof Response) return known
  const limits = limitsOf(parts.callers.config)
  return afterBody(request, await answer(request, known, parts), limits)
}

async function answer(request: Request, known: TransferCaller, parts: TransferParts) {
  const { direction } = known.transfer
  const methods = direction === 'download' ? ['GET', 'HEAD'] : ['PUT']
  if (!methods.includes(request.method)) return notAllowed(methods.join(', '))
  const permitted = authorize([touchOf(known.transfer, request)], known.caller.access)
  if (!permitted.ok) return refused(permitted.error, known, parts)
  return direction === 'download' ? download(request, known, parts) : put(request, known, parts)
}

/** Whoever writes only over a certain version learns whether the file is at it, so has to be able to read. */
function touchOf({ path, direction }: Transfer, { headers }: Request): Touch {
  if (direction === 'download') return reading(path)
  const isConditional = headers.has('if-match') || headers.has('if-none-match')
  return isConditional ? rewriting(path) : writing(path)
}

async function download(request: Request, known: TransferCaller, parts: TransferParts) {
  const { path } = known.transfer
  const desk = deskOf(known, parts)
  if (desk.workspace.store.stat(path)?.type !== 'file')
    return problem({ reason: 'not_found', path })
  const response = await serveFile(request, path, desk)
  if (request.method === 'GET' && response.ok) {
    parts.sessions.countUse(known.session)
    note('downloaded', known, parts)
  }
  return response
}

async function put(request: Request, known: TransferCaller, parts: TransferParts) {
  const response = await serveFile(request, known.transfer.path, deskOf(known, parts))
  if (response.ok) parts.sessions.countUse(known.session)
  return response
}

function deskOf({ caller, session }: TransferCaller, { openFor, callers }: TransferParts) {
  return {
    workspace: openFor(caller.access, session),
    actor: actorOf(caller),
    limits: limitsOf(callers.config),
    decision: `transfer link ${session}`,
  }
}

/** Whoever has the link learns that it does not open the file now, and nothing of why. */
function refused(fault: Problem, known: TransferCaller, parts: TransferParts): Response {
  note('refused', known, parts, codeOf(fault))
  return refuse(403, codeOf(fault), 'This link may not be used for its file now')
}

function note(
  outcome: 'downloaded' | 'refused',
  { caller, transfer, session }: TransferCaller,
  { audit }: TransferParts,
  code?: string,
): void {
  const { path, direction } = transfer
  const by = `transfer link ${session}`
  audit.record({
    id: '',
    tool: 'transfer_link',
    intent: `${direction === 'download' ? 'Download' : 'Upload'} ${path}`,
    actor: actorOf(caller),
    decision: code === undefined ? by : `${code}; ${by}`,
    digest: '',
    ...withoutVersion(outcome, [path]),
  })
}

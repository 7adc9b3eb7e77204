/**
 * `/s/{link}/file`: serves a transfer link, which is valid for one file in one direction.
 *
 * The link is a session below the one that created it, so it ends with that session, and access is decided
 * when it is used. Each use is counted; uploads, the first download and some refused uses are entries of the audit log.
 * `test/worker/api/transfer-link.test.ts` has the cases.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { quoteValue } from '#core/quote.ts'
import { authorize, type Touch } from '../access/authorize.ts'
import type { OpenFor } from '../access/workspace.ts'
import { actorOf } from '../access/caller.ts'
import { draftOwnerOf } from '../access/draft-owner.ts'
import type { Drafts } from '../drafts/drafts.ts'
import { withoutVersion } from '../audit/decision-note.ts'
import { codeOf } from '../errors/problem.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { Callers, TransferCaller } from '../sessions/callers.ts'
import type { Transfer } from '../access/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../audit/audit.ts'
import { MAX_LINK_REFUSALS } from '../limits.ts'
import { limitsOf } from '../store/limits.ts'
import { reading, rewriting, writing } from '../tools/lib/tool.ts'
import { notAllowed, problem, refuse } from '../errors/respond.ts'
import { serveFile } from './files.ts'

/** The services that a transfer uses. */
export interface TransferParts {
  readonly openFor: OpenFor
  readonly sessions: Sessions
  readonly callers: Callers
  readonly config: Pick<OwnerConfig, 'current'>
  readonly audit: Audit
  readonly drafts: Pick<Drafts, 'hear'>
}

/** Serves a request with a transfer link. */
export async function serveTransfer(request: Request, parts: TransferParts): Promise<Response> {
  const known = await parts.callers.ofTransfer(request)
  return known instanceof Response ? known : answer(request, known, parts)
}

async function answer(request: Request, known: TransferCaller, parts: TransferParts) {
  const { key } = draftOwnerOf(known.caller)
  parts.drafts.hear(key)
  const { path, direction } = known.transfer
  const methods = direction === 'download' ? ['GET', 'HEAD'] : ['PUT']
  if (!methods.includes(request.method)) return notAllowed(methods.join(', '))
  const permitted = authorize([touchOf(known.transfer, request)], known.caller.access)
  if (!permitted.ok) return refuseUse(codeOf(permitted.error), known, parts)
  const uses = parts.sessions.countUse(known.session)
  // A link can be used without limit, and its entries count against the share of the session that created it.
  if (direction === 'download' && uses === 1) note('downloaded', known, parts)
  const context = openTransfer(known, parts)
  const isFolder = context.workspace.store.stat(path)?.type === 'folder'
  // A folder that took the place of the file would be served as a list of its children.
  if (direction === 'download' && isFolder) return problem({ reason: 'not_found', path })
  const response = await serveFile(request, path, context)
  // The bytes of a large file take a while.
  parts.drafts.hear(key)
  if (response.status === 403) return refuseUse(await codeIn(response), known, parts)
  return response
}

const codeIn = async (response: Response) =>
  String(recordOf(await response.json<unknown>())['code'])

/** A conditional write reveals whether the file is at a version, so it requires read access as well. */
function touchOf({ path, direction }: Transfer, { headers }: Request): Touch {
  if (direction === 'download') return reading(path)
  const isConditional = headers.has('if-match') || headers.has('if-none-match')
  return isConditional ? rewriting(path) : writing(path)
}

function openTransfer({ caller, session }: TransferCaller, { openFor, config }: TransferParts) {
  return {
    workspace: openFor(caller.access, caller),
    actor: actorOf(caller),
    limits: limitsOf(config.current),
    decision: [{ kind: 'transfer_link', session } as const],
  }
}

/** Tells the holder of a link only that it cannot be used now, and not why. */
function refuseUse(code: string, known: TransferCaller, parts: TransferParts): Response {
  note('refused', known, parts, code)
  return refuse(
    403,
    'FORBIDDEN',
    'Cannot use this link: access to its file is denied. Ask for a new link.',
  )
}

function note(
  outcome: 'downloaded' | 'refused',
  { caller, transfer, session }: TransferCaller,
  { audit }: TransferParts,
  code?: string,
): void {
  const { path, direction } = transfer
  const by = { kind: 'transfer_link', session } as const
  const actor = actorOf(caller)
  // Uses are unlimited, and the holder of a link could otherwise fill the share of its maker.
  if (outcome === 'refused' && audit.countNotes(actor, MAX_LINK_REFUSALS) === MAX_LINK_REFUSALS)
    return
  audit.record({
    id: '',
    tool: 'transfer_link',
    intent: `${direction === 'download' ? 'Download' : 'Upload'} ${quoteValue(path)}`,
    actor,
    decision: code === undefined ? [by] : [{ kind: 'refused', code }, by],
    digest: '',
    ...withoutVersion(outcome, [path]),
  })
}

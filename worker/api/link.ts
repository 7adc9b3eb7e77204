/**
 * `/s/{link}/files/…` and `/s/{link}/changes`: the files of a workspace through a session link, with the access of that
 * session.
 *
 * A request is authorized like a call of the session, and a change that has to wait joins its draft, which reads of the
 * same link show. A transfer link gives no access to these routes. `test/worker/api/link.test.ts` has the cases.
 *
 * @module
 */

import { resolvePath, type StorePath } from '#core/path.ts'
import { decodePercent } from '#core/percent.ts'
import { quoteValue } from '#core/quote.ts'
import { ok, type Result } from '#core/result.ts'
import type { Access } from '../access/access.ts'
import { authorize } from '../access/authorize.ts'
import { actorOf, type Caller } from '../access/caller.ts'
import { draftOwnerOf } from '../access/draft-owner.ts'
import type { FileContext } from '../access/file-context.ts'
import { NO_METADATA } from '../access/metadata.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { OpenFor } from '../access/workspace.ts'
import type { Audit } from '../audit/audit.ts'
import { groundsOf, noteRefusal, type Account } from '../call/audit-note.ts'
import type { Drafts } from '../drafts/drafts.ts'
import type { Problem } from '../errors/problem.ts'
import { notAllowed, problem } from '../errors/respond.ts'
import type { Callers } from '../sessions/callers.ts'
import { LINK_HEADER, LINKED_PATH, refuseLink } from '../sessions/links.ts'
import { limitsOf } from '../store/limits.ts'
import { reading, readingFolder, rewriting, writing } from '../tools/lib/tool.ts'
import { waitingUrl } from '../waiting-url.ts'
import { serveFeed, type FeedParts } from './feed.ts'
import type { FeedCaller } from './feed-page.ts'
import { serveFile } from './files.ts'

/** The services of these routes. */
export interface LinkedParts extends FeedParts {
  readonly openFor: OpenFor
  readonly callers: Pick<Callers, 'of' | 'isCurrent'>
  readonly config: Pick<OwnerConfig, 'current'>
  readonly audit: Audit
  readonly drafts: Pick<Drafts, 'hear' | 'decidedTimes'>
}

/** Serves a request with a session link. */
export async function serveLinked(request: Request, parts: LinkedParts): Promise<Response> {
  if (!request.headers.has(LINK_HEADER)) return refuseLink()
  const path = new URL(request.url).pathname.slice(LINKED_PATH.length)
  if (path === '/changes') return serveFeed(request, () => openFeed(request, parts), parts)
  const caller = await parts.callers.of(request)
  if (caller instanceof Response) return caller
  return serveFileOf(request, path.slice('/files'.length) || '/', caller, parts)
}

async function openFeed(request: Request, parts: LinkedParts): Promise<FeedCaller | Response> {
  const caller = await parts.callers.of(request)
  if (caller instanceof Response) return caller
  const { key } = draftOwnerOf(caller)
  parts.drafts.hear(key)
  const { access, session, budget } = caller
  const isCurrent = () => parts.callers.isCurrent(access, session)
  return { workspace: parts.openFor(access, caller), budget, draft: key, isCurrent }
}

async function serveFileOf(
  request: Request,
  encoded: string,
  caller: Caller,
  parts: LinkedParts,
): Promise<Response> {
  const { key } = draftOwnerOf(caller)
  parts.drafts.hear(key)
  const path = resolvePath(decodePercent(encoded))
  if (!path.ok) return problem({ reason: 'bad_path', text: encoded, detail: path.error })
  const verb = VERBS[request.method]
  if (verb === undefined) return notAllowed('GET, HEAD, PUT, DELETE')
  const use = {
    tool: request.method,
    intent: `${verb} ${quoteValue(path.value)}`,
    permit: (access: Access) => permit(request, path.value, access),
  }
  const files = openLinked(use, caller, parts)
  if (!files.ok) return problem(files.error)
  const response = await serveFile(request, path.value, files.value)
  // The bytes of a large file take a while.
  parts.drafts.hear(key)
  return response
}

/** What a request of a link does. */
export interface LinkedUse {
  /** The name that the audit log and history have for it: its method. */
  readonly tool: string
  readonly intent: string
  /** Authorizes it by its paths, before it is known what exists there. */
  readonly permit: (access: Access) => Result<unknown, Problem>
}

/** Opens the files for what a link does. A refusal is an entry of the audit log, as those of its changes are. */
export function openLinked(
  { tool, intent, permit: permitUse }: LinkedUse,
  caller: Caller,
  parts: LinkedParts,
): Result<FileContext, Problem> {
  const account = accountOf(tool, intent, caller)
  const refused = (error: Problem) => noteRefusal(error, () => account, parts.audit)
  const permitted = permitUse(caller.access)
  if (permitted.ok) return ok(openFiles(caller, refused, parts))
  refused(permitted.error)
  return permitted
}

/** What a request does, for the audit log. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'Download',
  HEAD: 'Download',
  PUT: 'Upload',
  DELETE: 'Delete',
}

const accountOf = (tool: string, intent: string, caller: Caller): Account => ({
  ...{ tool, intent, actor: actorOf(caller), digest: '' },
  decision: groundsOf(caller, NO_METADATA),
})

/** Authorizes a request by its path, before it is known what exists there. */
function permit(
  { method, headers }: Request,
  path: StorePath,
  access: Access,
): Result<unknown, Problem> {
  if (method === 'GET' || method === 'HEAD') return permitRead(path, access)
  // Whether a conditional change is refused reveals the version of the file.
  const isConditional = headers.has('if-match') || headers.has('if-none-match')
  return authorize([isConditional ? rewriting(path) : writing(path)], access)
}

/** Authorizes a read of a file or a folder: a folder above what may be read can be listed. */
export function permitRead(path: StorePath, access: Access): Result<unknown, Problem> {
  const listed = authorize([readingFolder(path)], access)
  return listed.ok ? listed : authorize([reading(path)], access)
}

function openFiles(
  caller: Caller,
  refused: (problem: Problem) => void,
  { openFor, config }: LinkedParts,
): FileContext {
  return {
    workspace: openFor(caller.access, caller),
    actor: actorOf(caller),
    limits: limitsOf(config.current),
    decision: groundsOf(caller, NO_METADATA),
    describeWaiting: (draft, change) => {
      const url = waitingUrl(caller.base, draft.name, change)
      return { draft: draft.name, ...(url !== null && { url }) }
    },
    refused,
  }
}

/**
 * The query of `/changes`, parsed: after which version, which folder, how many changes, and how long to wait.
 *
 * `test/worker/api/feed.test.ts` has invalid ones.
 *
 * @module
 */

import { ROOT, type StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import { authorize } from '../access/authorize.ts'
import type { FeedQuery } from '../access/feed-view.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import type { Problem } from '../errors/problem.ts'
import { problem, refuse } from '../errors/respond.ts'
import { readingFolder } from '../tools/lib/tool.ts'
import { MAX_FEED_PAGE, MAX_FEED_WAIT_SECONDS } from './limits.ts'

/** What a request for the feed asks for. */
export interface FeedRequest extends FeedQuery {
  /** Milliseconds to wait for a change. */
  readonly waitMs: number
}

/** Changes on a page, if the request does not say how many. */
const DEFAULT_PAGE = 100

/** Parses and authorizes the query of a request, or returns the response that refuses it. */
export function readFeedQuery(
  request: Request,
  workspace: CallerWorkspace,
): FeedRequest | Response {
  const query = new URL(request.url).searchParams
  const path = readFolder(query.get('path'), workspace)
  if (!path.ok) return problem(path.error)
  // A client that connects again names the last event that it has got.
  const from = request.headers.get('last-event-id') ?? query.get('after') ?? '0'
  const after = readAfter(from, workspace)
  if (after instanceof Response) return after
  const limit = readNumber(query.get('limit') ?? String(DEFAULT_PAGE))
  if (limit === null || limit < 1 || limit > MAX_FEED_PAGE || !Number.isInteger(limit))
    return refuseQuery('limit', `a whole number from 1 to ${MAX_FEED_PAGE}`)
  const wait = readNumber(query.get('wait') ?? '0')
  if (wait === null || wait > MAX_FEED_WAIT_SECONDS)
    return refuseQuery('wait', `a number of seconds up to ${MAX_FEED_WAIT_SECONDS}`)
  return { after, path: path.value, limit, waitMs: wait * 1000 }
}

/** Without a folder, a caller gets what it sees of all of them. */
function readFolder(text: string | null, { access }: CallerWorkspace): Result<StorePath, Problem> {
  const places = authorize([readingFolder(text ?? '.')], access)
  if (!places.ok) return places
  return { ok: true, value: text === null ? ROOT : (places.value[0] ?? ROOT) }
}

/** Parses the version after which changes are read. It has to be one after which all changes are kept. */
function readAfter(text: string, workspace: CallerWorkspace): number | Response {
  const after = readVersion(text, workspace)
  if (after instanceof Response) return after
  const oldest = workspace.feed.oldestKept(workspace.version())
  return after < oldest ? refuseGone(after, oldest) : after
}

/** Parses a version that the workspace has had, or returns the response that refuses it. */
export function readVersion(
  text: string,
  workspace: Pick<CallerWorkspace, 'version'>,
): number | Response {
  const after = readNumber(text)
  const version = workspace.version()
  if (after !== null && Number.isInteger(after) && after <= version) return after
  return refuse(
    400,
    'INVALID_AFTER',
    `Invalid after: it must be a version of this workspace, which is at ${version}. ` +
      'List the folder with recursive=true, then go on from its version.',
  )
}

function refuseGone(after: number, oldest: number): Response {
  const message =
    `Cannot read changes after version ${after}: they are kept from version ${oldest} on. ` +
    'List the folder with recursive=true, then go on from its version.'
  return Response.json({ code: 'CHANGES_GONE', message, oldest }, { status: 410 })
}

/** Parses a number of a query; null if it is none. */
export const readNumber = (text: string): number | null =>
  /^\d{1,15}(?:\.\d{1,3})?$/.test(text) ? Number(text) : null

/** Refuses a parameter, with what it must be. */
export function refuseQuery(name: string, form: string): Response {
  return refuse(400, 'INVALID_QUERY', `Invalid ${name}: it must be ${form}.`)
}

/**
 * The decisions that an answer reports, as its request may see them. One that it sees in part only is reported again.
 * `test/worker/call/news.test.ts` has the cases.
 *
 * @module
 */

import type { Access } from '../access/access.ts'
import { seenDecision, seenRequest } from '../access/draft-view.ts'
import type { CommentNews } from '../access/comment.ts'
import type { Decision } from '../access/draft.ts'
import type { AccessRequest } from '../access/access-request.ts'
import type { CallServices } from './context.ts'

/** Takes the decisions on drafts that are to be reported to an owner in the answer of a request that came at `began`. */
export function takeDecisions(
  owner: string,
  began: number,
  access: Access,
  { takeNews }: Pick<CallServices, 'takeNews'>,
): Decision[] {
  const isWhole = (one: Decision) => seenDecision(one, access) === one
  return takeNews(owner, { began, isWhole }).map((one) => seenDecision(one, access))
}

/** Takes the decisions on access requests. */
export function takeRequests(
  owner: string,
  began: number,
  access: Access,
  { requests }: Pick<CallServices, 'requests'>,
): AccessRequest[] {
  const isWhole = (one: AccessRequest) => seenRequest(one, access) === one
  const news = requests?.takeNews(owner, { began, isWhole }) ?? []
  return news.map((one) => seenRequest(one, access))
}

/** Takes the comments on the draft of an owner that the request may read. Of others, not even the number is reported. */
export function takeComments(
  owner: string,
  began: number,
  access: Access,
  services: Pick<CallServices, 'takeComments'>,
): CommentNews[] {
  const isWhole = ({ path }: CommentNews) => path === null || access.canRead(path)
  return (services.takeComments?.(owner, { began, isWhole }) ?? []).filter(isWhole)
}

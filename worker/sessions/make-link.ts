/**
 * The links that a caller makes for others: to MCP, and to one file.
 * `test/worker/sessions/delegate.test.ts` and `test/worker/api/transfer-link.test.ts` have the cases.
 *
 * @module
 */

import type { OwnerConfig } from '../access/owner-config.ts'
import { ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { Caller } from '../access/caller.ts'
import { draftOwnerOf } from '../access/draft-owner.ts'
import { delegate, type DelegationRequest, type Delegator } from './delegate.ts'
import type { Session, Transfer } from '../access/session.ts'
import type { Sessions } from './sessions.ts'

/** What links are made with. */
export interface LinkParts {
  readonly sessions: Sessions
  readonly config: Pick<OwnerConfig, 'current'>
}

/** A link, and the session that it opens. */
export interface MadeLink {
  readonly session: Session
  readonly url: string
}

/** A request for a transfer link: the file, the direction and the lifetime. */
export type TransferRequest = Transfer & { readonly ttl_seconds: number }

/** Builds the URL of a link, on the host name that its creator used. */
export const linkTo = ({ base }: Caller, secret: string) => `${base}.${secret}/mcp`

/** Creates a link to MCP. */
export async function makeSessionLink(
  { sessions, config }: LinkParts,
  request: DelegationRequest,
  delegator: Delegator,
): Promise<Result<MadeLink, Problem>> {
  const made = await delegate(request, delegator, sessions, config.current, 'llm')
  if (!made.ok) return made
  const { session, secret } = made.value
  return ok({ session, url: linkTo(delegator.caller, secret) })
}

/** Creates a link to one file. */
export async function makeTransferLink(
  { sessions, config }: LinkParts,
  { path, direction, ttl_seconds }: TransferRequest,
  delegator: Delegator,
): Promise<Result<MadeLink, Problem>> {
  const transfer = { path, direction, draft: draftOwnerOf(delegator.caller).key }
  // A label is shown where the path may not be.
  const request = { label: `${direction} link`, ttl_seconds, transfer }
  const made = await delegate(request, delegator, sessions, config.current, 'llm')
  if (!made.ok) return made
  const { session, secret } = made.value
  return ok({ session, url: `${delegator.caller.base}.${secret}/file` })
}

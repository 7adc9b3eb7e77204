/**
 * The context of a tool call: the request, and the services that the pipeline in `call.ts` uses.
 *
 * @module
 */

import type { Result } from '#core/result.ts'
import type { Access } from '../access/access.ts'
import type { CallMetadata, Refused } from '../access/metadata.ts'
import type { OpenFor } from '../access/workspace.ts'
import type { Audit } from '../audit/audit.ts'
import type { Changes } from '../changes/changes.ts'
import type { CommentNews } from '../access/comment.ts'
import type { Decision, Draft } from '../access/draft.ts'
import type { Delivery } from '../decisions/delivery.ts'
import type { WaitingAnswer } from '../drafts/waiting-calls.ts'
import type { CallRequests } from '../requests/requests.ts'
import type { RecentClients } from '../sessions/recent-clients.ts'
import type { Watch } from './watch.ts'
import type { Caller } from '../access/caller.ts'
import type { ActContext, Tool, ToolContext } from '../tools/lib/tool.ts'
import type { Outcome } from '../tools/lib/tool-result.ts'

/** A tool call before anything of it is parsed. */
export interface CallRequest {
  readonly name: string
  /** Untrusted; parsed by the tool. */
  readonly args: unknown
  /** The `_meta` of the request, not parsed yet. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly caller: Caller
  /** The `requestState` of a call that is repeated. Untrusted. */
  readonly state?: unknown
  /** The `inputResponses` of a call that is repeated. Untrusted. */
  readonly responses?: unknown
}

/** The tools of a workspace, in the order in which they are listed. */
export interface ToolSet {
  get(name: string): Tool | undefined
  values(): Iterable<Tool>
  /** Returns the addresses of the apps that show the results of tools to a caller, by the names of the tools. */
  readonly views?: (access: Pick<Access, 'canRead'>) => ReadonlyMap<string, string>
}

/** The services that a call uses. */
export interface CallServices {
  readonly tools: ToolSet
  /** Opens the workspace with the access of one request. */
  readonly openFor: OpenFor
  readonly audit: Audit
  /** Returns the decisions on drafts to report to an owner, and marks them. */
  readonly takeNews: (owner: string, delivery: Delivery<Decision>) => readonly Decision[]
  /** Returns the comments to report to the agent of a draft, and marks them; without it, there are none. */
  readonly takeComments?:
    | ((owner: string, delivery: Delivery<CommentNews>) => readonly CommentNews[])
    | undefined
  /** What callers may request of the owner; without it, nothing. */
  readonly requests?: CallRequests | undefined
  /** Reports the progress of long work. */
  readonly progress?: ToolContext['progress']
  /** Aborted when the client no longer waits for the result. */
  readonly signal?: ToolContext['signal']
  /** Stored previews and applied changes. */
  readonly changes: Changes
  /** Creates links and checkpoints for a caller; a link inherits every restriction of the call. */
  readonly linksFor: (
    caller: Caller,
    metadata: CallMetadata,
  ) => Pick<ActContext, 'delegate' | 'transfer' | 'createCheckpoint'>
  /** Lets calls wait for a person. */
  readonly waits?: Waits
  /** Records every call; absent unless the operator enabled logging or metrics. */
  readonly watch?: Watch | undefined
  /** Notes who calls; absent in tests of single tools. */
  readonly clients?: Pick<RecentClients, 'note'> | undefined
}

/** Lets calls wait for a person; see `waits.ts`. */
export interface Waits {
  /** Returns what asks the person about a change; null if the call cannot wait for it. */
  readonly hold: (request: CallRequest, held: HeldChange) => Promise<Refused | null>
  /** Answers a call that waits already; null for every other call. */
  readonly resume: (
    request: CallRequest,
    services: CallServices,
    began: number,
  ) => Promise<Result<Outcome, Refused> | null>
  /**
   * Records that the result of another call, which came at `began`, has every decision for an owner of a draft so far.
   * A call that is made again after that is a new one.
   */
  readonly settle: (owner: string, began: number) => void
}

/** A change of a call that has to be confirmed, and what the call will answer. */
export interface HeldChange extends WaitingAnswer {
  /** The id of the change. */
  readonly change: string
  readonly draft: Draft
}

/**
 * The draft view: what a caller sees of its draft, of decisions on it, and of its access requests.
 * `test/worker/drafts/drafts.test.ts` and `test/platform/mcp/draft-resource.test.ts` test it.
 *
 * @module
 */

import { resolvePath, type StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import { readScope } from '#core/scope.ts'
import type { Decision, Conflict, Draft, DraftOwner, HeldLevel, PlannedCall } from './draft.ts'
import type { Problem } from '../errors/problem.ts'
import type { AccessRequest } from './access-request.ts'
import type { StoreLimits } from '../store/limits.ts'
import type { Change, Proposal } from '../store/store.ts'
import type { Access } from './access.ts'

/** The drafts of a workspace, as its callers use them; see `drafts/drafts.ts`. */
export interface OpenDrafts {
  readonly of: (owner: string) => Draft | null
  readonly reasonOf: (draft: Draft) => string
  readonly explain: (owner: string, reason: string) => Draft | null
  readonly decidedTimes: (owner: string) => number
  /** Lists an applied change for the owner; `until` is that of the trust by which it passed. */
  readonly notify: (change: Change, budget: string, until: number | null) => void
  readonly decisions: (owner: string) => readonly Decision[]
  readonly hasNews: (owner: string) => boolean
  readonly nextDecision: (owner: string, ms: number, signal?: AbortSignal) => Promise<void>
  readonly waits: (owner: string, change: string) => boolean
  readonly hasLeftOut: (path: StorePath) => boolean
  readonly conflicts: (draft: Draft) => Promise<readonly Conflict[]>
  readonly concerns: (draft: Draft, paths: readonly StorePath[]) => boolean
  /** Lists the drafts of other owners in which a change of a path waits. */
  readonly othersAt: (owner: string, path: StorePath) => readonly Draft[]
  readonly propose: (
    owner: DraftOwner,
    proposed: Proposal & {
      readonly limits: StoreLimits
      readonly level: HeldLevel
      readonly call: PlannedCall | null
    },
  ) => Result<{ readonly change: Change; readonly draft: Draft }, Problem>
}

/** The access requests of a workspace, as its callers see them; see `requests/requests.ts`. */
export interface OpenRequests {
  readonly of: (owner: string) => readonly AccessRequest[]
  readonly hasNews: OpenDrafts['hasNews']
  readonly nextDecision: OpenDrafts['nextDecision']
}

/** The draft and the access requests of a caller. */
export interface DraftStatus {
  readonly open: Draft | null
  /** The reason that the caller gave for it; empty without one. */
  readonly reason: string
  /** The newest decisions, newest first. */
  readonly decisions: readonly Decision[]
  /** The newest access requests, newest first. */
  readonly requests: readonly AccessRequest[]
}

/** The draft of one caller. The owner in person has none. */
export interface DraftView {
  readonly open: () => Draft | null
  readonly status: () => DraftStatus
  /** Replaces the reason of its draft. Returns the draft; null if none is open. */
  readonly explain: (reason: string) => Draft | null
  /** The changes that no longer fit the workspace, without those of paths that the request may not touch. */
  readonly conflicts: () => Promise<readonly Conflict[]>
  /** Whether a change waits in it. */
  readonly waits: (change: string) => boolean
  /** Resolves at the next decision, at once if one is to be reported, after `ms`, or when `signal` is aborted. */
  readonly nextDecision: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The drafts and access requests that a view is made of. */
interface ViewedDrafts {
  readonly drafts: OpenDrafts
  readonly requests?: OpenRequests | undefined
  readonly comments?: Pick<OpenRequests, 'hasNews' | 'nextDecision'> | undefined
}

/** Leaves out of a decision the paths that a request may not touch, and the lines of files that it may not read. */
export function seenDecision(decision: Decision, access: Access): Decision {
  if (access.unrestricted) return decision
  const { paths: all, amended = [] } = decision
  const paths = all.filter((path) => access.maySeeNamed(path))
  const isWhole = paths.length === all.length && amended.every(({ path }) => access.canRead(path))
  if (isWhole) return decision
  const seen = amended.filter(({ path }) => access.maySeeNamed(path))
  const lines = seen.map((one) => (access.canRead(one.path) ? one : { ...one, diff: '' }))
  return { ...decision, paths, ...(decision.amended && { amended: lines }) }
}

/** Whether a request may learn of an access request: its sentence and its scopes name paths. */
function mayName({ paths, scopes }: AccessRequest, access: Access): boolean {
  const named = paths.map((path) => resolvePath(path))
  const opened = scopes.map((text) => readScope(text))
  return [
    ...named.flatMap((path) => (path.ok ? [path.value] : [])),
    ...opened.flatMap((scope) => (scope.ok && scope.value.path ? [scope.value.path] : [])),
  ].every((path) => !access.isKeptFrom(path))
}

/** Leaves out of an access request the scopes that name paths of which the request may not learn. */
export function seenRequest(request: AccessRequest, access: Access): AccessRequest {
  return mayName(request, access) ? request : { ...request, scopes: [] }
}

/** The view of a caller without a draft. */
export const NO_DRAFT: DraftView = {
  open: () => null,
  status: () => ({ open: null, reason: '', decisions: [], requests: [] }),
  explain: () => null,
  conflicts: () => Promise.resolve([]),
  waits: () => false,
  nextDecision: () => Promise.resolve(),
}

/** Builds the view of a caller's draft. */
export function viewDraft(
  { drafts, requests, comments }: ViewedDrafts,
  owner: DraftOwner | null,
  access: Access,
): DraftView {
  if (owner === null) return NO_DRAFT
  const { key } = owner
  return {
    open: () => drafts.of(key),
    status() {
      const open = drafts.of(key)
      return {
        open,
        reason: open ? drafts.reasonOf(open) : '',
        decisions: drafts.decisions(key).map((one) => seenDecision(one, access)),
        requests: (requests?.of(key) ?? []).filter((one) => mayName(one, access)),
      }
    },
    explain: (reason) => drafts.explain(key, reason),
    async nextDecision(ms, signal) {
      // A comment on a path that the caller may not read would be counted by the end of its wait.
      const heard = access.unrestricted ? comments : undefined
      const others = [requests, heard].filter((one) => one !== undefined)
      const decisions = [drafts, ...others]
      if (decisions.some(({ hasNews }) => hasNews(key))) return
      const over = new AbortController()
      const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal
      await Promise.race(decisions.map((one) => one.nextDecision(key, ms, either)))
      over.abort()
    },
    async conflicts() {
      const open = drafts.of(key)
      const all = open ? await drafts.conflicts(open) : []
      return all.filter(({ paths }) => paths.every((path) => access.maySeeNamed(path)))
    },
    waits: (change) => drafts.waits(key, change),
  }
}

/**
 * An act of the owner: what it takes, and what it does. Its address is in `core/owner/acts.ts`.
 *
 * The checks before an act are made in one place and one order (`serve.ts`). An act gets parsed input and the services of
 * the workspace, and writes its own entry of the audit log.
 *
 * @module
 */

import type { ActName, ActSegments } from '#core/owner/acts.ts'
import type { Answer } from '#core/owner/answers.ts'
import type { WorkspaceStatus } from '#core/owner/answers/sessions.ts'
import type * as z from 'zod/mini'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import type { Apps } from '../apps/apps.ts'
import type { AppPages } from '../apps/pages.ts'
import type { Audit } from '../audit/audit.ts'
import { noteDecision, type Decided } from '../audit/decision-note.ts'
import type { Comments } from '../comments/comments.ts'
import type { Inbox } from '../decisions/inbox.ts'
import type { Drafts } from '../drafts/drafts.ts'
import type { Env } from '../env.ts'
import { problem } from '../errors/respond.ts'
import type { RecentClients } from '../sessions/recent-clients.ts'
import type { Leases } from '../leases/leases.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Decider, Passkeys } from '../passkeys/passkeys.ts'
import type { PageLinks } from '../page-links/page-links.ts'
import type { Requests } from '../requests/requests.ts'
import type { Callers } from '../sessions/callers.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Skills } from '../skills/skills.ts'
import type { Trusts } from '../trust/trusts.ts'
import type { Checkpoints } from '../store/store.ts'
import { readArguments } from '../tools/lib/arguments.ts'

/** The services that acts use. */
export interface OwnerServices {
  readonly sessions: Sessions
  readonly callers: Callers
  readonly config: OwnerConfig
  readonly audit: Audit
  readonly inbox: Inbox
  readonly drafts: Drafts
  readonly comments: Comments
  readonly requests: Requests
  readonly checkpoints: Checkpoints
  readonly apps: Apps
  readonly pages: AppPages
  readonly skills: Skills
  readonly passkeys: Passkeys
  readonly trusts: Trusts
  readonly leases: Leases
  readonly clients: RecentClients
  readonly pageLinks: PageLinks
  readonly sql: SqlStorage
  readonly env: Env
  /** The name of the workspace; empty if the platform does not tell it. */
  readonly name: string
  /** Returns the size of the workspace. */
  readonly totals: () => WorkspaceStatus
  /** Opens the workspace as the person sees it: rules restrict agents only. */
  readonly openWhole: () => CallerWorkspace
}

export interface ActRequest {
  readonly request: Request
  readonly query: URLSearchParams
  /** The segments of the path, by their names. */
  readonly segments: Readonly<Record<string, string>>
  /** The JSON object of the body; null if there is none. */
  readonly body: Readonly<Record<string, unknown>> | null
  /** Who acts, on which page. */
  readonly decider: Decider
}

/** A request for one act, with its input. */
export interface Asked<Name extends ActName, Input = null> extends ActRequest {
  readonly input: Input
  /** Returns a segment of the path. */
  readonly segment: (name: ActSegments<Name>) => string
  /** Builds the response with what the act answers: 204 without a body for null, and 200 otherwise. */
  readonly answer: (value: Answer<Name>, init?: ResponseInit) => Response
  /** Writes an entry of the audit log, by default one of the owner. */
  readonly note: (decided: Omit<Decided, 'actor'>) => void
}

/** An act, ready to be served. */
export interface OwnerAct {
  readonly name: ActName
  /** A request without a body and without a media type is one with an empty object. */
  readonly isBodyOptional: boolean
  readonly answer: (request: ActRequest, services: OwnerServices) => MaybePromise<Response>
}

type Run<Name extends ActName, Input> = (
  asked: Asked<Name, Input>,
  services: OwnerServices,
) => MaybePromise<Response>

/** What an act takes, and what it does. */
interface Definition<Name extends ActName, Input> {
  /** The schema of the body. */
  readonly input: z.ZodMiniType<Input>
  readonly isBodyOptional?: boolean
  readonly run: Run<Name, Input>
}

/** Defines an act that takes nothing but the segments and the query of its address. */
export function defineOwnerAct<const Name extends ActName>(
  name: Name,
  run: Run<Name, null>,
): OwnerAct {
  const answer = (given: ActRequest, services: OwnerServices) =>
    run(askedOf(given, null, services), services)
  return { name, isBodyOptional: false, answer }
}

/** Defines an act that takes a JSON object. One that does not fit the schema is refused. */
export function defineOwnerActWith<const Name extends ActName, Input>(
  name: Name,
  { input, run, isBodyOptional = false }: Definition<Name, Input>,
): OwnerAct {
  const answer = (given: ActRequest, services: OwnerServices) => {
    const read = readArguments(input, given.body)
    return read.ok ? run(askedOf(given, read.value, services), services) : problem(read.error)
  }
  return { name, isBodyOptional, answer }
}

function askedOf<Name extends ActName, Input>(
  given: ActRequest,
  input: Input,
  { audit }: OwnerServices,
): Asked<Name, Input> {
  const { actor } = given.decider
  return {
    ...given,
    input,
    segment: (name) => given.segments[name] ?? '',
    answer: (value, init) =>
      value === null ? new Response(null, { status: 204 }) : Response.json(value, init),
    note: (decided) => noteDecision({ ...decided, actor }, audit),
  }
}

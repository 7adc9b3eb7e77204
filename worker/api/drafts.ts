/**
 * `/drafts`: what waits for the owner, and the owner's decisions. Only pages of this origin can decide: a request
 * must come from one, which a browser states in headers that no page can set.
 *
 * `test/worker/drafts/decide.test.ts` has cases of decisions, `test/e2e/drafts-attacks.test.ts` the attacks.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import * as z from 'zod'
import { resolvePath } from '#core/path.ts'
import type { Draft } from '../drafts/draft.ts'
import type { DecisionRequest } from '../drafts/decide.ts'
import type { Drafts } from '../drafts/drafts.ts'
import { MAX_DRAFT_CHANGES, MAX_NOTE_LENGTH } from '../drafts/limits.ts'
import { codeOf, sentence } from '../errors/problem.ts'
import type { Apps } from '../apps/apps.ts'
import type { Act } from '../passkeys/challenges.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Requests } from '../requests/requests.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { effective } from '../store/limits.ts'
import type { Actor } from '../store/change-note.ts'
import { readSetting, writeSetting } from '../store/schema.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { problem, refuse } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'
import { isFromOwnPage, notFromOwnPage } from './own-page.ts'
import { answerProblem, deciderOf, readProof } from './passkey-proof.ts'

/** Entries of one page of changes or files. */
const PAGE = 500

/** The services that these routes use. */
export interface DraftRoutesParts {
  readonly drafts: Drafts
  readonly requests: Pick<Requests, 'waiting'>
  readonly apps: Pick<Apps, 'waiting'>
  readonly passkeys: Pick<Passkeys, 'ask' | 'prove'>
  readonly sql: SqlStorage
  readonly sessions: Pick<Sessions, 'find'>
  readonly config: Pick<OwnerConfig, 'current'>
  readonly actorOf: (request: Request) => Actor
}

const Decision = z.strictObject({
  revision: z.string().max(100),
  /** Groups of the shown changes, or single changes by id; everything without both. */
  groups: z.array(z.int().min(0)).max(MAX_DRAFT_CHANGES).optional(),
  changes: z.array(z.string().max(100)).max(MAX_DRAFT_CHANGES).optional(),
  note: z.string().max(MAX_NOTE_LENGTH).default(''),
})

/** Serves `/drafts` and everything below it. `path` is what follows `/drafts`. */
export async function serveDrafts(
  request: Request,
  path: string,
  parts: DraftRoutesParts,
): Promise<Response> {
  const [, name = '', what = ''] = path.split('/')
  if (name === '') {
    if (!isGet(request)) return notAllowed('GET, HEAD')
    rememberConsole(request, parts.sql)
    return Response.json(await listDrafts(parts))
  }
  const draft = parts.drafts.named(name)
  if (!draft) return problem({ reason: 'no_draft', draft: name })
  if (what === 'approve' || what === 'turn-down')
    return request.method === 'POST' ? decide(request, draft, what, parts) : notAllowed('POST')
  if (!isGet(request)) return notAllowed('GET, HEAD')
  const { searchParams } = new URL(request.url)
  if (what === '') return Response.json(await showDraft(draft, parts))
  if (what === 'changes' || what === 'files')
    return Response.json(await pageOf(draft, what, searchParams, parts))
  if (what === 'diff') return diffOf(draft, searchParams.get('path') ?? '', parts)
  return refuse(404, 'NOT_FOUND', `Not found: ${path}`)
}

const isGet = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** Remembers the address of the console, which notices of the webhook link to. */
function rememberConsole({ url, headers }: Request, sql: SqlStorage): void {
  const { origin } = new URL(url)
  const isPage = headers.get('sec-fetch-site') === 'same-origin'
  if (isPage && readSetting(sql, 'console') !== origin) writeSetting(sql, 'console', origin)
}

async function listDrafts(parts: DraftRoutesParts) {
  const drafts = parts.drafts.all().toSorted((a, b) => b.touched - a.touched)
  const requests = parts.requests.waiting().length
  const apps = await parts.apps.waiting()
  const waiting = drafts.reduce((sum, { changes }) => sum + changes, requests + apps)
  return { waiting, requests, apps, drafts: drafts.map((draft) => summarize(draft, parts)) }
}

function summarize(draft: Draft, { sessions, config }: DraftRoutesParts) {
  const { name, owner, opened, touched, changes } = draft
  const { principal, session, label } = owner
  const seconds = effective(config.current, 'draft_ttl_seconds')
  return {
    ...{
      id: name,
      actor: describeActor(draft.owner),
      principal,
      session,
      label,
      opened,
      touched,
      changes,
    },
    expires: touched + seconds * 1000,
    // Its agent is gone; the owner can still decide.
    ended: session !== null && sessions.find(session) === null,
  }
}

function showDraft(draft: Draft, parts: DraftRoutesParts) {
  return parts.drafts.review(draft, ({ revision, changes, files }) => {
    const all = files()
    return {
      ...summarize(draft, parts),
      revision,
      changes: changes.slice(0, PAGE),
      changes_left_out: Math.max(0, changes.length - PAGE),
      files: all.slice(0, PAGE),
      files_left_out: Math.max(0, all.length - PAGE),
    }
  })
}

function pageOf(
  draft: Draft,
  what: 'changes' | 'files',
  params: URLSearchParams,
  { drafts }: DraftRoutesParts,
) {
  return drafts.review(draft, ({ revision, changes, files }) => {
    const start = offsetIn(params)
    const all: readonly unknown[] = what === 'files' ? files() : changes
    const left = Math.max(0, all.length - start - PAGE)
    return { revision, [what]: all.slice(start, start + PAGE), left }
  })
}

const offsetIn = (params: URLSearchParams) =>
  Math.max(0, Math.min(Number.parseInt(params.get('offset') ?? '0', 10) || 0, 1_000_000))

async function diffOf(draft: Draft, text: string, parts: DraftRoutesParts): Promise<Response> {
  const path = resolvePath(text)
  if (!path.ok) return problem({ reason: 'bad_path', text, detail: path.error })
  return parts.drafts.review(draft, async ({ revision, diff }) => {
    const file = await diff(path.value)
    if (!file) return problem({ reason: 'not_found', path: path.value })
    return Response.json({ revision, file })
  })
}

async function decide(
  request: Request,
  draft: Draft,
  what: 'approve' | 'turn-down',
  parts: DraftRoutesParts,
): Promise<Response> {
  const body = await readSentJson(request)
  if (!isFromOwnPage(request)) return notFromOwnPage()
  if (!body.ok) return body.error
  const read = readArguments(Decision, body.value)
  if (!read.ok) return refuse(400, codeOf(read.error), sentence(read.error))
  const actor = parts.actorOf(request)
  const decision: DecisionRequest = { ...read.value, by: actor.principal }
  if (what === 'approve') return approve(request, draft, decision, { ...parts, actor })
  const done = await parts.drafts.turnDown(draft.name, decision)
  return done.ok ? Response.json(done.value) : problem(done.error)
}

async function approve(
  request: Request,
  { name }: Draft,
  decision: DecisionRequest,
  { drafts, passkeys, actor }: DraftRoutesParts & { readonly actor: Actor },
): Promise<Response> {
  const { revision, groups = null, changes = null, note } = decision
  const act: Act = ['approve_draft', name, revision, groups, changes, note]
  const decider = deciderOf(request, actor)
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  const done = await drafts.approve(name, { ...decision, passkey: proof.value })
  return done.ok ? Response.json(done.value) : answerProblem(done.error, act, decider, passkeys)
}

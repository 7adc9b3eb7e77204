/**
 * `/apps`: the apps of the workspace, and the owner's decisions on them. Only pages of this origin can decide, as
 * with `/drafts`.
 *
 * `test/worker/api/apps.test.ts` has the cases.
 *
 * @module
 */

import { isAppName } from '#core/apps/name.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod'
import type { ReadStore } from '../access/workspace.ts'
import type { AppReview, Apps } from '../apps/apps.ts'
import { MAX_APP_FILES } from '../apps/limits.ts'
import { folderOf } from '../apps/place.ts'
import type { AppPages } from '../apps/pages.ts'
import type { Audit } from '../audit/audit.ts'
import { BY_OWNER, noteDecision } from '../call/audit-note.ts'
import { codeOf, sentence } from '../errors/problem.ts'
import type { Actor } from '../store/change-note.ts'
import type { Act } from '../passkeys/challenges.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { describeFiles, diffOf, openFile } from './app-files.ts'
import { problem, refuse } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'
import { isFromOwnPage, notFromOwnPage } from './own-page.ts'
import { answerProblem, deciderOf, readProof } from './passkey-proof.ts'

/** The services that these routes use. */
export interface AppRoutesParts {
  readonly apps: Apps
  readonly pages: Pick<AppPages, 'preview'>
  readonly passkeys: Pick<Passkeys, 'ask' | 'isMissing' | 'prove'>
  readonly audit: Audit
  /** All files of the workspace. */
  readonly files: ReadStore
  readonly actorOf: (request: Request) => Actor
}

const Decision = z.strictObject({
  revision: z.string().max(100),
  unseen: z.array(z.string().max(2_000)).max(MAX_APP_FILES).optional(),
})

const Manifest = z.strictObject({ manifest: z.string() })

/** The states that a decision can give an app, by the end of its address. */
const ANSWERS = { approve: 'approved', 'turn-down': 'turned_down' } as const

/** Serves `/apps` and everything below it. `path` is what follows `/apps`. */
export async function serveApps(
  request: Request,
  path: string,
  parts: AppRoutesParts,
): Promise<Response> {
  const [, segment = '', what = ''] = path.split('/')
  const name = decode(segment)
  const isGet = request.method === 'GET' || request.method === 'HEAD'
  const sent = isGet ? ok(null) : await readSentJson(request)
  if (name === '') return isGet ? listApps(parts) : notAllowed('GET, HEAD')
  if (what === '') return isGet ? showApp(name, parts) : notAllowed('GET, HEAD')
  if (what === 'diff') return isGet ? diffOf(request, name, parts) : notAllowed('GET, HEAD')
  if (what === 'file') return isGet ? openFile(request, name, parts) : notAllowed('GET, HEAD')
  if (what === 'preview') return isGet ? notAllowed('POST') : preview(name, sent, parts)
  if (what !== 'approve' && what !== 'turn-down' && what !== 'withdraw')
    return refuse(404, 'NOT_FOUND', `Not found: ${path}`)
  if (!sent.ok) return sent.error
  if (request.method !== 'POST') return notAllowed('POST')
  if (!isFromOwnPage(request)) return notFromOwnPage()
  return what === 'withdraw'
    ? withdraw(request, name, parts)
    : decide(request, { name, state: ANSWERS[what], body: sent.value }, parts)
}

/** An app in a folder of mcp-bash has slashes in its name. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

async function listApps({ apps, files }: AppRoutesParts): Promise<Response> {
  const reviews = await apps.reviews()
  const waiting = reviews.filter(({ state }) => state === 'waiting').length
  const described = await Promise.all(reviews.map((review) => describe(review, files)))
  return Response.json({ waiting, left: apps.left(), apps: described })
}

async function showApp(name: string, { apps, files }: AppRoutesParts): Promise<Response> {
  const review = await apps.review(name)
  return review
    ? Response.json(await describe(review, files))
    : problem({ reason: 'no_app', app: name })
}

/** Shows what an app would be with a manifest that is only sent, and whether its name is free. Changes nothing. */
async function preview(
  name: string,
  sent: Awaited<ReturnType<typeof readSentJson>>,
  { pages, files }: AppRoutesParts,
): Promise<Response> {
  if (!sent.ok) return sent.error
  const read = readArguments(Manifest, sent.value)
  if (!read.ok) return refuse(400, codeOf(read.error), sentence(read.error))
  const made = await pages.preview(name, read.value.manifest)
  const taken = isAppName(name) && files.stat(folderOf(name)) !== null
  return Response.json(
    made.ok ? { taken, problems: [], ...made.value } : { taken, problems: made.error },
  )
}

async function describe(review: AppReview, store: ReadStore) {
  const { folder, revision, manifest, state, decision } = review
  return {
    ...{ name: folder.name, revision, state },
    manifest: manifest.ok ? manifest.value : null,
    problems: manifest.ok ? [] : manifest.error,
    files: await describeFiles(review, store),
    decided: decision && {
      state: decision.state,
      at: decision.at,
      manifest: decision.manifest,
    },
  }
}

interface Asked {
  readonly name: string
  readonly state: (typeof ANSWERS)[keyof typeof ANSWERS]
  readonly body: unknown
}

async function decide(
  request: Request,
  { name, state, body }: Asked,
  { apps, files, passkeys, audit, actorOf }: AppRoutesParts,
): Promise<Response> {
  const read = readArguments(Decision, body)
  if (!read.ok) return refuse(400, codeOf(read.error), sentence(read.error))
  const { revision, unseen = [] } = read.value
  const actor = actorOf(request)
  const decider = deciderOf(request, actor)
  const act: Act = ['approve_app', name, revision, unseen]
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  const isApproved = state === 'approved'
  if (isApproved && passkeys.isMissing('allow', proof.value))
    return answerProblem({ reason: 'passkey_required' }, act, decider, passkeys)
  const decided = await apps.decide(name, { revision, state, unseen }, actor)
  if (!decided.ok) return problem(decided.error)
  const intent = `${isApproved ? 'Approve' : 'Turn down'} the app ${name}`
  const tool = isApproved ? 'approve_app' : 'turn_down_app'
  const decision = [...BY_OWNER, ...(proof.value ? [proof.value] : [])]
  noteDecision({ actor, tool, intent, request: { name, revision }, decision }, audit)
  return Response.json(await describe(decided.value, files))
}

function withdraw(
  request: Request,
  name: string,
  { apps, audit, actorOf }: AppRoutesParts,
): Response {
  const taken = apps.withdraw(name)
  if (!taken.ok) return problem(taken.error)
  const intent = `Take back the decision on the app ${name}`
  noteDecision({ actor: actorOf(request), tool: 'withdraw_app', intent, request: { name } }, audit)
  return Response.json({ name, state: 'waiting' })
}

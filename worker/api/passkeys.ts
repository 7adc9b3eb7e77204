/**
 * `/passkeys`: the owner's passkeys. A second one, and removing one at once, need a passkey; without any,
 * removing takes the owner's secret and a day. Only pages of this origin can change them.
 *
 * `test/worker/passkeys/passkeys.test.ts` has the cases.
 *
 * @module
 */

import type { Result } from '#core/result.ts'
import * as z from 'zod'
import type { Env } from '../env.ts'
import { codeOf, sentence, type Problem } from '../errors/problem.ts'
import { MAX_SECRET_LENGTH } from '../auth/limits.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { Registration } from '../passkeys/answers.ts'
import type { Act } from '../passkeys/challenges.ts'
import { MAX_PASSKEY_LABEL_LENGTH, MAX_REMOVAL_SECONDS } from '../passkeys/limits.ts'
import { loadVerify } from '../passkeys/load.ts'
import type { Decider, Passkeys } from '../passkeys/passkeys.ts'
import type { Passkey } from '../passkeys/table.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { Actor } from '../store/change-note.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { problem, refuse } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'
import { isFromOwnPage, notFromOwnPage, ownAddress } from './own-page.ts'
import { answerProblem, deciderOf, readProof } from './passkey-proof.ts'

/** The services that these routes use. */
export interface PasskeyRoutesParts {
  readonly passkeys: Passkeys
  readonly config: Pick<OwnerConfig, 'current'>
  readonly env: Env
  readonly actorOf: (request: Request) => Actor
}

const label = z.string().trim().min(1).max(MAX_PASSKEY_LABEL_LENGTH)
const Finish = z.strictObject({ label, response: Registration })
const Rename = z.strictObject({ label })
const Removal = z.strictObject({ secret: z.string().max(MAX_SECRET_LENGTH).default('') })

/** A request that changes passkeys, from a page of this origin. */
interface Change {
  readonly request: Request
  readonly body: unknown
  readonly decider: Decider
  readonly parts: PasskeyRoutesParts
}

/** Serves `/passkeys` and everything below it. `path` is what follows `/passkeys`. */
export async function servePasskeys(
  request: Request,
  path: string,
  parts: PasskeyRoutesParts,
): Promise<Response> {
  const { method } = request
  if (path === '' && (method === 'GET' || method === 'HEAD'))
    return Response.json(list(request, parts))
  const sent = await readSentJson(request)
  const [, id = '', what = '', ...more] = path.split('/')
  const allowed = more.length > 0 ? null : METHODS[nameRoute(id, what)]
  if (!allowed) return refuse(404, 'NOT_FOUND', `Not found: ${path}`)
  if (!allowed.includes(method)) return notAllowed(allowed.join(', '))
  if (!isFromOwnPage(request)) return notFromOwnPage()
  if (method === 'POST' && !sent.ok) return sent.error
  const decider = deciderOf(request, parts.actorOf(request))
  const body = sent.ok ? sent.value : null
  return change(id, what, { request, body, decider, parts })
}

const nameRoute = (id: string, what: string) =>
  id === '' || id === 'begin' ? `${id}${what}` : `one${what}`

const METHODS: Readonly<Record<string, readonly string[] | undefined>> = {
  '': ['GET', 'HEAD', 'POST'],
  begin: ['POST'],
  one: ['DELETE'],
  onerename: ['POST'],
  oneremoval: ['POST', 'DELETE'],
}

function change(id: string, what: string, given: Change): MaybePromise<Response> {
  const { request, decider, parts } = given
  if (id === '') return finish(given)
  if (id === 'begin') return begin(given)
  if (what === '') return remove(id, given)
  if (what === 'rename') return rename(id, given)
  if (request.method === 'POST') return removeLater(id, given)
  return answer(parts.passkeys.keep(id, decider), given)
}

/** Lists the passkeys, with what the page has to know about the rule and about this address. */
function list(request: Request, { passkeys, config, env }: PasskeyRoutesParts) {
  return {
    passkeys: passkeys.all().map(describe),
    rule: config.current.passkey,
    host: ownAddress(request).host,
    needs_secret: Boolean(env.EDGEWISE_OWNER_SECRET),
    removal_seconds: MAX_REMOVAL_SECONDS,
  }
}

function describe({ id, label, host, created, used, removal }: Passkey) {
  return { id, label, host, created, used, removal }
}

/** Answers with the list as it is after a change, or with the problem. */
function answer(done: Result<unknown, Problem>, { request, parts }: Change): Response {
  return done.ok ? Response.json(list(request, parts)) : problem(done.error)
}

const invalid = (fault: Problem) => refuse(400, codeOf(fault), sentence(fault))

const REGISTER: Act = ['register_passkey']

async function begin({ request, decider, parts: { passkeys } }: Change): Promise<Response> {
  const proof = await readProof(request, REGISTER, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  if (passkeys.isMissing('manage', proof.value))
    return answerProblem({ reason: 'passkey_required' }, REGISTER, decider, passkeys)
  const options = passkeys.begin(decider)
  return options.ok ? Response.json(options.value) : problem(options.error)
}

async function finish(given: Change): Promise<Response> {
  const read = readArguments(Finish, given.body)
  if (!read.ok) return invalid(read.error)
  const { label, response } = read.value
  return answer(await given.parts.passkeys.finish(label, response, given.decider), given)
}

function rename(id: string, given: Change): Response {
  const read = readArguments(Rename, given.body)
  if (!read.ok) return invalid(read.error)
  return answer(given.parts.passkeys.rename(id, read.value.label, given.decider), given)
}

async function remove(id: string, given: Change): Promise<Response> {
  const { request, decider, parts } = given
  const { passkeys } = parts
  const act: Act = ['remove_passkey', id]
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  const { value } = proof
  if (value === null || passkeys.isMissing('manage', value)) {
    const isKnown = passkeys.all().some((passkey) => passkey.id === id)
    const fault: Problem = isKnown
      ? { reason: 'passkey_required' }
      : { reason: 'no_passkey', passkey: id }
    return answerProblem(fault, act, decider, passkeys)
  }
  return answer(passkeys.remove(id, value, decider), given)
}

async function removeLater(id: string, given: Change): Promise<Response> {
  const { request, body, decider, parts } = given
  const read = readArguments(Removal, body ?? {})
  if (!read.ok) return invalid(read.error)
  const refused = await refuseSecret(read.value.secret, request, parts.env)
  return refused ?? answer(parts.passkeys.removeLater(id, decider), given)
}

/** Refuses a wrong secret, where the deployment has one. */
async function refuseSecret(secret: string, request: Request, env: Env): Promise<Response | null> {
  if (!env.EDGEWISE_OWNER_SECRET) return null
  const { checkSecret } = await loadVerify()
  const checked = await checkSecret(secret, request, env)
  if (checked.is === 'right') return null
  if (checked.is !== 'too_many')
    return refuse(403, 'WRONG_SECRET', 'Cannot remove the passkey: the secret is wrong. Try again.')
  const seconds = String(checked.wait)
  const message = `Cannot remove the passkey: too many attempts. Try again in ${seconds} seconds.`
  return refuse(429, 'TOO_MANY_ATTEMPTS', message, { 'retry-after': seconds })
}

/**
 * `/config`: reads and replaces the configuration of the workspace. Each change is an entry of the audit log.
 * Loosening the rules can need a passkey. What is read and
 * replaced are the rules without the flags of the server, which restrict them; `/config/flags` has those. The entity tag
 * names the rules, the deployed fields included.
 * `test/worker/api/config.test.ts` has the cases.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { DEFAULT_CONFIG, formatConfig, type Config, type ConfigProblems } from '#core/config.ts'
import type { JsonRecord } from '#core/json.ts'
import { BY_OWNER, noteDecision } from '../call/audit-note.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { Audit } from '../audit/audit.ts'
import type { Act } from '../passkeys/challenges.ts'
import { isLoosened } from '../passkeys/loosening.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Actor } from '../store/change-note.ts'
import { listsTag, problem, refuse } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'
import { answerProblem, deciderOf, readProof } from './passkey-proof.ts'

/** The services that this route uses. */
export interface ConfigParts {
  readonly config: OwnerConfig
  readonly audit: Audit
  readonly passkeys: Pick<Passkeys, 'ask' | 'isMissing' | 'prove'>
  readonly actorOf: (request: Request) => Actor
}

/** Serves `/config`. A refused configuration is answered with all its problems. */
export async function serveConfig(request: Request, parts: ConfigParts): Promise<Response> {
  if (request.method === 'GET') return describe(parts.config.wanted)
  return request.method === 'PUT' ? replace(request, parts) : notAllowed('GET, PUT')
}

async function replace(request: Request, parts: ConfigParts): Promise<Response> {
  const { config, audit, passkeys, actorOf } = parts
  const body = await readSentJson(request)
  if (!body.ok) return body.error
  const given = body.value
  const read = config.parse(given)
  if (!read.ok) return refuseConfig(read.error)
  const actor = actorOf(request)
  const decider = deciderOf(request, actor)
  const act: Act = ['configure', formatConfig(read.value)]
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  // Nothing may come between these checks and the change.
  const match = request.headers.get('if-match')
  if (match !== null && !listsTag(match, tagOf(config.wanted))) return refuseChanged()
  // Flags end with this start of the server, so that rules which they hide can be looser.
  if (isLoosened(config.wanted, read.value) && passkeys.isMissing('loosen', proof.value))
    return answerProblem({ reason: 'passkey_required' }, act, decider, passkeys)
  config.store(given)
  const decision = [...BY_OWNER, ...(proof.value ? [proof.value] : [])]
  const intent = describeConfiguration(given)
  noteDecision({ actor, tool: 'configure', intent, request: given, decision }, audit)
  return describe(read.value)
}

/** Serves `/config/flags`: the fields that restrict the rules, whatever is stored. */
export function serveFlags({ method }: Request, { config: { flags } }: ConfigParts): Response {
  if (method !== 'GET') return notAllowed('GET')
  const formatted = Object.entries(formatConfig({ ...DEFAULT_CONFIG, ...flags }))
  return Response.json(Object.fromEntries(formatted.filter(([name]) => Object.hasOwn(flags, name))))
}

function describe(config: Config): Response {
  const headers = { etag: tagOf(config), 'cache-control': 'no-store' }
  return Response.json(formatConfig(config), { headers })
}

const tagOf = (config: Config) =>
  `"${hash('sha256', JSON.stringify(formatConfig(config)), 'base64url')}"`

function refuseChanged(): Response {
  const message =
    'Cannot set the configuration: it was changed since it was read. Nothing was changed. Read it again, then repeat the change.'
  return refuse(412, 'VERSION_CONFLICT', message)
}

const refuseConfig = (problems: ConfigProblems) => listProblems(problems, problems[0].message, 400)

/**
 * Returns the 503 that answers requests while what is stored cannot be used. Links and signed-in clients do not learn
 * what is wrong with it: a problem can name a path that the rules hide.
 */
export function refuseUnreadable(problems: ConfigProblems, isOwner: boolean): Response {
  const subject = 'Cannot use the stored configuration'
  if (!isOwner) return refuse(503, 'INVALID_CONFIG', `${subject}. Ask the owner of the workspace.`)
  const message = `${subject}: ${problems[0].message}. Deploy the release that stored it, or store another with PUT /config.`
  return listProblems(problems, message, 503)
}

const listProblems = (problems: ConfigProblems, message: string, status: number) =>
  Response.json({ code: 'INVALID_CONFIG', message, problems }, { status })

function describeConfiguration(given: JsonRecord | null): string {
  const fields = Object.keys(given ?? {})
  return `Set the configuration: ${fields.length === 0 ? 'as deployed' : fields.join(', ')}`
}

/**
 * `/config`: reads and replaces the configuration of the workspace. Each change is an entry of the audit log.
 * Loosening the rules can need a passkey. What is read and
 * replaced are the rules without the flags of the server, which restrict them; `/config/flags` has those. The entity tag
 * names the rules, the deployed fields included.
 * `test/worker/owner/config.test.ts` has the cases.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { DEFAULT_CONFIG, formatConfig, type Config, type ConfigProblems } from '#core/config.ts'
import type { JsonRecord } from '#core/json.ts'
import * as z from 'zod/mini'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { Act } from '../passkeys/challenges.ts'
import { isLoosened } from '../passkeys/loosening.ts'
import { listsTag } from '../http.ts'
import { problem, refuse } from '../errors/respond.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import { answerProblem, groundsOf, readProof } from './passkey-proof.ts'

/** Reading and replacing the configuration. A refused one is answered with all its problems. */
export const CONFIG_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('read_config', ({ answer }, { config }) => describe(config.wanted, answer)),
  defineOwnerAct('read_flags', ({ answer }, { config }) => answer(describeFlags(config))),
  defineOwnerActWith('configure', { input: z.unknown(), run: replace }),
]

async function replace(
  { request, body: given, decider, note, answer }: Asked<'configure', unknown>,
  { config, passkeys }: OwnerServices,
): Promise<Response> {
  const read = config.parse(given)
  if (!read.ok) return refuseConfig(read.error)
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
  const intent = describeConfiguration(given)
  note({ tool: 'configure', intent, request: given, decision: groundsOf(proof.value) })
  return describe(read.value, answer)
}

/** Describes the fields that restrict the rules, whatever is stored. */
function describeFlags({ flags }: Pick<OwnerConfig, 'flags'>): JsonRecord {
  const formatted = Object.entries(formatConfig({ ...DEFAULT_CONFIG, ...flags }))
  return Object.fromEntries(formatted.filter(([name]) => Object.hasOwn(flags, name)))
}

function describe(config: Config, answer: Asked<'read_config'>['answer']): Response {
  const headers = { etag: tagOf(config), 'cache-control': 'no-store' }
  return answer({ ...formatConfig(config) }, { headers })
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

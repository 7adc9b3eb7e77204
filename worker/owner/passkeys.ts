/**
 * `/passkeys`: the owner's passkeys. A second one, and removing one at once, need a passkey; without any,
 * removing takes the owner's secret and a day, which a program can ask for as well. Otherwise only pages of this origin can
 * change them.
 *
 * `test/worker/passkeys/passkeys.test.ts` has the cases.
 *
 * @module
 */

import type { Ground } from '#core/grounds.ts'
import type { Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { Env } from '../env.ts'
import type { Problem } from '../errors/problem.ts'
import { BY_OWNER } from '../audit/decision-note.ts'
import { MAX_SECRET_LENGTH } from '../auth/limits.ts'
import { Registration } from '../passkeys/answers.ts'
import type { Act } from '../passkeys/challenges.ts'
import { MAX_PASSKEY_LABEL_LENGTH, MAX_REMOVAL_SECONDS } from '../passkeys/limits.ts'
import { loadVerify } from '../passkeys/load.ts'
import type { Passkey } from '../passkeys/table.ts'
import { problem, refuse } from '../errors/respond.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import { isFromOtherPage, isFromOwnPage, notFromOwnPage, ownAddress } from './own-page.ts'
import { answerProblem, proofFor, readProof } from './passkey-proof.ts'

const label = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PASSKEY_LABEL_LENGTH))
const Finish = z.strictObject({ label, response: Registration })
const Rename = z.strictObject({ label })
const Removal = z.strictObject({
  secret: z._default(z.string().check(z.maxLength(MAX_SECRET_LENGTH)), ''),
})

/** The passkeys, and every change of them, which answers with the list. */
export const PASSKEY_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_passkeys', ({ request, answer }, services) =>
    answer(list(request, services)),
  ),
  defineOwnerActWith('begin_passkey', { input: z.unknown(), run: begin }),
  defineOwnerActWith('register_passkey', {
    input: Finish,
    run: async (asked, services) => {
      const { label: name, response } = asked.input
      const { passkeys } = services
      return answerList(await passkeys.finish(name, response, asked.decider), asked, services)
    },
  }),
  defineOwnerActWith('rename_passkey', {
    input: Rename,
    run(asked, services) {
      const id = asked.segment('passkey')
      const done = services.passkeys.rename(id, asked.input.label, asked.decider)
      return answerList(done, asked, services)
    },
  }),
  defineOwnerAct('remove_passkey', remove),
  defineOwnerActWith('remove_passkey_later', {
    input: Removal,
    run: removeLater,
  }),
  defineOwnerAct('keep_passkey', (asked, services) =>
    answerList(services.passkeys.keep(asked.segment('passkey'), asked.decider), asked, services),
  ),
]

/** Lists the passkeys, with what the page has to know about the rule and about this address. */
function list(request: Request, { passkeys, config, env }: OwnerServices) {
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
function answerList(
  done: Result<unknown, Problem>,
  { request, answer }: Pick<Asked<'list_passkeys'>, 'request' | 'answer'>,
  services: OwnerServices,
): Response {
  return done.ok ? answer(list(request, services)) : problem(done.error)
}

async function begin(
  asked: Asked<'begin_passkey', unknown>,
  { passkeys }: OwnerServices,
): Promise<Response> {
  const proof = await proofFor(asked, { act: ['register_passkey'], kind: 'manage' }, passkeys)
  if (!proof.ok) return proof.error
  const options = passkeys.begin(asked.decider)
  return options.ok ? asked.answer(options.value) : problem(options.error)
}

async function remove(asked: Asked<'remove_passkey'>, services: OwnerServices): Promise<Response> {
  const { request, segment, decider } = asked
  const { passkeys } = services
  const id = segment('passkey')
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
  return answerList(passkeys.remove(id, value, decider), asked, services)
}

/** Whether a page of another origin sent it, or a program where there is no secret that it could prove. */
const isFromStranger = (request: Request, { EDGEWISE_OWNER_SECRET: secret }: Env) =>
  secret ? isFromOtherPage(request) : !isFromOwnPage(request)

async function removeLater(
  { input, request, segment, decider, answer }: Asked<'remove_passkey_later', { secret: string }>,
  services: OwnerServices,
): Promise<Response> {
  const { env, passkeys } = services
  if (isFromStranger(request, env)) return notFromOwnPage()
  const refused = await refuseSecret(input.secret, request, env)
  if (refused) return refused
  const grounds: Ground[] = [...BY_OWNER, ...(env.EDGEWISE_OWNER_SECRET ? [BY_SECRET] : [])]
  const done = passkeys.removeLater(segment('passkey'), decider, grounds)
  return answerList(done, { request, answer }, services)
}

const BY_SECRET: Ground = { kind: 'secret' }

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

/**
 * `/skills`: the skills of the workspace, and the owner's decisions on them. Only pages of this origin can decide, as
 * with `/apps`.
 *
 * `test/worker/owner/skills.test.ts` has the cases.
 *
 * @module
 */

import * as z from 'zod/mini'
import { resolveAccess } from '../access/access.ts'
import { JudgingSpent } from '../access/judging.ts'
import { problem } from '../errors/respond.ts'
import type { Act } from '../passkeys/challenges.ts'
import { MAX_SKILL_FILES } from '../skills/limits.ts'
import { SKILL_PROBLEMS, type SkillReview } from '../skills/skills.ts'
import { isSeen } from '../skills/view.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import { compareFile, describeFolder, openFile } from './approved-files.ts'
import * as fields from './fields.ts'
import { groundsOf, proofFor } from './passkey-proof.ts'

const Decision = z.strictObject({
  revision: fields.id,
  unseen: z.optional(fields.listOf(fields.text, MAX_SKILL_FILES)),
})

/** Another body was meant for something else, such as an MCP endpoint. */
const Nothing = z.strictObject({})

/** The skills, and the owner's decisions on them. */
export const SKILL_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_skills', listSkills),
  defineOwnerAct('show_skill', showSkill),
  defineOwnerAct('compare_skill_file', compare),
  defineOwnerAct('open_skill_file', ({ request, segment }, services) =>
    openFile(request, segment('skill'), filesParts(services)),
  ),
  defineOwnerActWith('approve_skill', {
    input: Decision,
    run: (asked, services) => decide(asked, 'approved', services),
  }),
  defineOwnerActWith('turn_down_skill', {
    input: Decision,
    run: (asked, services) => decide(asked, 'turned_down', services),
  }),
  defineOwnerActWith('withdraw_skill', { input: Nothing, run: withdraw }),
]

const filesParts = ({ skills, openWhole }: OwnerServices) => ({
  filesOf: skills.filesOf,
  files: openWhole().store,
  problems: SKILL_PROBLEMS,
})

async function compare(
  { query, segment, answer }: Asked<'compare_skill_file'>,
  services: OwnerServices,
): Promise<Response> {
  const compared = await compareFile(query, segment('skill'), filesParts(services))
  return compared.ok ? answer(compared.value) : problem(compared.error)
}

async function listSkills(
  { answer }: Asked<'list_skills'>,
  { skills, openWhole }: OwnerServices,
): Promise<Response> {
  const { store } = openWhole()
  const reviews = await skills.reviews()
  const waiting = reviews.filter(({ state }) => state === 'waiting').length
  const described = await Promise.all(reviews.map((review) => describeFolder(review, store)))
  return answer({ waiting, left: skills.left(), skills: described })
}

async function showSkill(
  { segment, answer }: Asked<'show_skill'>,
  services: OwnerServices,
): Promise<Response> {
  const name = segment('skill')
  const review = await services.skills.review(name)
  if (!review) return problem(SKILL_PROBLEMS.missing(name))
  const described = await describeFolder(review, services.openWhole().store)
  return answer({ ...described, readers: listReaders(review, services) })
}

/** Lists the sessions with whether each may read all files of a skill: only then it has the skill. */
function listReaders(review: SkillReview, { sessions, callers }: OwnerServices) {
  return sessions.list().sessions.map(({ id, label }) => {
    const session = sessions.find(id)
    const caller = session && callers.lastCallerOf(session)
    const access = caller && resolveAccess(callers.inReview(caller).working)
    const sees = access?.ok === true && judge(() => isSeen(review, access.value))
    return { session: id, label, sees }
  })
}

/** A session that has no steps left to judge its paths has nothing now. */
function judge(work: () => boolean): boolean {
  try {
    return work()
  } catch (error) {
    if (error instanceof JudgingSpent) return false
    throw error
  }
}

async function decide(
  asked: Asked<'approve_skill' | 'turn_down_skill', z.infer<typeof Decision>>,
  state: 'approved' | 'turned_down',
  { skills, passkeys, openWhole }: OwnerServices,
): Promise<Response> {
  const { revision, unseen = [] } = asked.input
  const name = asked.segment('skill')
  const act: Act = ['approve_skill', name, revision, unseen]
  const isApproved = state === 'approved'
  const proof = await proofFor(asked, { act, kind: isApproved ? 'allow' : null }, passkeys)
  if (!proof.ok) return proof.error
  const decided = await skills.decide(name, { revision, state, unseen }, asked.decider.actor)
  if (!decided.ok) return problem(decided.error)
  const intent = `${isApproved ? 'Approve' : 'Turn down'} the skill ${name}`
  const tool = isApproved ? 'approve_skill' : 'turn_down_skill'
  const decision = groundsOf(proof.value)
  asked.note({ tool, intent, request: { name, revision }, decision })
  return asked.answer(await describeFolder(decided.value, openWhole().store))
}

function withdraw(
  { segment, note, answer }: Asked<'withdraw_skill', z.infer<typeof Nothing>>,
  { skills }: OwnerServices,
): Response {
  const name = segment('skill')
  const taken = skills.withdraw(name)
  if (!taken.ok) return problem(taken.error)
  const intent = `Take back the decision on the skill ${name}`
  note({ tool: 'withdraw_skill', intent, request: { name } })
  return answer({ name, state: 'waiting' })
}

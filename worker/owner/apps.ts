/**
 * `/apps`: the apps of the workspace, and the owner's decisions on them. Only pages of this origin can decide, as
 * with `/drafts`.
 *
 * `test/worker/owner/apps.test.ts` has the cases.
 *
 * @module
 */

import { isAppName } from '#core/apps/name.ts'
import * as z from 'zod/mini'
import { APP_PROBLEMS } from '../apps/apps.ts'
import { MAX_APP_FILES } from '../apps/limits.ts'
import { folderOf } from '../apps/place.ts'
import type { Act } from '../passkeys/challenges.ts'
import { compareFile, describeFolder, openFile } from './approved-files.ts'
import { problem } from '../errors/respond.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import * as fields from './fields.ts'
import { groundsOf, proofFor } from './passkey-proof.ts'

const Decision = z.strictObject({
  revision: fields.id,
  unseen: z.optional(fields.listOf(fields.text, MAX_APP_FILES)),
})

/** Another body was meant for something else, such as an MCP endpoint. */
const Nothing = z.strictObject({})
const Manifest = z.strictObject({ manifest: z.string() })

/** The apps, what they would be, and the owner's decisions on them. An app in a folder of mcp-bash has slashes in its name. */
export const APP_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_apps', listApps),
  defineOwnerAct('show_app', showApp),
  defineOwnerAct('compare_app_file', compare),
  defineOwnerAct('open_app_file', ({ request, segment }, services) =>
    openFile(request, segment('app'), filesParts(services)),
  ),
  defineOwnerActWith('preview_app', { input: Manifest, run: preview }),
  defineOwnerActWith('approve_app', {
    input: Decision,
    run: (asked, services) => decide(asked, 'approved', services),
  }),
  defineOwnerActWith('turn_down_app', {
    input: Decision,
    run: (asked, services) => decide(asked, 'turned_down', services),
  }),
  defineOwnerActWith('withdraw_app', { input: Nothing, run: withdraw }),
]

const filesParts = ({ apps, openWhole }: OwnerServices) => ({
  filesOf: apps.filesOf,
  files: openWhole().store,
  problems: APP_PROBLEMS,
})

async function compare(
  { query, segment, answer }: Asked<'compare_app_file'>,
  services: OwnerServices,
): Promise<Response> {
  const compared = await compareFile(query, segment('app'), filesParts(services))
  return compared.ok ? answer(compared.value) : problem(compared.error)
}

async function listApps(
  { answer }: Asked<'list_apps'>,
  { apps, openWhole }: OwnerServices,
): Promise<Response> {
  const { store } = openWhole()
  const reviews = await apps.reviews()
  const waiting = reviews.filter(({ state }) => state === 'waiting').length
  const described = await Promise.all(reviews.map((review) => describeFolder(review, store)))
  return answer({ waiting, left: apps.left(), apps: described })
}

async function showApp(
  { segment, answer }: Asked<'show_app'>,
  { apps, openWhole }: OwnerServices,
): Promise<Response> {
  const name = segment('app')
  const review = await apps.review(name)
  return review
    ? answer(await describeFolder(review, openWhole().store))
    : problem({ reason: 'no_app', app: name })
}

/** Shows what an app would be with a manifest that is only sent, and whether its name is free. Changes nothing. */
async function preview(
  { input: { manifest }, segment, answer }: Asked<'preview_app', z.infer<typeof Manifest>>,
  { pages, openWhole }: OwnerServices,
): Promise<Response> {
  const name = segment('app')
  const made = await pages.preview(name, manifest)
  const taken = isAppName(name) && openWhole().store.stat(folderOf(name)) !== null
  return answer(made.ok ? { taken, problems: [], ...made.value } : { taken, problems: made.error })
}

async function decide(
  asked: Asked<'approve_app' | 'turn_down_app', z.infer<typeof Decision>>,
  state: 'approved' | 'turned_down',
  { apps, passkeys, openWhole }: OwnerServices,
): Promise<Response> {
  const { revision, unseen = [] } = asked.input
  const name = asked.segment('app')
  const act: Act = ['approve_app', name, revision, unseen]
  const isApproved = state === 'approved'
  const proof = await proofFor(asked, { act, kind: isApproved ? 'allow' : null }, passkeys)
  if (!proof.ok) return proof.error
  const decided = await apps.decide(name, { revision, state, unseen }, asked.decider.actor)
  if (!decided.ok) return problem(decided.error)
  const intent = `${isApproved ? 'Approve' : 'Turn down'} the app ${name}`
  const tool = isApproved ? 'approve_app' : 'turn_down_app'
  const decision = groundsOf(proof.value)
  asked.note({ tool, intent, request: { name, revision }, decision })
  return asked.answer(await describeFolder(decided.value, openWhole().store))
}

function withdraw(
  { segment, note, answer }: Asked<'withdraw_app', z.infer<typeof Nothing>>,
  { apps }: OwnerServices,
): Response {
  const name = segment('app')
  const taken = apps.withdraw(name)
  if (!taken.ok) return problem(taken.error)
  const intent = `Take back the decision on the app ${name}`
  note({ tool: 'withdraw_app', intent, request: { name } })
  return answer({ name, state: 'waiting' })
}

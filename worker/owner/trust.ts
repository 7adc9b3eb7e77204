/**
 * `/trust`: what the owner lets pass for a time. It is shown first, and given by the digest of what was shown.
 *
 * `test/worker/trust/owner.test.ts` has the cases.
 *
 * @module
 */

import { RISKS } from '#core/owner/answers/drafts.ts'
import { resolvePath } from '#core/path.ts'
import * as z from 'zod/mini'
import type { TrustDetails } from '../access/trust.ts'
import { problem, refuse } from '../errors/respond.ts'
import type { Act } from '../passkeys/challenges.ts'
import { TOOLS } from '../tools/index.ts'
import { MAX_SESSION_TRUSTS, MAX_TRUST_SECONDS, MAX_TRUSTS } from '../trust/limits.ts'
import type { StoredTrust } from '../trust/table.ts'
import type { TrustRefusal } from '../trust/trusts.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import * as fields from './fields.ts'
import { answerProblem, readProof } from './passkey-proof.ts'

/** The tools that change files. */
const CHANGING = new Set(
  [...TOOLS.values()].filter(({ kind }) => kind === 'change').map(({ name }) => name),
)

const DETAILS = {
  session: fields.id,
  folder: fields.text,
  tools: fields.listOf(z.string().check(z.refine((name) => CHANGING.has(name))), CHANGING.size),
  kinds: z._default(fields.listOf(z.enum(RISKS), RISKS.length), []),
  until: z.int(),
}

const Details = z.strictObject(DETAILS)
const Given = z.strictObject({ ...DETAILS, digest: fields.id })

/** What is let pass, and its end. */
export const TRUST_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_trust', ({ answer }, services) => answer(listTrust(services))),
  defineOwnerActWith('preview_trust', {
    input: Details,
    run({ input, answer }, { trusts }) {
      const details = readDetails(input)
      if (!details) return badFolder(input.folder)
      const shown = trusts.show(details)
      return shown.ok ? answer(shown.value) : refuseTrust(shown.error)
    },
  }),
  defineOwnerActWith('give_trust', { input: Given, run: give }),
  defineOwnerAct('end_trust', ({ segment, decider, answer }, { trusts }) =>
    trusts.end(segment('trust'), decider.actor)
      ? answer(null)
      : refuse(404, 'NOT_FOUND', 'Cannot end trust: it does not exist, or has ended.'),
  ),
]

const listTrust = ({ trusts }: Pick<OwnerServices, 'trusts'>) => ({
  trusts: trusts.list().map(toJson),
})

const toJson = ({ passkey: _passkey, ...trust }: ListedTrust) => trust

type ListedTrust = StoredTrust & { readonly label: string; readonly client: string | null }

/** Brings details into the form that is stored, so that equal details have one digest; null without a folder. */
function readDetails({
  folder,
  tools,
  kinds,
  ...details
}: z.infer<typeof Details>): TrustDetails | null {
  const path = resolvePath(folder)
  if (!path.ok || !folder.startsWith('/')) return null
  return {
    session: details.session,
    until: details.until,
    folder: path.value,
    tools: [...new Set(tools)].toSorted(),
    kinds: RISKS.filter((kind) => kinds.includes(kind)),
  }
}

async function give(
  { request, input, decider, answer }: Asked<'give_trust', z.infer<typeof Given>>,
  services: OwnerServices,
): Promise<Response> {
  const { trusts, passkeys } = services
  const { digest } = input
  const details = readDetails(input)
  if (!details) return badFolder(input.folder)
  const act: Act = ['give_trust', digest, details]
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  const given = trusts.give(details, { actor: decider.actor, digest, passkey: proof.value })
  if (given.ok) return answer(listTrust(services), { status: 201 })
  if (given.error !== 'passkey') return refuseTrust(given.error)
  return answerProblem({ reason: 'passkey_required' }, act, decider, passkeys)
}

const badFolder = (folder: string) =>
  problem({ reason: 'bad_path', text: folder, detail: 'it is no absolute path' })

const REFUSALS: Readonly<Record<Exclude<TrustRefusal, 'passkey'>, readonly [string, string]>> = {
  no_connection: [
    'TRUST_NEEDS_SESSION',
    'Cannot let changes pass: there is no live session of one client. Clients without a session of their own may be several. Approve their changes one by one.',
  ],
  bad_time: [
    'TRUST_TIME',
    `Cannot let changes pass: the time must be in the future, and at most ${MAX_TRUST_SECONDS / 3600} hours from now. Choose another time.`,
  ],
  full: [
    'TRUST_FULL',
    `Cannot let changes pass: at most ${MAX_SESSION_TRUSTS} for one session and ${MAX_TRUSTS} in the workspace. End another one.`,
  ],
  changed: [
    'TRUST_CHANGED',
    'Cannot let changes pass: this is not what was shown. Look at it again.',
  ],
}

function refuseTrust(refusal: Exclude<TrustRefusal, 'passkey'>): Response {
  const [code, message] = REFUSALS[refusal]
  return refuse(409, code, message)
}

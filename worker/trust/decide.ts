/**
 * Whether a change passes by trust: the only function that decides it. `test/worker/trust/effect.test.ts` has the table,
 * `test/worker/trust/model.laws.test.ts` the law.
 *
 * @module
 */

import { isWithin } from '#core/path.ts'
import { isHeld } from '../access/draft.ts'
import type { Trust, TrustQuestion } from '../access/trust.ts'
import { placesOf } from '../store/write/steps.ts'
import { kindsOf } from './kinds.ts'

/** Returns the first trust by which a change passes; null without one. `trusts` are those in force of its connection. */
export function decideTrust(trusts: readonly Trust[], question: TrustQuestion): Trust | null {
  const places = question.steps.flatMap(placesOf)
  const near = trusts.filter(
    ({ session, tools, folder }) =>
      session === question.session &&
      tools.includes(question.tool) &&
      places.every((path) => isWithin(path, folder)),
  )
  if (near.length === 0 || isHeld(question.access.approvalUnderTrust(places))) return null
  return near.find(({ kinds }) => isCovered(question, kinds)) ?? null
}

const isCovered = (question: TrustQuestion, ticked: Trust['kinds']): boolean =>
  [...kindsOf(question, ticked)].every((kind) => ticked.includes(kind))

/**
 * Names who acted, for a person. An agent chooses the label of a session that it hands on, so one that is not a
 * plain word is quoted: it must not read as a part of the sentence. `test/core/actor.test.ts` has cases.
 *
 * @module
 */

import { quoteValue } from './quote.ts'

/** Names a caller: its principal, and the label of its session, such as `helper for local`. */
export function describeActor(who: { label: string | null; principal: string }): string {
  return who.label === null ? who.principal : `${quoteValue(who.label)} for ${who.principal}`
}

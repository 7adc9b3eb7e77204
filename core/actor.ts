/**
 * Names who acted, for a person. An agent chooses the label of a session that it hands on, so it is always quoted: it
 * must not read as a part of the sentence, nor as a name of the product, such as `You`. `test/core/actor.test.ts` has
 * cases.
 *
 * @module
 */

import { quoteName } from './quote.ts'

/** Names a caller: its principal, and the label of its session, such as `"helper" for local`. */
export function describeActor(who: { label: string | null; principal: string }): string {
  return who.label === null ? who.principal : `${quoteName(who.label)} for ${who.principal}`
}

/**
 * Names who acted, for a person. An agent chooses the label of a session that it hands on, so one that is not a
 * plain word is quoted: it must not read as a part of the sentence. `test/core/actor.test.ts` has cases.
 *
 * @module
 */

import { visible } from './visible.ts'

const PLAIN = /^[\p{L}\p{N}_:/.-]+$/u

/** Returns a text as it is if it is one plain word, path or scope, otherwise in quotes. */
export const quoteUnlessPlain = (text: string): string =>
  PLAIN.test(text) ? text : JSON.stringify(text)

/** Quotes a name that another party has chosen, for a sentence in plain text. */
export const quoteName = (name: string): string => JSON.stringify(visible(name))

/** Names a caller: its principal, and the label of its session, such as `helper for local`. */
export function describeActor(who: { label: string | null; principal: string }): string {
  return who.label === null ? who.principal : `${quoteUnlessPlain(who.label)} for ${who.principal}`
}

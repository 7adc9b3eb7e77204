/**
 * Names who acted, for a person. An agent chooses the label of a session that it hands on, so it is always quoted: it
 * must not read as a part of the sentence, nor as a name of the product, such as `You`. `test/core/actor.test.ts` has
 * cases.
 *
 * @module
 */

import { quoteName } from './quote.ts'

/** The names of a session: its label, or that of its link beside what its client calls itself. */
export interface SessionNames {
  readonly label: string
  readonly client?: string | undefined
}

/** Names a session, such as `"helper"`, or `"helper" (client "claude-code")`. */
export const describeSession = ({ label, client }: SessionNames): string =>
  client === undefined ? quoteName(label) : `${quoteName(label)} (client ${quoteName(client)})`

/** Names a caller: its principal, and its session, such as `"helper" for local`. */
export function describeActor({
  label,
  principal,
  client,
}: {
  readonly label: string | null
  readonly principal: string
  readonly client?: string | undefined
}): string {
  return label === null ? principal : `${describeSession({ label, client })} for ${principal}`
}

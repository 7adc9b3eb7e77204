/**
 * Approval levels: how much the user is involved in a call, in four steps.
 *
 * The strictest declaration applies: the author's hint, the declared consequences, the site, the
 * user. No party can lower what another requires; `test/polyfill/annex-policy.test.ts` checks every
 * combination.
 *
 * @module
 */

import { apply, own } from './builtins.ts'

/** The levels, from no involvement to an explicit approval before anything happens. */
export const POLICIES = ['none', 'notify', 'review', 'confirm'] as const

/** An approval level. */
export type Policy = (typeof POLICIES)[number]

/** Annotations of a tool that determine its level. */
export interface Hints {
  /** The level that the author asks for; an unknown value counts as `confirm`. */
  readonly humanInTheLoopHint?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly consequentialHint?: boolean | undefined
}

/** Reports whether a value is an approval level. */
export function isPolicy(value: unknown): value is Policy {
  return rankOf(value) >= 0
}

/** Returns the strictest of several levels; `none` without any. */
export function strictest(...policies: readonly Policy[]): Policy {
  let rank = 0
  for (let i = 0; i < policies.length; i++) {
    const other = rankOf(policies[i])
    if (other > rank) rank = other
  }
  return POLICIES[rank] ?? 'confirm'
}

function rankOf(value: unknown): number {
  let rank = POLICIES.length - 1
  while (rank >= 0 && POLICIES[rank] !== value) rank--
  return rank
}

/**
 * Determines the approval level of a tool.
 *
 * Without a hint the level is `confirm`, or `none` for a tool with `readOnlyHint`. Inherited
 * annotations can raise the level and never lower it, because a page can add them to
 * `Object.prototype`.
 *
 * @param tool A tool as `getTools()` lists it or as it is registered.
 * @param others Minimum levels of the site and the user.
 * @returns The strictest of all levels.
 */
export function effectivePolicy(
  tool: { readonly annotations?: Hints | null | undefined },
  ...others: readonly Policy[]
): Policy {
  const hints = own(tool, 'annotations')
  const hint = own(hints, 'humanInTheLoopHint')
  const unsaid = hint === undefined && own(hints, 'readOnlyHint') === true
  const said = isPolicy(hint) ? hint : unsaid ? 'none' : 'confirm'
  const { consequentialHint } = tool.annotations ?? {}
  return strictest(
    said,
    consequentialHint === true ? 'confirm' : 'none',
    apply(strictest, null, others),
  )
}

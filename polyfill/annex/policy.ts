/**
 * Policies: how much a person has to do with a call of a tool, on a scale of four.
 *
 * What holds for a tool is the strictest word that anybody has a right to say: its author, its
 * declared consequences, the site, the person. So nobody can lower what another asked for;
 * `test/polyfill/annex-policy.test.ts` holds it to that for every combination.
 *
 * @module
 */

import { apply, own } from './builtins.ts'

/** From nothing to do, to an explicit yes before anything happens. */
export const POLICIES = ['none', 'notify', 'review', 'confirm'] as const

export type Policy = (typeof POLICIES)[number]

/** What the author of a tool said. */
export interface Hints {
  readonly humanInTheLoopHint?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly consequentialHint?: boolean | undefined
}

export function isPolicy(value: unknown): value is Policy {
  return rankOf(value) >= 0
}

/** The strictest of several. */
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
 * What holds for a tool, as `getTools()` lists it or as it is registered. Others may tighten it.
 * A tool that says nothing is confirmed, unless it only reads. What an object inherits can tighten
 * it and lower nothing, because a page can make every object inherit it.
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

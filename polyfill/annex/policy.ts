/**
 * Policies: how much a person has to do with a call of a tool, on a scale of four.
 *
 * What holds for a tool is the strictest word that anybody has a right to say: its author, its
 * declared consequences, the site, the person. So nobody can lower what another asked for;
 * `test/polyfill/annex-policy.test.ts` holds it to that for every combination.
 *
 * @module
 */

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
  return POLICIES.some((policy) => policy === value)
}

/** The strictest of several. */
export function strictest(...policies: readonly Policy[]): Policy {
  return POLICIES[Math.max(0, ...policies.map((policy) => POLICIES.indexOf(policy)))] ?? 'confirm'
}

/**
 * What holds for a tool, as `getTools()` lists it or as it is registered. Others may tighten it.
 * A tool that says nothing is confirmed, unless it only reads.
 */
export function effectivePolicy(
  tool: { readonly annotations?: Hints | null | undefined },
  ...others: readonly Policy[]
): Policy {
  const { humanInTheLoopHint: hint, readOnlyHint, consequentialHint } = tool.annotations ?? {}
  const unsaid = hint === undefined && readOnlyHint === true
  const said = isPolicy(hint) ? hint : unsaid ? 'none' : 'confirm'
  return strictest(said, consequentialHint === true ? 'confirm' : 'none', ...others)
}

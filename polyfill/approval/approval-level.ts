/**
 * Approval levels: how much the user is involved in a call, in four steps.
 *
 * The strictest declaration applies: the author's hint, the declared consequences, the site, the
 * user. No party can lower what another requires; `test/polyfill/approval/approval-level.test.ts` checks every
 * combination.
 *
 * @module
 */

import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import { apply, indexOf, own } from './builtins.ts'

/** Annotations of a tool that determine its level. */
export interface Hints {
  /** The level that the author asks for; an unknown value counts as `confirm`. */
  readonly humanInTheLoopHint?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly consequentialHint?: boolean | undefined
}

/** Reports whether a value is an approval level. */
export function isApprovalLevel(value: unknown): value is ApprovalLevel {
  return rankOf(value) >= 0
}

/** Returns the strictest of several levels; `none` without any. An unknown one counts as `confirm`. */
export function strictest(...policies: readonly (string | undefined)[]): ApprovalLevel {
  let rank = 0
  for (let i = 0; i < policies.length; i++) {
    const other = rankOf(policies[i] ?? 'none')
    if (other < 0) return 'confirm'
    if (other > rank) rank = other
  }
  return APPROVAL_LEVELS[rank] ?? 'confirm'
}

const rankOf = (value: unknown): number => indexOf(APPROVAL_LEVELS, value)

/**
 * Determines the approval level of a tool.
 *
 * Without a hint the level is `confirm`, or `none` for a tool with `readOnlyHint`. Inherited
 * annotations can raise the level and never lower it, because a page can add them to
 * `Object.prototype`.
 *
 * @param tool A tool as it is registered.
 * @param others Minimum levels of the site and the user; an unknown one counts as `confirm`.
 * @returns The strictest of all levels.
 */
export function effectivePolicy(
  tool: { readonly annotations?: Hints | null | undefined },
  ...others: readonly (string | undefined)[]
): ApprovalLevel {
  const hints = own(tool, 'annotations')
  const hint = own(hints, 'humanInTheLoopHint')
  const isReadOnly = hint === undefined && own(hints, 'readOnlyHint') === true
  const declared = isApprovalLevel(hint) ? hint : isReadOnly ? 'none' : 'confirm'
  const { consequentialHint } = tool.annotations ?? {}
  return strictest(
    declared,
    consequentialHint === true ? 'confirm' : 'none',
    apply(strictest, null, others),
  )
}

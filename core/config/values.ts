/**
 * Parsers of single values of a configuration or a policy.
 *
 * @module
 */

import { ok, type Result } from '../result.ts'
import { APPROVAL_LEVELS, type ApprovalLevel } from '../approval.ts'
import { fail, type ConfigProblem, type Place } from './problem.ts'

/** Parses a number of things. Null and 0 mean "no limit". */
export function readCount({ name, pointer }: Place, value: unknown): Result<number, ConfigProblem> {
  if (value === null) return ok(0)
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return ok(value + 0)
  const code = typeof value === 'number' ? 'INVALID_VALUE' : 'WRONG_TYPE'
  return fail(code, pointer, `${name} must be a non-negative integer`)
}

/** Parses a boolean. */
export function readBoolean(
  { name, pointer }: Place,
  value: unknown,
): Result<boolean, ConfigProblem> {
  if (typeof value === 'boolean') return ok(value)
  return fail('WRONG_TYPE', pointer, `${name} must be a boolean`)
}

/** Parses an approval level. */
export function readApproval(
  { name, pointer }: Place,
  value: unknown,
): Result<ApprovalLevel, ConfigProblem> {
  const approval = APPROVAL_LEVELS.find((one) => one === value)
  if (approval) return ok(approval)
  const code = typeof value === 'string' ? 'INVALID_VALUE' : 'WRONG_TYPE'
  return fail(code, pointer, `${name} must be one of ${APPROVAL_LEVELS.join(', ')}`)
}

/** When a decision of the owner needs a passkey, from never to always. */
export const PASSKEY_RULES = ['none', 'confirm', 'all'] as const

/** One of {@link PASSKEY_RULES}. */
export type PasskeyRule = (typeof PASSKEY_RULES)[number]

export function readPasskeyRule(
  { name, pointer }: Place,
  value: unknown,
): Result<PasskeyRule, ConfigProblem> {
  const rule = PASSKEY_RULES.find((one) => one === value)
  if (rule) return ok(rule)
  const code = typeof value === 'string' ? 'INVALID_VALUE' : 'WRONG_TYPE'
  return fail(code, pointer, `${name} must be one of ${PASSKEY_RULES.join(', ')}`)
}

/** Parses every item, or returns the problem of the first invalid one. */
export function collect<T, U>(
  items: readonly T[],
  read: (item: T, index: number) => Result<U, ConfigProblem>,
): Result<U[], ConfigProblem> {
  const values: U[] = []
  for (const [index, item] of items.entries()) {
    const value = read(item, index)
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(values)
}

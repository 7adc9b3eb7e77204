/**
 * What is left of rules under a policy that came with a call.
 *
 * Reading a policy means building the machines of all its patterns, and whoever sends one sends it
 * with every call. So what came of the last few is kept, beside the rules that it belongs to.
 *
 * @module
 */

import { readPolicy, restrict, type Rules } from '#core/policy.ts'
import { ok, type Result } from '#core/result.ts'

/** Policies that are remembered for the same rules, and the longest text of one. */
const REMEMBERED = 20
const LONGEST = 20_000

const known = new WeakMap<Rules, Map<string, Result<Rules, string>>>()

/** The error is the message of a refused policy. */
export function narrowed(rules: Rules, policy: unknown): Result<Rules, string> {
  const text = JSON.stringify(policy) ?? ''
  if (text.length > LONGEST) return read(rules, policy)
  const mine = known.get(rules) ?? new Map<string, Result<Rules, string>>()
  known.set(rules, mine)
  const remembered = mine.get(text)
  if (remembered) return remembered
  const made = read(rules, policy)
  if (mine.size >= REMEMBERED) mine.clear()
  mine.set(text, made)
  return made
}

function read(rules: Rules, policy: unknown): Result<Rules, string> {
  const read = readPolicy(policy, rules, 'human')
  return read.ok ? ok(restrict(rules, read.value)) : read
}

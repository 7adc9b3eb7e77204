/**
 * Policy: what a call may touch, by the workspace's configuration and by what the call asks for on
 * top. A policy can only restrict.
 *
 * `rules.ts` has the algebra, whose one operation is a meet; `read.ts` reads a stranger's policy;
 * `judge.ts` says what rules mean for a path. The rules are L1 to L18 of the mcp4h reference, and
 * `test/core/policy.test.ts` runs its vectors and the laws.
 *
 * @module
 */

export {
  isDenied,
  isImmutable,
  isOpen,
  isPlain,
  judge,
  openFolders,
  reaches,
  type Verdict,
} from './policy/judge.ts'
export { readPolicy } from './policy/read.ts'
export {
  formatRules,
  isHigher,
  isLaxer,
  meet,
  restrict,
  rulesOf,
  type Policy,
  type Rules,
} from './policy/rules.ts'
export type { Approval, Limits, Requester } from './policy/fields.ts'

/**
 * Policy: what a call may touch, by the workspace's configuration and by the policy of the call. A policy
 * can only restrict.
 *
 * `rules.ts` has the algebra, whose one operation is a meet; `read.ts` parses an untrusted policy;
 * `judge.ts` applies rules to a path. The rules are L1 to L18 of the mcp4h proposals, and
 * `test/core/policy.test.ts` runs their vectors and the laws.
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

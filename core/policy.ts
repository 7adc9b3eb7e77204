/**
 * Policy: what a call may touch, by the workspace's configuration and by the policy of the call. A policy
 * can only restrict.
 *
 * `rules.ts` has the algebra, whose one operation is a meet; `read.ts` parses an untrusted policy;
 * `judge.ts` applies rules to a path; `approvals.ts` has the approval levels of paths. `test/core/policy.test.ts` runs the vectors of the mcp4h proposals (see
 * `docs/glossary.md`) and the laws.
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
export {
  approvalAt,
  approvalOf,
  hasApproval,
  isLaxer,
  stricter,
  type Approvals,
} from './policy/approvals.ts'
export { judgingWork } from './policy/bundle.ts'
export { readPolicy } from './policy/read.ts'
export {
  boundsOf,
  flagLevelsOf,
  clientRulesOf,
  formatRules,
  isHigher,
  meet,
  restrict,
  restrictionsOf,
  rulesOf,
  type Policy,
  type Rules,
} from './policy/rules.ts'
export { CONFIGURED_NAMES, LIMITS, type LimitName, type Limits } from './config/fields.ts'
export type { Requester } from './policy/form.ts'

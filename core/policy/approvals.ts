/**
 * Approval levels by path: that of the whole workspace, and those of folders, which can only raise it.
 *
 * The level of a path is the strictest one of all folders that contain it: a folder inside another one never
 * lowers its level. `test/core/approvals.test.ts` has the cases, and `test/support/core/policy-laws.ts` the
 * laws.
 *
 * @module
 */

import { APPROVAL_LEVELS, type ApprovalLevel } from '../approval.ts'
import { isWithin, sortByTree, type StorePath } from '../path.ts'

/** The approval level of a folder and everything below it. */
export interface FolderApproval {
  readonly folder: StorePath
  readonly level: ApprovalLevel
}

/** The approval levels of all paths. */
export interface Approvals {
  /** The level of every path, at least. */
  readonly approval: ApprovalLevel
  /** What folders add. Each entry is stricter than {@link approval} and every entry that contains it. */
  readonly approvals: readonly FolderApproval[]
}

/** Whether the approval level `a` is less strict than `b`. */
export function isLaxer(a: ApprovalLevel, b: ApprovalLevel): boolean {
  return APPROVAL_LEVELS.indexOf(a) < APPROVAL_LEVELS.indexOf(b)
}

/** Returns the stricter one of two approval levels. */
export function stricter(a: ApprovalLevel, b: ApprovalLevel): ApprovalLevel {
  return isLaxer(a, b) ? b : a
}

/**
 * Returns the level that a step on a path takes: the strictest one of the path, and of everything that could
 * be below it, because a step on a folder concerns what is in it.
 */
export function approvalOf(rules: Approvals, path: StorePath): ApprovalLevel {
  return strictestOf(rules, (folder) => isWithin(path, folder) || isWithin(folder, path))
}

/** Returns the level of a path itself, without that of what is below it. */
export function approvalAt(rules: Approvals, path: StorePath): ApprovalLevel {
  return strictestOf(rules, (folder) => isWithin(path, folder))
}

/** Whether any path has a level other than `none`. */
export function hasApproval({ approval, approvals }: Approvals): boolean {
  return approval !== 'none' || approvals.length > 0
}

/**
 * Brings levels of folders into canonical form: sorted, one for each folder, and without those that the
 * overall level or a containing folder covers. So levels that are equal for every path are equal data.
 */
export function tidyApprovals(
  entries: readonly FolderApproval[],
  overall: ApprovalLevel,
): FolderApproval[] {
  if (entries.length === 0) return []
  const levels = new Map<StorePath, ApprovalLevel>()
  for (const { folder, level } of entries)
    levels.set(folder, stricter(level, levels.get(folder) ?? overall))
  const kept: FolderApproval[] = []
  /** The folders around the current one, from the top, each with the strictest level so far. */
  const around: FolderApproval[] = []
  for (const folder of sortByTree(levels.keys())) {
    while (around.length > 0 && !isWithin(folder, around.at(-1)?.folder ?? folder)) around.pop()
    const held = around.at(-1)?.level ?? overall
    const level = stricter(held, levels.get(folder) ?? held)
    if (level !== held) kept.push({ folder, level })
    around.push({ folder, level })
  }
  return kept.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
}

function strictestOf(
  { approval, approvals }: Approvals,
  concerns: (folder: StorePath) => boolean,
): ApprovalLevel {
  return approvals.reduce(
    (level, { folder, level: own }) => (concerns(folder) ? stricter(level, own) : level),
    approval,
  )
}

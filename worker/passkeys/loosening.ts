/**
 * Loosening: whether new rules let agents change more, without a person, than the old ones.
 *
 * Without this check a program in the owner's browser could lower the rules instead of approving. What agents
 * cannot reach counts like the level `confirm`: otherwise a folder could be closed first, and opened again without
 * its level. Lists are compared as sets of patterns, so the answer may be true for rules that are as strict.
 * `test/worker/passkeys/loosening.test.ts` has the table, `loosening.laws.test.ts` beside it compares random rules.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import type { Config, Root } from '#core/config.ts'
import { PASSKEY_RULES } from '#core/config/values.ts'
import type { Glob } from '#core/glob.ts'
import { isWithin, ROOT, type StorePath } from '#core/path.ts'
import { isLaxer, stricter } from '#core/policy.ts'

/** Whether a person is asked for less under `after` than under `before`. */
export function isLoosened(before: Config, after: Config): boolean {
  if (PASSKEY_RULES.indexOf(after.passkey) < PASSKEY_RULES.indexOf(before.passkey)) return true
  if (after.import_hosts.some((host) => !before.import_hosts.includes(host))) return true
  // Between these folders, rules are the same for all paths.
  const folders = new Set([ROOT, ...[...before.roots, ...after.roots].map(({ path }) => path)])
  return [...folders].some((folder) => isLoosenedIn(folder, before, after))
}

function isLoosenedIn(folder: StorePath, before: Config, after: Config): boolean {
  const level = levelIn(folder, after)
  if (level === 'confirm') return false
  if (isLaxer(level, levelIn(folder, before))) return true
  return hasLostPattern(rootsOf(folder, before), rootsOf(folder, after))
}

/** The level that changes take in a folder, without that of folders in it; `confirm` where there can be none. */
function levelIn(folder: StorePath, config: Config): ApprovalLevel {
  if (config.read_only) return 'confirm'
  if (rootsOf(folder, config).length === 0 && !config.allow_escape) return 'confirm'
  return rootsOf(folder, config).reduce(
    (level, { approval }) => stricter(level, approval),
    config.approval,
  )
}

/** The entries whose lists apply in a folder: all that contain it. */
function rootsOf(folder: StorePath, { roots }: Config): readonly Root[] {
  return roots.filter(({ path }) => isWithin(folder, path))
}

/** Whether a list of an entry from before is not in the entries for the same folder. Patterns count from there. */
function hasLostPattern(before: readonly Root[], after: readonly Root[]): boolean {
  return before.some((root) => {
    const same = after.filter(({ path }) => path === root.path)
    const hasLost = (list: 'deny' | 'immutable') =>
      !isPart(
        root[list],
        same.flatMap((one) => one[list]),
      )
    return hasLost('deny') || hasLost('immutable') || isOpened(root, same)
  })
}

/** Whether no list of `after` allows as little as that of a root from before. A path has to be in all lists. */
function isOpened({ allow }: Root, after: readonly Root[]): boolean {
  return (
    allow.length > 0 && !after.some((root) => root.allow.length > 0 && isPart(root.allow, allow))
  )
}

function isPart(some: readonly Glob[], all: readonly Glob[]): boolean {
  const patterns = new Set(all.map(({ pattern }) => pattern))
  return some.every(({ pattern }) => patterns.has(pattern))
}

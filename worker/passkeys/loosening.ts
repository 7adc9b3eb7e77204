/**
 * Loosening: whether new rules let agents change more, without a person, than the old ones.
 *
 * Without this check a program in the owner's browser could lower the rules instead of approving. What agents
 * cannot reach counts like the level `confirm`: otherwise a folder could be closed first, and opened again without
 * its level. Lists are compared as sets of patterns, so the answer may be true for rules that are as strict.
 * `test/worker/passkeys/loosening.test.ts` has the table.
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
  // Between these folders, rules are the same for all paths.
  const folders = new Set([ROOT, ...[...before.roots, ...after.roots].map(({ path }) => path)])
  return [...folders].some((folder) => isLoosenedIn(folder, before, after))
}

function isLoosenedIn(folder: StorePath, before: Config, after: Config): boolean {
  const level = levelIn(folder, after)
  if (level === 'confirm') return false
  if (isLaxer(level, levelIn(folder, before))) return true
  const root = rootOf(folder, before)
  return root !== null && hasLostPattern(root, rootOf(folder, after))
}

/** The level that changes take in a folder, without that of folders in it; `confirm` where there can be none. */
function levelIn(folder: StorePath, config: Config): ApprovalLevel {
  if (config.read_only) return 'confirm'
  if (rootOf(folder, config) === null && !config.allow_escape) return 'confirm'
  return config.roots
    .filter(({ path }) => isWithin(folder, path))
    .reduce((level, { approval }) => stricter(level, approval), config.approval)
}

/** The root whose lists decide in a folder: the deepest one around it. */
function rootOf(folder: StorePath, { roots }: Config): Root | null {
  const around = roots.filter(({ path }) => isWithin(folder, path))
  return around.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null
}

function hasLostPattern({ path, deny, allow, immutable }: Root, after: Root | null): boolean {
  if (deny.length + allow.length + immutable.length === 0) return false
  // Patterns count from their root, so those of another one are other patterns.
  if (after?.path !== path) return true
  const isOpened = allow.length > 0 && (after.allow.length === 0 || !isPart(after.allow, allow))
  return isOpened || !isPart(deny, after.deny) || !isPart(immutable, after.immutable)
}

function isPart(some: readonly Glob[], all: readonly Glob[]): boolean {
  const patterns = new Set(all.map(({ pattern }) => pattern))
  return some.every(({ pattern }) => patterns.has(pattern))
}

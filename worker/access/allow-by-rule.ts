/**
 * What the rules lack for an access request: the entries that would permit its scopes, and whether they are enough.
 *
 * Nothing here changes the rules. `test/worker/requests/attacks.test.ts` has the cases.
 *
 * @module
 */

import { formatConfig, readConfig, type Config } from '#core/config.ts'
import { isWithin, type StorePath } from '#core/path.ts'
import { judge, rulesOf } from '#core/policy.ts'
import type { Access } from './access.ts'
import { problemOfSpent, type JudgingOf } from './judging.ts'
import { foldersByAction, readStoredScopes } from './scopes.ts'
import { callerOf, callerWithoutSession } from './caller.ts'
import type { Session } from './session.ts'

/** An entry of the field `roots`, for reading alone if everything in it is immutable. */
export interface NewRoot {
  readonly path: StorePath
  readonly immutable?: readonly ['**']
}

/** Returns the entries that the rules lack; empty where the rules permit it, and the session does not. */
export function missingRoots(texts: readonly string[], config: Config): NewRoot[] {
  const { read, write } = foldersByAction(readStoredScopes(texts))
  const rules = rulesOf(config)
  const isMissing = (path: StorePath) => judge(rules, path) === 'outside'
  const paths = new Set([...read, ...write].filter(isMissing))
  return [...paths].map((path) => ({
    path,
    ...(!write.includes(path) && { immutable: ['**'] as const }),
  }))
}

/** Adds entries to the `roots` of a configuration, as JSON. The first root stays the default. */
export function withNewRoots(config: Config, added: readonly NewRoot[]): unknown[] {
  const { roots } = formatConfig(config)
  return [...(Array.isArray(roots) ? (roots as unknown[]) : []), ...added]
}

/** The rules, the sessions of a caller, and who counts the steps of their patterns. */
export interface Permission {
  readonly config: Config
  readonly chain: readonly Session[] | null
  readonly judgingOf?: JudgingOf | undefined
}

/**
 * Whether the scopes would be permitted with these entries. `chain` are the sessions of the caller, topmost first;
 * null if its session is over.
 */
export function wouldPermit(
  texts: readonly string[],
  added: readonly NewRoot[],
  { config, chain, judgingOf }: Permission,
): boolean {
  if (added.length === 0 || chain === null || closesRoot(added, config)) return false
  const next = readConfig({ roots: withNewRoots(config, added) }, config)
  if (!next.ok) return false
  const [first] = chain
  const caller = first
    ? callerOf(chain, next.value, null, judgingOf)
    : { ok: true as const, value: callerWithoutSession('', next.value) }
  if (!caller.ok) return false
  return permits(caller.value.access, foldersByAction(readStoredScopes(texts)))
}

function permits(
  access: Access,
  { read, write }: Readonly<Record<'read' | 'write', readonly StorePath[]>>,
): boolean {
  try {
    return (
      read.every((path) => access.judge('read', path) === 'permitted') &&
      write.every((path) => access.canWrite(path))
    )
  } catch (error) {
    problemOfSpent(error)
    return false
  }
}

/** Whether an entry for reading alone contains one of the rules, in which nothing could change any more. */
function closesRoot(added: readonly NewRoot[], { roots }: Config): boolean {
  return added.some((one) => one.immutable && roots.some(({ path }) => isWithin(path, one.path)))
}

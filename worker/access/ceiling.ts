/**
 * The ceiling: what a caller may use at most, regardless of the request.
 *
 * It starts with the owner's rules. Every session of the chain adds restrictions: policies, scopes, denied
 * scopes and client configurations; nothing removes one. A path has to be permitted by every layer and
 * every list of scopes. `test/worker/access-laws.test.ts` checks this.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { own, recordOf } from '#core/json.ts'
import { isWithin, resolvePath, type StorePath } from '#core/path.ts'
import { readPolicy, restrict, rulesOf, type Requester, type Rules } from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { formatScope, readScope, type Scope } from '#core/scope.ts'
import { rememberParsed } from './remember.ts'
import { foldersByAction, type Action, type ByAction } from './scopes.ts'

/** What a caller may use at most. It is immutable; each function here returns a new one. */
export interface Ceiling {
  /** The owner's configuration, which alone sets quotas, retention and previews. */
  readonly owner: Config
  /** Rules, each of which has to permit a path. The last one has the effective limits. */
  readonly layers: readonly [Rules, ...Rules[]]
  /** The configuration of the last layer; its default root is the base of relative paths. */
  readonly config: Config
  /** Lists of scopes, each of which has to cover a path. */
  readonly scopes: readonly (readonly Scope[])[]
  /** The folders that each list of scopes permits. */
  readonly folders: readonly ByAction<readonly StorePath[]>[]
  /** Folders that are denied. */
  readonly denied: ByAction<readonly StorePath[]>
}

/** Returns the ceiling of the owner's rules alone. */
export function ownerCeiling(owner: Config): Ceiling {
  return {
    owner,
    layers: [rulesOf(owner)],
    config: owner,
    scopes: [],
    folders: [],
    denied: { read: [], write: [] },
  }
}

/** Returns the innermost rules, which set the limits and the base of relative paths. */
export function innermost({ layers }: Pick<Ceiling, 'layers'>): Rules {
  return layers.at(-1) ?? layers[0]
}

/** Restricts a ceiling by a policy. The error names the invalid field. */
export function withPolicy(
  ceiling: Ceiling,
  policy: unknown,
  requester: Requester,
): Result<Ceiling, string> {
  return requester === 'human' ? readOnce(ceiling, policy) : restricted(ceiling, policy, requester)
}

/**
 * A policy refers to the innermost roots and also restricts the outer layers: otherwise a root that a client
 * names inside another root would escape the restrictions on the outer one.
 */
function restricted(
  ceiling: Ceiling,
  policy: unknown,
  requester: Requester,
): Result<Ceiling, string> {
  const rules = innermost(ceiling)
  const read = readPolicy(policy, rules, requester)
  if (!read.ok) return read
  // Patterns and blocked folders apply in every layer, because they need no root.
  const patterns = { ...read.value, narrowed: [], allow: [] }
  const restrictLayer = (layer: Rules) => {
    if (layer === rules) return restrict(rules, read.value)
    const { defaultRoot } = rules
    const around = readPolicy(
      entriesIn(policy, layer, defaultRoot),
      { ...layer, defaultRoot },
      requester,
    )
    const held = restrict(layer, patterns)
    return around.ok ? restrict(held, around.value) : held
  }
  const [first, ...rest] = ceiling.layers
  return ok({ ...ceiling, layers: [restrictLayer(first), ...rest.map(restrictLayer)] })
}

/** Returns a policy with only those of its entries whose folders lie in a layer. */
function entriesIn(policy: unknown, { roots }: Rules, base: StorePath): unknown {
  const entries = own(recordOf(policy), 'roots')
  if (!Array.isArray(entries)) return policy
  const isIn = (entry: unknown) => {
    const path = resolvePath(String(own(recordOf(entry), 'path')), base)
    return path.ok && roots.some((root) => isWithin(path.value, root))
  }
  return { ...recordOf(policy), roots: entries.filter(isIn) }
}

const readOnce = rememberParsed((ceiling: Ceiling, policy: unknown) =>
  restricted(ceiling, policy, 'human'),
)

/** Restricts a ceiling to what a list of scopes covers. */
export function withScopes(ceiling: Ceiling, texts: readonly string[]): Result<Ceiling, string> {
  const scopes = parseScopes(texts)
  if (!scopes.ok) return scopes
  return ok({
    ...ceiling,
    scopes: [...ceiling.scopes, scopes.value],
    folders: [...ceiling.folders, foldersByAction(scopes.value)],
  })
}

/** Denies what a list of scopes covers. */
export function withDenied(ceiling: Ceiling, denied: readonly Scope[]): Ceiling {
  if (denied.length === 0) return ceiling
  const taken = foldersByAction(denied)
  const { read, write } = ceiling.denied
  return {
    ...ceiling,
    denied: { read: [...read, ...taken.read], write: [...write, ...taken.write] },
  }
}

/** Whether all lists of scopes cover a path, or, with `asFolder`, a part of that folder. */
export function isInScope(
  { folders }: Pick<Ceiling, 'folders'>,
  action: Action,
  path: StorePath,
  asFolder = false,
): boolean {
  return folders.every((list) =>
    list[action].some((folder) => isWithin(path, folder) || (asFolder && isWithin(folder, path))),
  )
}

/**
 * Returns the last list of scopes, for a nested session. It may differ from that of the caller's session: a
 * token may have fewer scopes than its session.
 */
export function lastScopes({ scopes }: Ceiling): readonly string[] | null {
  return scopes.at(-1)?.map(formatScope) ?? null
}

/** Parses all scopes, or returns an error that names the first invalid one. */
export function parseScopes(texts: readonly string[]): Result<Scope[], string> {
  const scopes: Scope[] = []
  for (const text of texts) {
    const scope = readScope(text)
    if (!scope.ok) return err(`${JSON.stringify(text.slice(0, 200))} is no scope: ${scope.error}`)
    scopes.push(scope.value)
  }
  return ok(scopes)
}

/** Replaces the innermost rules. */
export function withInnermost(ceiling: Ceiling, rules: Rules): Ceiling {
  const [first, ...rest] = ceiling.layers
  const layers: Ceiling['layers'] =
    rest.length === 0 ? [rules] : [first, ...rest.slice(0, -1), rules]
  return { ...ceiling, layers }
}

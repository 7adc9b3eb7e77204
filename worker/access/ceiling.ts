/**
 * The ceiling: what a caller may use at most, whatever a request brings along.
 *
 * It starts with the owner's rules. Every session of the chain adds to what refuses: policies, scopes,
 * denied scopes and client configurations, and nothing here can take a refusal away. A path has to be
 * permitted by every layer and every list of scopes. `test/worker/access-laws.test.ts` holds it to that.
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

export interface Ceiling {
  /** The owner's configuration: quotas, retention and previews follow it alone. */
  readonly owner: Config
  /** Rules, each of which has to permit a path. The last one has the limits that hold. */
  readonly layers: readonly [Rules, ...Rules[]]
  /** The configuration that the last layer was made from; its default root is the base of relative paths. */
  readonly config: Config
  /** Lists of scopes, each of which has to cover a path. */
  readonly scopes: readonly (readonly Scope[])[]
  /** The folders that each list opens. */
  readonly folders: readonly ByAction<readonly StorePath[]>[]
  /** Folders that are taken away. */
  readonly denied: ByAction<readonly StorePath[]>
}

/** What the owner's rules permit. */
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

/** The innermost rules: relative paths and limits follow them. */
export function innermost({ layers }: Pick<Ceiling, 'layers'>): Rules {
  return layers.at(-1) ?? layers[0]
}

/** Restricts a ceiling by a policy. The error names the field that is at fault. */
export function withPolicy(
  ceiling: Ceiling,
  policy: unknown,
  requester: Requester,
): Result<Ceiling, string> {
  return requester === 'human' ? readOnce(ceiling, policy) : restricted(ceiling, policy, requester)
}

/**
 * A policy speaks of the innermost roots, and holds for the layers around them as well: a root that a client
 * named inside another one would else be free of what is said of that one.
 */
function restricted(
  ceiling: Ceiling,
  policy: unknown,
  requester: Requester,
): Result<Ceiling, string> {
  const rules = innermost(ceiling)
  const read = readPolicy(policy, rules, requester)
  if (!read.ok) return read
  // Patterns and blocked folders need no root.
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

/** A policy with those of its entries that speak of folders in a layer. */
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

/** Takes away what a list of scopes covers. */
export function withDenied(ceiling: Ceiling, denied: readonly Scope[]): Ceiling {
  if (denied.length === 0) return ceiling
  const taken = foldersByAction(denied)
  const { read, write } = ceiling.denied
  return {
    ...ceiling,
    denied: { read: [...read, ...taken.read], write: [...write, ...taken.write] },
  }
}

/** Whether the scopes of a ceiling cover a path; for a folder that is listed, whether they cover part of it. */
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
 * The last list of scopes, for a session below this one. It need not be that of the caller's own session: a
 * token may have fewer scopes than its session.
 */
export function lastScopes({ scopes }: Ceiling): readonly string[] | null {
  return scopes.at(-1)?.map(formatScope) ?? null
}

export function parseScopes(texts: readonly string[]): Result<Scope[], string> {
  const scopes: Scope[] = []
  for (const text of texts) {
    const scope = readScope(text)
    if (!scope.ok) return err(`${JSON.stringify(text.slice(0, 200))} is no scope: ${scope.error}`)
    scopes.push(scope.value)
  }
  return ok(scopes)
}

/** The ceiling with other innermost rules. */
export function withInnermost(ceiling: Ceiling, rules: Rules): Ceiling {
  const [first, ...rest] = ceiling.layers
  const layers: Ceiling['layers'] =
    rest.length === 0 ? [rules] : [first, ...rest.slice(0, -1), rules]
  return { ...ceiling, layers }
}

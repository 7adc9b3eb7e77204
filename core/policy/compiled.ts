/**
 * Rules as they are compiled for judging, folder by folder.
 *
 * {@link Below} holds the restrictions of the children of a folder, and is computed from that
 * of the parent folder. Both are cached for as long as the rules exist and within a limit, so that another
 * name in a known folder costs one look-up per character.
 *
 * @module
 */

import type { Glob } from '../glob.ts'
import { nameOf, parentOf, ROOT, type StorePath } from '../path.ts'
import {
  bundlesOf,
  createBundles,
  enter,
  grow,
  isSettled,
  type Bundle,
  type Bundles,
} from './bundle.ts'
import type { Pattern, Rules } from './rules.ts'

/** Patterns of the configuration (`own`, for one root) and of policies (`wide`, also for nested roots). */
export interface Reach {
  readonly own: readonly Bundle[]
  readonly wide: readonly Bundle[]
}

/** The restrictions of the children of a folder that are not roots. */
export interface Below {
  /** The root that the folder belongs to; null outside all roots. */
  readonly root: StorePath | null
  readonly blocked: boolean
  /** Whether the folder lies in a folder of the root's narrowing; true without one. */
  readonly inside: boolean
  readonly deny: Reach
  readonly immutable: Reach
  /** Allow lists that may still refuse something. */
  readonly allow: readonly (readonly Bundle[])[]
}

type Lists = Pick<Below, 'deny' | 'allow' | 'immutable'>

/** Rules with their look-up tables and caches. */
export interface CompiledRules {
  readonly roots: ReadonlySet<StorePath>
  readonly blocked: ReadonlySet<StorePath>
  readonly narrowings: ReadonlyMap<StorePath, ReadonlySet<StorePath>>
  /** Lists by the folder that they are relative to. */
  readonly lists: ReadonlyMap<StorePath, Lists>
  /** Folders that a pattern relative to them denies, such as `**`. */
  readonly shut: ReadonlySet<StorePath>
  /** Folders that a pattern relative to them makes immutable. */
  readonly fixed: ReadonlySet<StorePath>
  readonly bundles: Bundles
  /** The cache of {@link belowOf}. */
  readonly known: Map<StorePath, Below>
}

/** Approximate limit of the cache for one set of rules, in words of memory. */
const MAX_WORDS = 1_000_000
const WORDS_OF_BELOW = 40

const NOWHERE: Reach = { own: [], wide: [] }
const NO_LISTS: Lists = { deny: NOWHERE, allow: [], immutable: NOWHERE }
const NOTHING: Below = { root: null, blocked: false, inside: true, ...NO_LISTS }

const compiledRules = new WeakMap<Rules, CompiledRules>()

/** Returns rules as they are compiled, and compiles them again when their cache is too large. */
export function compiledOf(rules: Rules): CompiledRules {
  const known = compiledRules.get(rules)
  if (known && known.bundles.words < MAX_WORDS) return known
  const compiled = compile(rules)
  compiledRules.set(rules, compiled)
  return compiled
}

/** Returns the restrictions of the children of a folder, and caches them. */
export function belowOf(compiled: CompiledRules, folder: StorePath): Below {
  const known = compiled.known.get(folder)
  if (known) return known
  const above = folder === ROOT ? NOTHING : belowOf(compiled, parentOf(folder))
  const below = descend(compiled, above, folder)
  compiled.known.set(folder, below)
  grow(compiled.bundles, WORDS_OF_BELOW + folder.length / 8)
  return below
}

function descend(compiled: CompiledRules, above: Below, folder: StorePath): Below {
  const { bundles } = compiled
  const isRoot = compiled.roots.has(folder)
  const root = isRoot ? folder : above.root
  const folders = root === null ? undefined : compiled.narrowings.get(root)
  const here = compiled.lists.get(folder) ?? NO_LISTS
  const name = nameOf(folder)
  const down = (patterns: readonly Bundle[]) => enter(bundles, patterns, name)
  const reach = (before: Reach, begun: Reach) => ({
    own: isRoot ? begun.own : down(before.own),
    wide: [...down(before.wide), ...begun.wide],
  })
  return {
    root,
    blocked: above.blocked || compiled.blocked.has(folder),
    inside: !folders || folders.has(folder) || (!isRoot && above.inside),
    deny: reach(above.deny, here.deny),
    immutable: reach(above.immutable, here.immutable),
    allow: [...(isRoot ? [] : above.allow.map(down)), ...here.allow].filter(mayRefuse),
  }
}

/** Whether an allow list may refuse something below this folder. */
function mayRefuse(list: readonly Bundle[]): boolean {
  return !isSettled(list)
}

function compile(rules: Rules): CompiledRules {
  const { narrowings } = rules
  const bundles = createBundles({ empty: () => compiledRules.delete(rules) })
  return {
    roots: new Set(rules.roots),
    blocked: new Set(rules.blocked),
    narrowings: new Map(narrowings.map(({ root, folders }) => [root, new Set(folders)])),
    lists: listsOf(rules, bundles),
    shut: ownFolders(rules.deny),
    fixed: ownFolders(rules.immutable),
    bundles,
    known: new Map(),
  }
}

function listsOf({ deny, allow, immutable }: Rules, bundles: Bundles): Map<StorePath, Lists> {
  const bases = new Set([...deny, ...allow, ...immutable].map(({ base }) => base))
  const denied = byBase(deny)
  const kept = byBase(immutable)
  const allowed = byBase(allow)
  const bundlesFor = (patterns: readonly { readonly glob: Glob }[]) =>
    bundlesOf(
      bundles,
      patterns.map(({ glob }) => glob),
    )
  const reach = (patterns: readonly Pattern[] = []) => ({
    own: bundlesFor(patterns.filter(({ root }) => root !== null)),
    wide: bundlesFor(patterns.filter(({ root }) => root === null)),
  })
  const listsAt = (base: StorePath): Lists => ({
    deny: reach(denied.get(base)),
    allow: (allowed.get(base) ?? []).map(({ globs }) => bundlesOf(bundles, globs)),
    immutable: reach(kept.get(base)),
  })
  return new Map([...bases].map((base) => [base, listsAt(base)]))
}

function byBase<T extends { readonly base: StorePath }>(items: readonly T[]): Map<StorePath, T[]> {
  const groups = new Map<StorePath, T[]>()
  for (const item of items) {
    const group = groups.get(item.base)
    if (group) group.push(item)
    else groups.set(item.base, [item])
  }
  return groups
}

function ownFolders(patterns: readonly Pattern[]): Set<StorePath> {
  const own = patterns.filter(({ glob }) => glob.machine.start.accepts)
  return new Set(own.map(({ base }) => base))
}

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
  enterFolder,
  chargeWords,
  isSettled,
  type Bundle,
  type Bundles,
} from './bundle.ts'
import { topmost, type Extent, type Pattern, type Rules } from './rules.ts'

/** Lists, as far as the names on the way to a folder have matched them. */
export interface Lists {
  readonly deny: readonly Bundle[]
  readonly immutable: readonly Bundle[]
  /** Allow lists that may still refuse something. */
  readonly allow: readonly (readonly Bundle[])[]
}

/** The restrictions of the children of a folder. */
export interface Below {
  /** Whether the folder is, or is inside, a root. */
  readonly isInRoot: boolean
  readonly blocked: boolean
  /** Whether the folder is in a folder of the narrowing around it; true without one. */
  readonly inside: boolean
  /** Lists of every path. */
  readonly wide: Lists
  /** Lists that end at roots. */
  readonly own: Lists
}

/** Rules with their look-up tables and caches. */
export interface CompiledRules {
  readonly roots: ReadonlySet<StorePath>
  /** The roots that are in no other one: they can always be listed. */
  readonly outermost: ReadonlySet<StorePath>
  readonly blocked: ReadonlySet<StorePath>
  /** The roots that have narrowings, and the folders of these. */
  readonly narrowRoots: ReadonlySet<StorePath>
  readonly narrowFolders: ReadonlySet<StorePath>
  /** Lists by the folder that they are relative to, like those of {@link Below}. */
  readonly wide: ReadonlyMap<StorePath, Lists>
  readonly own: ReadonlyMap<StorePath, Lists>
  readonly bundles: Bundles
  /** The cache of {@link belowOf}. */
  readonly known: Map<StorePath, Below>
}

/** Approximate limit of the cache for one set of rules, in words of memory. */
const MAX_WORDS = 1_000_000
const WORDS_OF_BELOW = 40

const NO_LISTS: Lists = { deny: [], immutable: [], allow: [] }
const NOTHING: Below = {
  isInRoot: false,
  blocked: false,
  inside: true,
  wide: NO_LISTS,
  own: NO_LISTS,
}

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
  chargeWords(compiled.bundles, WORDS_OF_BELOW + folder.length / 8)
  return below
}

function descend(compiled: CompiledRules, above: Below, folder: StorePath): Below {
  const isRoot = compiled.roots.has(folder)
  const name = nameOf(folder)
  const wide = compiled.wide.get(folder) ?? NO_LISTS
  const own = compiled.own.get(folder) ?? NO_LISTS
  return {
    isInRoot: isRoot || above.isInRoot,
    blocked: above.blocked || compiled.blocked.has(folder),
    inside:
      compiled.narrowFolders.has(folder) || (above.inside && !compiled.narrowRoots.has(folder)),
    wide: joinLists(enterLists(compiled, above.wide, name), wide),
    own: isRoot ? own : joinLists(enterLists(compiled, above.own, name), own),
  }
}

/** Returns lists as they are in the child folder `name`. */
function enterLists({ bundles }: CompiledRules, lists: Lists, name: string): Lists {
  if (lists === NO_LISTS) return NO_LISTS
  const down = (patterns: readonly Bundle[]) => enterFolder(bundles, patterns, name)
  return {
    deny: down(lists.deny),
    immutable: down(lists.immutable),
    allow: lists.allow.map(down).filter(mayRefuse),
  }
}

/** Whether an allow list may refuse something below this folder. */
const mayRefuse = (list: readonly Bundle[]) => !isSettled(list)

function joinLists(a: Lists, b: Lists): Lists {
  if (a === NO_LISTS || b === NO_LISTS) return a === NO_LISTS ? b : a
  return {
    deny: [...a.deny, ...b.deny],
    immutable: [...a.immutable, ...b.immutable],
    allow: [...a.allow, ...b.allow],
  }
}

function compile(rules: Rules): CompiledRules {
  const { roots, narrowings } = rules
  const bundles = createBundles({ empty: () => compiledRules.delete(rules) })
  return {
    roots: new Set(roots),
    outermost: new Set(topmost(roots)),
    blocked: new Set(rules.blocked),
    narrowRoots: new Set(narrowings.map(({ root }) => root)),
    narrowFolders: new Set(narrowings.flatMap(({ folders }) => folders)),
    wide: listsOf(rules, bundles, false),
    own: listsOf(rules, bundles, true),
    bundles,
    known: new Map(),
  }
}

function listsOf(rules: Rules, bundles: Bundles, endsAtRoots: boolean): Map<StorePath, Lists> {
  const isSuch = (list: Extent) => list.endsAtRoots === endsAtRoots
  const deny = Map.groupBy(rules.deny.filter(isSuch), baseOf)
  const immutable = Map.groupBy(rules.immutable.filter(isSuch), baseOf)
  const allow = Map.groupBy(rules.allow.filter(isSuch), baseOf)
  const bundle = (globs: readonly Glob[]) => bundlesOf(bundles, globs)
  const patterns = (list: readonly Pattern[] = []) => bundle(list.map(({ glob }) => glob))
  const listsAt = (base: StorePath): Lists => ({
    deny: patterns(deny.get(base)),
    immutable: patterns(immutable.get(base)),
    allow: (allow.get(base) ?? []).map(({ globs }) => bundle(globs)).filter(mayRefuse),
  })
  const bases = [...deny.keys(), ...immutable.keys(), ...allow.keys()]
  return new Map(bases.map((base) => [base, listsAt(base)]))
}

const baseOf = ({ base }: Extent) => base

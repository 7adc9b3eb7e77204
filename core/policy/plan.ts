/**
 * Plans: rules made ready for judging, folder by folder.
 *
 * {@link Below} is all that rules have to say of what lies in a folder, and it follows from what
 * they say of the folder above. Both are remembered, as long as the rules are and within a limit,
 * so that the next name in a folder costs no more than its own letters.
 *
 * @module
 */

import { nameOf, parentOf, ROOT, type StorePath } from '../path.ts'
import { atBase, enter, isAlive, type Left } from './left.ts'
import type { Pattern, Rules } from './rules.ts'

/** What rules say of what lies in a folder, as far as it is no root. */
export interface Below {
  /** The root that it belongs to. */
  readonly root: StorePath | null
  readonly blocked: boolean
  /** Whether it is where the root has been narrowed to, if it has been. */
  readonly inside: boolean
  /** Patterns that can still match; of allow lists those that do not hold anyway. */
  readonly deny: readonly Left[]
  readonly allow: readonly (readonly Left[])[]
  readonly immutable: readonly Left[]
}

type Lists = Pick<Below, 'deny' | 'allow' | 'immutable'>

export interface Plan {
  readonly roots: ReadonlySet<StorePath>
  readonly blocked: ReadonlySet<StorePath>
  readonly narrowed: ReadonlyMap<StorePath, ReadonlySet<StorePath>>
  /** Lists by the folder that they count from. */
  readonly lists: ReadonlyMap<StorePath, Lists>
  /** Folders that a pattern of their own denies, or makes immutable, as two stars do. */
  readonly shut: ReadonlySet<StorePath>
  readonly fixed: ReadonlySet<StorePath>
  readonly known: Map<StorePath, Below>
  weight: number
}

/** What is remembered for one set of rules, in patterns. */
const MAX_WEIGHT = 50_000

const NOTHING: Below = {
  root: null,
  blocked: false,
  inside: true,
  deny: [],
  allow: [],
  immutable: [],
}

const plans = new WeakMap<Rules, Plan>()

/** The plan of rules; made once. */
export function planOf(rules: Rules): Plan {
  const known = plans.get(rules)
  if (known) return known
  const plan = makePlan(rules)
  plans.set(rules, plan)
  return plan
}

/** What a plan says of what lies in a folder. */
export function belowOf(plan: Plan, folder: StorePath): Below {
  const known = plan.known.get(folder)
  if (known) return known
  const above = folder === ROOT ? NOTHING : belowOf(plan, parentOf(folder))
  const below = descend(plan, above, folder)
  remember(plan, folder, below)
  return below
}

function remember(plan: Plan, folder: StorePath, below: Below): void {
  if (plan.weight > MAX_WEIGHT) {
    plan.known.clear()
    plan.weight = 0
  }
  plan.known.set(folder, below)
  const { deny, allow, immutable } = below
  plan.weight += 1 + deny.length + allow.flat().length + immutable.length
}

function descend(plan: Plan, above: Below, folder: StorePath): Below {
  const isRoot = plan.roots.has(folder)
  const root = isRoot ? folder : above.root
  const narrowed = root === null ? undefined : plan.narrowed.get(root)
  const here = plan.lists.get(folder) ?? NOTHING
  const down = (patterns: readonly Left[]) => descendants(patterns, root, nameOf(folder))
  return {
    root,
    blocked: above.blocked || plan.blocked.has(folder),
    inside: !narrowed || narrowed.has(folder) || (!isRoot && above.inside),
    deny: [...down(above.deny), ...here.deny],
    allow: [...(isRoot ? [] : above.allow.map(down)), ...here.allow].filter(decides),
    immutable: [...down(above.immutable), ...here.immutable],
  }
}

/** What patterns have to say one folder further down, of what belongs to a root. */
function descendants(patterns: readonly Left[], root: StorePath | null, name: string): Left[] {
  return patterns
    .filter((left) => left.root === null || left.root === root)
    .map((left) => enter(left, name))
    .filter(isAlive)
}

/** Whether an allow list still may refuse something. */
function decides(list: readonly Left[]): boolean {
  return !list.some(({ all }) => all)
}

function makePlan(rules: Rules): Plan {
  const { narrowed } = rules
  return {
    roots: new Set(rules.roots),
    blocked: new Set(rules.blocked),
    narrowed: new Map(narrowed.map(({ root, folders }) => [root, new Set(folders)])),
    lists: listsOf(rules),
    shut: ownFolders(rules.deny),
    fixed: ownFolders(rules.immutable),
    known: new Map(),
    weight: 0,
  }
}

function listsOf({ deny, allow, immutable }: Rules): Map<StorePath, Lists> {
  const lists = new Map<StorePath, { deny: Left[]; allow: Left[][]; immutable: Left[] }>()
  const at = (base: StorePath) => {
    const list = lists.get(base) ?? { deny: [], allow: [], immutable: [] }
    lists.set(base, list)
    return list
  }
  for (const { root, base, glob } of deny) at(base).deny.push(atBase(glob, root))
  for (const { root, base, glob } of immutable) at(base).immutable.push(atBase(glob, root))
  for (const { root, base, globs } of allow)
    at(base).allow.push(globs.map((glob) => atBase(glob, root)))
  return lists
}

function ownFolders(patterns: readonly Pattern[]): Set<StorePath> {
  const own = patterns.filter(({ glob }) => glob.machine.start.accepts)
  return new Set(own.map(({ base }) => base))
}

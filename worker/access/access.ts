/**
 * Access: what one request may read and write, computed once and asked by every route.
 *
 * Three layers lie inside each other: the ceiling (owner's rules, sessions, token), the working area (the
 * ceiling narrowed by the client's configuration), and the call (the working area, plus what a person
 * granted up to the ceiling, minus what was denied, restricted by a policy). Only {@link resolveAccess} makes an
 * {@link Access}; `workspace.ts` turns the store into what it lets a caller see and change.
 * `test/worker/access-laws.test.ts` holds it to the laws.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { isWithin, ROOT, type StorePath } from '#core/path.ts'
import {
  isDenied,
  isImmutable,
  isOpen,
  isPlain,
  judge,
  openFolders,
  type Rules,
} from '#core/policy.ts'
import { ok, type Result } from '#core/result.ts'
import {
  innermost,
  isInScope,
  ownerCeiling,
  withDenied,
  withPolicy,
  type Ceiling,
} from './ceiling.ts'
import { NO_METADATA, type CallMetadata } from './metadata.ts'
import { foldersByAction, intersectFolders, type Action, type ByAction } from './scopes.ts'

/**
 * What access says of a path:
 * - `permitted`
 * - `outside`: outside the working area, and a person can grant it for a call
 * - `blocked`: denied by a rule, a policy or the call; nothing can grant it
 * - `unscoped`: no scope of the session or token covers it
 * - `beyond`: outside the folders that the owner or the session permits
 */
export type Verdict = 'permitted' | 'outside' | 'blocked' | 'unscoped' | 'beyond'

/** What a caller may use without asking anybody: its ceiling, narrowed by its own configuration. */
export interface WorkingArea {
  readonly ceiling: Ceiling
  /** The ceiling and the client's configuration together. */
  readonly area: Ceiling
}

/** Computes the access of one request. The error is the message of a refused policy. */
export function resolveAccess(
  { ceiling, area }: WorkingArea,
  { policy, granted, denied }: CallMetadata = NO_METADATA,
): Result<Access, string> {
  const restricted = policy === undefined ? ok(area) : withPolicy(area, policy, 'human')
  if (!restricted.ok) return restricted
  // A policy makes grants void (rule L18 of the mcp4h proposal).
  const grants = policy === undefined ? foldersByAction(granted) : NO_GRANTS
  const asks = policy === undefined
  return ok(new Access(ceiling, withDenied(restricted.value, denied), grants, asks))
}

/** The access of the person whose workspace it is: rules are for agents. */
export function ownerAccess(owner: Config): Access {
  const ceiling = { ...ownerCeiling({ ...owner, roots: WHOLE_TREE, read_only: false }), owner }
  return new Access(ceiling, ceiling, NO_GRANTS, false, true)
}

const WHOLE_TREE: Config['roots'] = [
  { path: ROOT, default: true, deny: [], allow: [], immutable: [] },
]

const NO_GRANTS: ByAction<readonly StorePath[]> = { read: [], write: [] }

export class Access {
  /** Whether it is the owner's own: rules do not apply to it. */
  readonly isOwners: boolean
  /** Whether every path may be read and written. */
  readonly unrestricted: boolean
  /** Whether nothing may be changed, whatever the path. */
  readonly readOnly: boolean
  /** The owner's configuration: quotas and retention follow it. */
  readonly owner: Config
  /** The configuration of this request, with the limits that hold for it. */
  readonly config: Config
  /** Entries that no argument may exceed; 0 for no such limit. */
  readonly maxFound: number
  /** The folder from which relative paths count. */
  readonly base: StorePath
  readonly #ceiling: Ceiling
  readonly #area: Ceiling
  /** The layers of the working area that the ceiling does not have: a grant opens what is outside them. */
  readonly #own: readonly Rules[]
  /** All layers. */
  readonly #layers: readonly Rules[]
  readonly #grants: ByAction<readonly StorePath[]>
  readonly #asks: boolean

  constructor(
    ceiling: Ceiling,
    area: Ceiling,
    grants: ByAction<readonly StorePath[]>,
    asks: boolean,
    isOwners = false,
  ) {
    const rules = innermost(area)
    this.isOwners = isOwners
    this.#ceiling = ceiling
    this.#area = area
    this.#own = area.layers.filter((layer) => !ceiling.layers.includes(layer))
    this.#layers = [...ceiling.layers, ...this.#own]
    this.readOnly = this.#layers.some((layer) => layer.read_only)
    this.#grants = grants
    this.#asks = asks
    this.owner = ceiling.owner
    this.config = { ...area.config, ...rules.limits }
    this.maxFound = lowest(
      area.layers.filter((layer) => layer.underPolicy).map((layer) => layer.limits.find_limit),
    )
    this.base = rules.defaultRoot
    const { folders, denied } = area
    const free = folders.length + denied.read.length + denied.write.length === 0
    this.unrestricted = free && [...ceiling.layers, ...area.layers].every(isWholeTree)
  }

  /** What may be done with a path. With `asFolder` it is listed, which is permitted on the way to a scope. */
  judge(action: Action, path: StorePath, asFolder = false): Verdict {
    if (this.unrestricted) return 'permitted'
    if (!isInScope(this.#area, action, path, asFolder)) return 'unscoped'
    for (const layer of this.#ceiling.layers) {
      const verdict = judge(layer, path)
      if (verdict !== 'permitted') return verdict === 'outside' ? 'beyond' : 'blocked'
    }
    if (this.#isDenied(action, path)) return 'blocked'
    let verdict: Verdict = 'permitted'
    for (const layer of this.#own) {
      const own = judge(layer, path)
      if (own === 'blocked') return 'blocked'
      if (own === 'outside' && !this.#isGranted(action, path)) verdict = 'outside'
    }
    return verdict
  }

  canRead(path: StorePath): boolean {
    return this.judge('read', path) === 'permitted'
  }

  canWrite(path: StorePath): boolean {
    return this.judge('write', path) === 'permitted' && !this.isImmutable(path)
  }

  /** Whether an entry is there for this caller. A folder on the way to what a scope covers is. */
  sees(entry: { readonly type: 'file' | 'folder'; readonly path: StorePath }): boolean {
    return this.judge('read', entry.path, entry.type === 'folder') === 'permitted'
  }

  isImmutable(path: StorePath): boolean {
    return this.#layers.some((layer) => isImmutable(layer, path))
  }

  /** Whether a rule names a path to refuse it, whatever exists there. */
  isDenied(path: StorePath): boolean {
    return this.#layers.some((layer) => isDenied(layer, path))
  }

  /**
   * Whether everything that could be below a folder may be read and changed, so that nothing in it has to be
   * judged by itself. It may be false where that is so.
   */
  isOpenBelow(folder: StorePath): boolean {
    if (this.unrestricted) return true
    const { read, write } = this.#area.denied
    if ([...read, ...write].some((denied) => isWithin(denied, folder))) return false
    return (
      (['read', 'write'] as const).every((action) => this.judge(action, folder) === 'permitted') &&
      this.#layers.every((layer) => isOpen(layer, folder))
    )
  }

  /** Whether a folder is, or holds, a root of any layer: it can be neither moved nor deleted. */
  holdsRoot(path: StorePath): boolean {
    return (
      path === ROOT || this.#layers.some(({ roots }) => roots.some((root) => isWithin(root, path)))
    )
  }

  /** The folders that this request may use, as far as rules, scopes and grants name them. */
  folders(): StorePath[] {
    const { read, write } = this.#grants
    const area = openFolders(innermost(this.#area))
    const offered = [...area, ...read, ...write]
    const byRules = this.#ceiling.layers
      .filter((layer) => !layer.allow_escape)
      .reduce((left, layer) => intersectFolders(left, openFolders(layer)), offered)
    const byScope = this.#area.folders.reduce(
      (left, list) => intersectFolders(left, [...list.read, ...list.write]),
      byRules,
    )
    const usable = byScope.filter((folder) =>
      (['read', 'write'] as const).some((action) => this.judge(action, folder) === 'permitted'),
    )
    return [...new Set(usable)].toSorted()
  }

  /** Whether scopes leave an action anything at all. */
  hasScope(action: Action): boolean {
    return this.#area.folders.every((list) => list[action].length > 0)
  }

  /** Whether a person may be asked to grant what lies outside the working area. */
  get canAsk(): boolean {
    return this.#asks
  }

  #isDenied(action: Action, path: StorePath): boolean {
    return this.#area.denied[action].some((folder) => isWithin(path, folder))
  }

  #isGranted(action: Action, path: StorePath): boolean {
    return this.#grants[action].some((folder) => isWithin(path, folder))
  }
}

const isWholeTree = (rules: Rules) => isPlain(rules) && rules.roots[0] === ROOT

function lowest(limits: readonly number[]): number {
  return limits.reduce(
    (least, limit) => (least === 0 || (limit > 0 && limit < least) ? limit : least),
    0,
  )
}

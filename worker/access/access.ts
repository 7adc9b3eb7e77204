/**
 * Access: what one request may read and write, computed once and used by every route.
 *
 * It has three layers, each inside the one before: the ceiling (the owner's rules, sessions and token), the
 * working area (the ceiling restricted by the client's configuration), and the call (the working area, plus
 * what a person granted up to the ceiling, minus what was denied, restricted by a policy). Only
 * {@link resolveAccess} and {@link ownerAccess} make an {@link Access}; `workspace.ts` applies it to the
 * store. `test/worker/access/access.laws.test.ts` checks the laws.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import type { Config } from '#core/config.ts'
import { isWithin, ROOT, type StorePath } from '#core/path.ts'
import {
  approvalOf,
  flagLevelsOf,
  formatRules,
  hasApproval,
  isDenied,
  isImmutable,
  isOpen,
  isPlain,
  judge,
  judgingWork,
  openFolders,
  rulesOf,
  stricter,
  type Approvals,
  type Rules,
} from '#core/policy.ts'
import { ok, type Result } from '#core/result.ts'
import {
  innermost,
  isInScope,
  ownerCeiling,
  withDenied,
  withoutAllowed,
  withPolicy,
  type Ceiling,
} from './ceiling.ts'
import type { Judging } from './judging.ts'
import { NO_METADATA, type CallMetadata } from './metadata.ts'
import { readableRanges } from './readable.ts'
import { foldersByAction, intersectFolders, type Action, type ByAction } from './scopes.ts'
import { isWhole, WHOLE, type PathRanges } from '../store/path-ranges.ts'

/**
 * The decision on one path:
 * - `permitted`
 * - `outside`: outside the working area, and a person can grant it for a call
 * - `blocked`: denied by a rule, a policy or the call; nothing can grant it
 * - `unscoped`: no scope of the session or token covers it
 * - `beyond`: outside the folders that the owner or the session permits
 */
export type Verdict = 'permitted' | 'outside' | 'blocked' | 'unscoped' | 'beyond'

/** What a caller may use without a grant: its ceiling, restricted by its own configuration. */
export interface WorkingArea {
  readonly ceiling: Ceiling
  /** The ceiling and the client's configuration together. */
  readonly area: Ceiling
  /** Counts the steps of its principal; without it, they are not counted. */
  readonly judging?: Judging | undefined
}

/** Computes the access of one request. The error is the message of a refused policy. */
export function resolveAccess(
  { ceiling, area, judging }: WorkingArea,
  { policy, requester, granted, denied }: CallMetadata = NO_METADATA,
): Result<Access, string> {
  if (policy === undefined) {
    judging?.spend(area.patterns.characters * STEPS_PER_CHARACTER)
    const grants = foldersByAction(granted)
    return ok(new Access(ceiling, withDenied(area, denied), grants, { asks: true, judging }))
  }
  // A policy makes grants void (rule L18 of the mcp4h proposals), those of the owner as well.
  const restricted = withPolicy(area, policy, requester)
  if (!restricted.ok) return restricted
  judging?.spend(restricted.value.patterns.characters * STEPS_PER_CHARACTER)
  const inner = withoutAllowed(withDenied(restricted.value, denied))
  return ok(new Access(withoutAllowed(ceiling), inner, NO_GRANTS, { judging }))
}

/** Steps that preparing a pattern takes for each of its characters. */
const STEPS_PER_CHARACTER = 4

/** Returns the access of the owner in person. The owner's rules restrict agents, not the owner. */
export function ownerAccess(owner: Config): Access {
  const ceiling = { ...ownerCeiling({ ...owner, ...WITHOUT_RULES }), owner }
  return new Access(ceiling, ceiling, NO_GRANTS, { isOwner: true })
}

const WITHOUT_RULES = {
  roots: [{ path: ROOT, default: true, approval: 'none', deny: [], allow: [], immutable: [] }],
  read_only: false,
  flags: undefined,
} as const

const NO_GRANTS: ByAction<readonly StorePath[]> = { read: [], write: [] }

interface AccessOptions extends Pick<WorkingArea, 'judging'> {
  readonly asks?: boolean
  readonly isOwner?: boolean
}

/** The access of one request. Paths are judged by all layers; grants open paths outside the working area. */
export class Access {
  /** Whether it is the access of the owner, to whom the rules do not apply. */
  readonly isOwner: boolean
  /** Whether every path may be read and written. */
  readonly unrestricted: boolean
  /** Whether no path may be changed. */
  readonly readOnly: boolean
  /** The owner's configuration: quotas and retention follow it. */
  readonly owner: Config
  /** The configuration of this request, with its effective limits. */
  readonly config: Config
  /** Maximum number of results that an argument may ask for, set by a policy; 0 means "no limit". */
  readonly maxFound: number
  /** The base of relative paths. */
  readonly base: StorePath
  readonly #ceiling: Ceiling
  readonly #area: Ceiling
  /** The layers of the working area that are not in the ceiling: a grant opens paths outside them. */
  readonly #own: readonly Rules[]
  /** The folders of flags: a layer that nothing lifts. */
  readonly #bounds: readonly Rules[]
  /** All layers. */
  readonly #layers: readonly Rules[]
  readonly #grants: ByAction<readonly StorePath[]>
  readonly #asks: boolean
  /** Counts the steps of patterns; undefined if only the owner's rules have any. */
  readonly #judging: Judging | undefined
  /** Whether there are scopes at all; paths are judged by the thousand. */
  readonly #isScoped: boolean
  /** Whether a change can have an approval level; without one, no path is compared. */
  readonly #hasApproval: boolean
  #readable: PathRanges | undefined

  constructor(
    ceiling: Ceiling,
    area: Ceiling,
    grants: ByAction<readonly StorePath[]>,
    { asks = false, isOwner = false, judging }: AccessOptions,
  ) {
    const rules = innermost(area)
    this.isOwner = isOwner
    this.#isScoped = area.folders.length > 0
    this.#ceiling = ceiling
    this.#area = area
    this.#own = area.layers.filter((layer) => !ceiling.layers.includes(layer))
    this.#bounds = ceiling.bounds ? [ceiling.bounds] : []
    this.#layers = [...this.#bounds, ...ceiling.layers, ...this.#own]
    this.readOnly = this.#layers.some((layer) => layer.read_only)
    this.#hasApproval = !isOwner && this.#layers.some(hasApproval)
    this.#grants = grants
    this.#asks = asks
    this.#judging = area.patterns.patterns > 0 ? judging : undefined
    this.owner = ceiling.owner
    this.config = { ...area.config, ...rules.limits }
    this.maxFound = lowest(
      area.layers.filter((layer) => layer.underPolicy).map((layer) => layer.limits.find_limit),
    )
    this.base = rules.defaultRoot
    const { folders, denied } = area
    const free = folders.length + denied.read.length + denied.write.length === 0
    this.unrestricted = free && [...this.#layers, ...area.layers].every(isWholeTree)
  }

  /** Whether another one was computed from the same rules, sessions and token. */
  hasCeilingOf(other: Access): boolean {
    return this.#ceiling === other.#ceiling
  }

  /** Decides on a path. With `asFolder` it is a folder to list, so a scope for a path below it suffices. */
  judge(action: Action, path: StorePath, asFolder = false): Verdict {
    if (this.unrestricted) return 'permitted'
    return this.#counted(() => this.#judge(action, path, asFolder))
  }

  /** Counts the steps of work that matches patterns. Throws if none were left before it. */
  #counted<T>(work: () => T): T {
    if (!this.#judging) return work()
    this.#judging.check()
    const before = judgingWork.steps
    const result = work()
    this.#judging.spend(judgingWork.steps - before)
    return result
  }

  #judge(action: Action, path: StorePath, asFolder: boolean): Verdict {
    if (this.#isScoped && !isInScope(this.#area, action, path, asFolder)) return 'unscoped'
    if (this.#isOutOfBounds(path)) return 'blocked'
    for (const layer of this.#ceiling.layers) {
      const verdict = judge(layer, path)
      if (verdict === 'blocked') return 'blocked'
      if (verdict === 'permitted') continue
      if (!this.#isAllowed(action, path)) return 'beyond'
      // What the owner allowed lifts the roots of a layer, and none of its patterns.
      if (isDenied(layer, path)) return 'blocked'
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

  /** Whether a path may be read. */
  canRead(path: StorePath): boolean {
    return this.judge('read', path) === 'permitted'
  }

  /** Whether a path may be written and is not immutable. */
  canWrite(path: StorePath): boolean {
    return this.judge('write', path) === 'permitted' && !this.isImmutable(path)
  }

  /**
   * Whether a session may see a path that it named itself: also one that it may only write, unless its request has less
   * access than the one that named it.
   */
  maySeeNamed(path: StorePath): boolean {
    return this.canRead(path) || (this.canWrite(path) && !this.isRestrictedByRequest)
  }

  /** Whether an entry is visible. Folders above a path that a scope covers are visible. */
  sees(entry: { readonly type: 'file' | 'folder'; readonly path: StorePath }): boolean {
    return this.judge('read', entry.path, entry.type === 'folder') === 'permitted'
  }

  /**
   * The part of the tree in which every visible path lies, or undefined if that is all of it. A path in it may still be
   * hidden, by a pattern that is no range.
   */
  get readable(): PathRanges | undefined {
    this.#readable ??= this.unrestricted ? WHOLE : this.#findReadable()
    return isWhole(this.#readable) ? undefined : this.#readable
  }

  #findReadable(): PathRanges {
    const open = (layers: readonly Rules[], opened: readonly StorePath[]) =>
      layers.map((rules) => ({ rules, opened }))
    const { layers, allowed } = this.#ceiling
    return readableRanges(this.#area, [
      ...open(this.#bounds, []),
      ...open(layers, allowed.read),
      ...open(this.#own, this.#grants.read),
    ])
  }

  /** Whether any layer makes a path readable but not changeable. */
  isImmutable(path: StorePath): boolean {
    return this.#counted(() => this.#layers.some((layer) => isImmutable(layer, path)))
  }

  /** Whether a path is denied or immutable, so that no change removes it, also not as a folder that has become empty. */
  isFixed(path: StorePath): boolean {
    return this.isDenied(path) || this.isImmutable(path)
  }

  /** Whether a deny pattern or a blocked folder refuses a path, regardless of what exists there. */
  isDenied(path: StorePath): boolean {
    return this.#counted(() => this.#layers.some((layer) => isDenied(layer, path)))
  }

  /** Whether a pattern, a blocked folder or the call refuses an action on a path, regardless of what exists there. */
  refuses(action: Action, path: StorePath): boolean {
    return this.isDenied(path) || this.#isDenied(action, path)
  }

  /**
   * Whether everything that could be below a folder may be read and changed, so that its contents need no
   * checks of their own. The result may be false for a folder where that is true.
   */
  isOpenBelow(folder: StorePath): boolean {
    if (this.unrestricted) return true
    const { read, write } = this.#area.denied
    if ([...read, ...write].some((denied) => isWithin(denied, folder))) return false
    return (
      (['read', 'write'] as const).every((action) => this.judge(action, folder) === 'permitted') &&
      this.#counted(() => this.#layers.every((layer) => isOpen(layer, folder)))
    )
  }

  /**
   * Whether a path may be leased, and with `isDeep` all below it: nothing there may be kept from this request alone. What the
   * rules of the owner keep from every agent does no harm.
   */
  mayLease(path: StorePath, isDeep: boolean): boolean {
    if (!this.canWrite(path)) return false
    if (!isDeep || this.unrestricted) return true
    if (this.#area.denied.write.some((denied) => isWithin(denied, path))) return false
    const shared = [...this.#bounds, rulesOf(this.owner)]
    const own = this.#layers.filter((layer) => !shared.includes(layer))
    return this.#counted(() => own.every((layer) => isOpen(layer, path)))
  }

  /** Whether a path is, or contains, a root of any layer, which can be neither moved nor deleted. */
  holdsRoot(path: StorePath): boolean {
    return (
      path === ROOT || this.#layers.some(({ roots }) => roots.some((root) => isWithin(root, path)))
    )
  }

  /**
   * Returns the approval level of a change that touches these paths: the strictest one of all layers, for
   * each path and what is below it. It is `none` for the owner in person, who needs no approval.
   */
  approvalFor(paths: readonly StorePath[]): ApprovalLevel {
    if (!this.#hasApproval) return 'none'
    return strictestOf(this.#layers, paths)
  }

  /**
   * The same where the owner lets through what only the rules of the owner hold at `review`: flags, policies, sessions and
   * configurations keep their levels, and `confirm` stays.
   */
  approvalUnderTrust(paths: readonly StorePath[]): ApprovalLevel {
    const own = strictestOf([rulesOf(this.owner)], paths)
    const others = strictestOf([flagLevelsOf(this.owner), ...this.#area.levels], paths)
    return stricter(own === 'review' ? 'notify' : own, others)
  }

  /** Lists the folders that rules, scopes and grants let this request use. */
  folders(): StorePath[] {
    const { read, write } = this.#grants
    const { allowed } = this.#ceiling
    const byOwner = [...allowed.read, ...allowed.write]
    const openIn = (rules: Rules) => this.#counted(() => openFolders(rules))
    const area = openIn(innermost(this.#area))
    const offered = [...area, ...read, ...write, ...byOwner]
    const byFlags = this.#bounds.reduce(
      (left, layer) => intersectFolders(left, openIn(layer)),
      offered,
    )
    const byRules = this.#ceiling.layers
      .filter((layer) => !layer.allow_escape)
      .reduce((left, layer) => intersectFolders(left, [...openIn(layer), ...byOwner]), byFlags)
    const byScope = this.#area.folders.reduce(
      (left, list) => intersectFolders(left, [...list.read, ...list.write, ...byOwner]),
      byRules,
    )
    const usable = byScope.filter((folder) =>
      (['read', 'write'] as const).some((action) => this.judge(action, folder) === 'permitted'),
    )
    return [...new Set(usable)].toSorted()
  }

  /** Whether the scopes permit an action on any path. */
  hasScope(action: Action): boolean {
    const { folders, allowed, denied } = this.#area
    if (denied[action].includes(ROOT)) return false
    const isLifted = (index: number) => index < allowed.lists && allowed[action].length > 0
    return folders.every((list, index) => list[action].length > 0 || isLifted(index))
  }

  /** Whether a client's configuration, a policy or the call narrows what the owner and the session permit. */
  get isRestrictedByRequest(): boolean {
    const { read, write } = this.#area.denied
    return this.#own.length + read.length + write.length > 0
  }

  /** Whether a person may be asked to grant paths outside the working area. */
  get canAsk(): boolean {
    return this.#asks
  }

  /**
   * Whether a path is to be kept from the request: a policy, what the call denies, or a pattern refuses it. What is only
   * beyond the ceiling is not, because the owner can allow it.
   */
  isKeptFrom(path: StorePath): boolean {
    if (this.maySeeNamed(path)) return false
    const isRefused = this.#isDenied('read', path) || this.#isDenied('write', path)
    return !this.#asks || isRefused || this.isDenied(path) || this.#isOutOfBounds(path)
  }

  #isOutOfBounds(path: StorePath): boolean {
    return this.#bounds.some((layer) => judge(layer, path) !== 'permitted')
  }

  #isDenied(action: Action, path: StorePath): boolean {
    return this.#area.denied[action].some((folder) => isWithin(path, folder))
  }

  /** What decides which paths may be read, as data: equal when the access is computed from the same rules again. */
  formatReading() {
    const { folders, denied } = this.#area
    return {
      layers: this.#layers.map(formatRules).map(({ roots, allow_escape, blocked, ...lists }) => ({
        ...{ roots, allow_escape, blocked },
        lists: [lists.allow, lists.deny, lists.narrowings],
      })),
      folders: folders.map(({ read }) => read),
      opened: [this.#ceiling.allowed.read, this.#grants.read],
      denied: denied.read,
    }
  }

  #isAllowed(action: Action, path: StorePath): boolean {
    return this.#ceiling.allowed[action].some((folder) => isWithin(path, folder))
  }

  #isGranted(action: Action, path: StorePath): boolean {
    return this.#grants[action].some((folder) => isWithin(path, folder))
  }
}

const strictestOf = (layers: readonly Approvals[], paths: readonly StorePath[]): ApprovalLevel =>
  layers.flatMap((layer) => paths.map((path) => approvalOf(layer, path))).reduce(stricter, 'none')

const isWholeTree = (rules: Rules) => isPlain(rules) && rules.roots[0] === ROOT

function lowest(limits: readonly number[]): number {
  return limits.reduce(
    (least, limit) => (least === 0 || (limit > 0 && limit < least) ? limit : least),
    0,
  )
}

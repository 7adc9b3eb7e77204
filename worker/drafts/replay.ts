/**
 * Replay: plans the changes of a draft on the workspace as it is now.
 *
 * While the workspace has not changed what a proposal concerns, its stored steps still are its plan. Otherwise its
 * tool plans it again from the arguments, over the earlier proposals; what does not fit any more is a
 * conflict. `test/worker/drafts/replay.test.ts` has the cases.
 *
 * @module
 */

import { ancestorsOf, rangeBelow } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Access } from '../access/access.ts'
import { refusalOfSteps } from '../access/authorize.ts'
import { problemOfSpent } from '../access/judging.ts'
import { viewFiles, viewSearch } from '../access/file-view.ts'
import { viewHistory } from '../access/history-view.ts'
import { NO_COMMENTS } from '../access/comment-view.ts'
import { NO_DRAFT } from '../access/draft-view.ts'
import { NO_LEASES } from '../access/lease-view.ts'
import type { Problem } from '../errors/problem.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { WorkspaceSearch } from '../search/search.ts'
import { limitsOf } from '../store/limits.ts'
import type { SqliteStore } from '../store/open/sqlite.ts'
import { isPlainWrite } from '../store/draft/applied.ts'
import { placesOf, stepPaths } from '../store/write/steps.ts'
import type { DraftStore, Step, Store } from '../store/store.ts'
import { tablesOf } from '../database/table-groups.ts'
import type { Answer, Tool } from '../tools/lib/tool.ts'
import type { Draft, PlannedCall, Proposal } from '../access/draft.ts'
import { MAX_DRAFT_CHANGES } from './limits.ts'
import { collectConcerns } from './overlap.ts'

/** What planning again uses. */
export interface ReplayParts {
  readonly sql: SqlStorage
  readonly store: SqliteStore
  readonly search: WorkspaceSearch
  readonly tools: ReadonlyMap<string, Tool>
  /** Returns what the owner of a draft may do today, with the scopes that were allowed for one call. */
  readonly accessOf: (draft: Draft, allowed?: readonly string[]) => Access
  /** Returns the access with which a call of a draft is planned again; null if it is not known any more. */
  readonly accessOfCall: (draft: Draft, call: PlannedCall) => Access | null
}

/** A proposal as it fits the workspace now: its steps, or why it does not fit. */
export interface Replayed {
  readonly proposal: Proposal
  readonly planned: Result<readonly Step[], Problem>
  /** Whether its steps are those that were proposed. */
  readonly isClean: boolean
  /** The result of the new plan; null if it was not planned again. */
  readonly answer: Answer | null
}

/** A draft over the workspace of one moment. */
export interface Replay {
  readonly entries: readonly Replayed[]
  /** The files as all proposals that fit would leave them. Valid until `work` ends. */
  readonly store: Store
  /** The version of the workspace that it was planned on. */
  readonly at: number
  /** Whether the draft itself has the result, because nothing had to be planned again. */
  readonly isLive: boolean
}

/** Plans proposals again, and runs `work` on the result. */
export async function withReplay<T>(
  parts: ReplayParts,
  draft: Draft,
  proposals: readonly Proposal[],
  work: (replay: Replay) => MaybePromise<T>,
): Promise<T> {
  const live = replayLive(parts, draft, proposals)
  return live ? work(live) : withPart(parts, draft, proposals, work)
}

/** Plans some proposals of a draft without the others, and runs `work` on the result, which it may write to. */
export async function withPart<T>(
  parts: ReplayParts,
  draft: Draft,
  proposals: readonly Proposal[],
  work: (replay: Replay, scratch: DraftStore) => MaybePromise<T>,
): Promise<T> {
  const layer = scratchLayer()
  const { store } = parts
  try {
    const at = store.workspaceVersion
    const scratch = store.draft(layer)
    const entries = await replayAll(parts, draft, proposals, scratch)
    return await work({ entries, store: scratch, at, isLive: false }, scratch)
  } finally {
    dropLayer(store, layer)
  }
}

/** What the work has decided is not undone if its layer cannot be deleted: the next start deletes what is left. */
function dropLayer(store: SqliteStore, layer: number): void {
  try {
    store.dropDraft(layer)
  } catch (error) {
    console.error(error)
  }
}

/** The version of the workspace for which a draft is known to fit as it is. */
const fitting = new WeakMap<Draft, number>()

/**
 * Returns the draft itself, if the workspace has changed nothing that it concerns and no rule restricts its owner in
 * what it proposed: then each proposal would be planned as it was, and the layer of the draft is the result.
 */
function replayLive(
  { sql, store, accessOf }: ReplayParts,
  draft: Draft,
  proposals: readonly Proposal[],
): Replay | null {
  const usual = accessOf(draft)
  const at = store.workspaceVersion
  const layer = store.draft(draft.id)
  const entries: Replayed[] = []
  for (const proposal of proposals) {
    const { basis, steps, allowed } = proposal
    if (steps === null) return null
    const access = allowed.length > 0 ? accessOf(draft, allowed) : usual
    if (!isPermittedStill(steps, access, store)) return null
    if (fitting.get(draft) !== at && isDisturbed(sql, basis, steps)) return null
    entries.push({
      ...{ proposal: atLevel(proposal, steps, access), planned: ok(steps) },
      ...{ isClean: true, answer: null },
    })
  }
  fitting.set(draft, at)
  return { entries, store: layer, at, isLive: true }
}

/**
 * Whether steps may be taken, whatever earlier changes of the draft did. Rules for what is below a folder have to be
 * checked on the state in which it is moved or deleted, and those for missing folders where they are missing.
 */
function isPermittedStill(steps: readonly Step[], access: Access, workspace: Store): boolean {
  if (access.unrestricted) return true
  return isPlainWrite(steps) && refusalWithinSteps(steps, access, workspace) === null
}

/** Returns why steps may not be taken, which also is that judging them takes too much. */
function refusalWithinSteps(steps: readonly Step[], access: Access, tree: Store): Problem | null {
  try {
    return refusalOfSteps(steps, access, tree)
  } catch (error) {
    return problemOfSpent(error)
  }
}

/** Records that what is left of a draft fits a version of the workspace as it is. */
export function markFitting(draft: Draft, at: number): void {
  fitting.set(draft, at)
}

/** A proposal at the level of the rules of now, unless it was made at a stricter one. */
function atLevel(proposal: Proposal, steps: readonly Step[], access: Access): Proposal {
  const isRaised = access.approvalFor(steps.flatMap(stepPaths)) === 'confirm'
  return isRaised ? { ...proposal, level: 'confirm' } : proposal
}

let lastLayer = 0

/** Layers of replays have negative numbers; one that an eviction left behind is deleted at the next start. */
const scratchLayer = () => --lastLayer

/** Deletes the layers of replays that an eviction interrupted. */
export function dropInterrupted(sql: SqlStorage, store: Pick<SqliteStore, 'dropDraft'>): void {
  const layers = tablesOf(sql, 'drafts').exec<{ draft: number }>(
    'SELECT DISTINCT draft FROM draft_changes WHERE draft < 0',
  )
  for (const { draft } of layers.toArray()) store.dropDraft(draft)
}

/** Proposals after which other requests get a turn. */
const TURN_PROPOSALS = 64

async function replayAll(
  parts: ReplayParts,
  draft: Draft,
  proposals: readonly Proposal[],
  scratch: DraftStore,
): Promise<Replayed[]> {
  /** What is not as it was proposed. */
  const moved = collectConcerns()
  let isAsProposed = true
  const entries: Replayed[] = []
  for (const proposal of proposals) {
    if (entries.length % TURN_PROPOSALS === TURN_PROPOSALS - 1) await scheduler.wait(0)
    const { basis, steps, allowed } = proposal
    const access = parts.accessOf(draft, allowed)
    const isClean =
      steps !== null &&
      !isDisturbed(parts.sql, basis, steps) &&
      (isAsProposed || !moved.meets(steps, proposal.readPlaces()))
    const plan = isClean
      ? ok({ steps, access, answer: null })
      : await planAgain(parts, draft, proposal, scratch).catch((error: unknown) =>
          err(problemOfSpent(error)),
        )
    const applied = plan.ok ? applyTo(scratch, proposal, plan.value) : plan
    const now = plan.ok ? plan.value.steps : (steps ?? [])
    entries.push({
      proposal: atLevel(proposal, now, access),
      planned: applied.ok ? ok(now) : applied,
      isClean: isClean && applied.ok,
      answer: plan.ok ? plan.value.answer : null,
    })
    if (isClean && applied.ok) continue
    isAsProposed = false
    moved.add([...(steps ?? []), ...now])
  }
  return entries
}

/**
 * Whether proposals would be planned as they were, although the workspace may have changed since: nothing that one
 * concerns is different.
 */
export function isUndisturbed(
  { sql, store }: Pick<ReplayParts, 'sql' | 'store'>,
  { entries, at }: Pick<Replay, 'entries' | 'at'>,
): boolean {
  if (store.workspaceVersion === at) return true
  return entries.every(
    ({ proposal: { steps }, planned }) =>
      steps !== null && !isDisturbed(sql, at, [...steps, ...(planned.ok ? planned.value : [])]),
  )
}

/** The basis of a proposal that has to be planned again. */
export const NO_BASIS = -1

/**
 * Whether the workspace has changed a path of steps, something below one, or has put a file in place of a folder
 * above one, since a version.
 */
function isDisturbed(sql: SqlStorage, basis: number, steps: readonly Step[]): boolean {
  if (basis === NO_BASIS) return true
  const checked = new Set<string>()
  return steps.flatMap(placesOf).some((path) => {
    const { low, high } = rangeBelow(path)
    const isChanged = has(
      sql,
      `SELECT 1 FROM versions WHERE path = ?1 AND version > ?4
       UNION ALL SELECT 1 FROM versions WHERE path >= ?2 AND path < ?3 AND version > ?4 LIMIT 1`,
      [path, low, high, basis],
    )
    return isChanged || ancestorsOf(path).some((above) => isNewFile(sql, above, basis, checked))
  })
}

/** Whether a path has become a file since a version. Each path is asked for once. */
function isNewFile(sql: SqlStorage, path: string, basis: number, checked: Set<string>): boolean {
  if (checked.has(path)) return false
  checked.add(path)
  const query = 'SELECT 1 FROM files WHERE path = ? AND version > ? AND blob IS NOT NULL'
  return has(sql, query, [path, basis])
}

const has = (sql: SqlStorage, query: string, bindings: readonly (string | number)[]) =>
  sql.exec(query, ...bindings).toArray().length > 0

/** The steps of a proposal, the access with which they were planned, and the result if they were planned again. */
interface AllowedPlan {
  readonly steps: readonly Step[]
  readonly access: Access
  readonly answer: Answer | null
}

async function planAgain(
  { tools, search, accessOfCall }: ReplayParts,
  draft: Draft,
  { note, steps, allowed, readCall }: Proposal,
  scratch: Store,
): Promise<Result<AllowedPlan, Problem>> {
  const tool = tools.get(note.tool)
  const call = readCall()
  const access = call && accessOfCall(draft, { ...call, allowed })
  if (tool?.kind !== 'change' || call === null || access === null)
    return err({ reason: steps === null ? 'content_dropped' : 'not_planned_again' })
  const parsed = tool.parse(call.args)
  if (!parsed.ok) return parsed
  const files = viewFiles(scratch, access)
  const plan = await tool.plan(parsed.value.input, call.places, {
    store: Object.assign(files, viewHistory(scratch, access, note.actor.session)),
    search: viewSearch(search, access),
    config: access.config,
    maxFound: access.maxFound,
    highlight: false,
    showsApps: false,
    access,
    draft: NO_DRAFT,
    comments: NO_COMMENTS,
    leases: NO_LEASES,
    base: '',
    budget: draft.owner.principal,
  })
  return plan.ok ? ok({ ...plan.value, access }) : plan
}

function applyTo(
  scratch: DraftStore,
  { version, at, id, note }: Proposal,
  { steps, access }: Omit<AllowedPlan, 'answer'>,
): Result<unknown, Problem> {
  const refused = refusalWithinSteps(steps, access, scratch)
  if (refused) return err(refused)
  const basis = scratch.totals.version
  return scratch.apply({
    basis,
    steps,
    note: { ...note, id },
    as: { version, at },
    limits: { ...limitsOf(access.owner), versions: MAX_DRAFT_CHANGES },
  })
}

/**
 * Tool calls that change files: the tool makes a plan, and it is shown or applied here for all tools alike, so a preview
 * cannot promise what the call will not do.
 *
 * `test/worker/changes/changes.test.ts` compares previews with what is applied.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { accessMetaOf, type CallMetadata } from '../access/metadata.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { resultOfChange } from '../changes/change-result.ts'
import { bytesTaken, describeSteps } from '../changes/describe.ts'
import type { Facts } from '../changes/facts.ts'
import type { PlannedCall } from '../access/draft.ts'
import type { Problem } from '../errors/problem.ts'
import { namedPaths, stepPaths } from '../store/write/steps.ts'
import type { ChangeTool, Plan, ToolContext } from '../tools/lib/tool.ts'
import { usesOfSteps } from './other-uses.ts'
import { appendUses } from '../tools/lib/shown-use.ts'
import { notePreview, noteRefusal, type Account } from './audit-note.ts'
import type { CallRequest, CallServices, HeldChange } from './context.ts'
import { failed, type Outcome } from '../tools/lib/tool-result.ts'

/** Plans made for one call before a concurrent change fails it. */
const MAX_PLANS = 3

/** A call after authorization. */
export interface PermittedCall {
  readonly request: CallRequest
  /** The parsed arguments. */
  readonly input: unknown
  readonly places: readonly StorePath[]
  /** Scopes that the owner allowed for this call alone; a draft needs them when it is approved. */
  readonly allowed: readonly string[]
  readonly context: ToolContext
  readonly workspace: CallerWorkspace
  readonly metadata: CallMetadata
  readonly account: () => Account
  /** Adds to a problem what helps the caller to repeat the call. */
  readonly explain: (problem: Problem) => Problem
}

/** The outcome of a call, and its change if that has to be confirmed. */
export interface Ran {
  readonly outcome: Outcome
  readonly held: HeldChange | null
}

/** A plan with the version it was made against, and its account. */
interface Planned {
  readonly plan: Plan
  readonly basis: number
  readonly note: Account
  /** Whether a draft of it is never planned again. */
  readonly isFinal: boolean
}

/** Plans, then previews or applies. Plans again when a concurrent call changed the same files. */
export async function change(
  tool: ChangeTool,
  call: PermittedCall,
  services: CallServices,
): Promise<Ran> {
  const { previewId } = call.metadata
  const planner = tool.plansOnce ? keepPlan(tool) : tool
  for (let attempt = 1; ; attempt++) {
    const again = attempt === 1 ? call : reopen(call, services)
    const attempted = await attemptChange(planner, again, services)
    if (attempted.ok) return attempted.value
    const overtaken = attempted.error.reason === 'changed_meanwhile'
    if (overtaken && previewId !== null) return fail({ reason: 'preview_stale', id: previewId })
    if (!overtaken || attempt === MAX_PLANS) return fail(call.explain(attempted.error))
  }
}

/** Returns a tool that makes its first plan only, and has it again after a concurrent change. */
function keepPlan(tool: ChangeTool): ChangeTool {
  let kept: ReturnType<ChangeTool['plan']> | undefined
  return { ...tool, plan: (...given) => (kept ??= tool.plan(...given)) }
}

/** The result of a call that has nothing to confirm. */
export const done = (outcome: Outcome) => ok<Ran>({ outcome, held: null })

const fail = (problem: Problem): Ran => ({ outcome: failed(problem), held: null })

/** Opens the workspace again: the caller's draft may be another one by now. */
function reopen(call: PermittedCall, { openFor }: CallServices): PermittedCall {
  const workspace = openFor(call.workspace.access, call.request.caller)
  const { store, search, draft } = workspace
  return { ...call, workspace, context: { ...call.context, store, search, draft } }
}

async function attemptChange(
  tool: ChangeTool,
  call: PermittedCall,
  services: CallServices,
): Promise<Result<Ran, Problem>> {
  const { request, input, places, context, workspace, metadata, account } = call
  const basis = workspace.version()
  const plan = await tool.plan(input, places, context)
  if (!plan.ok) return plan
  const refused = workspace.refusalOf(plan.value.steps)
  if (refused) {
    noteRefusal(refused, account, services.audit)
    return err(refused)
  }
  const isFinal = tool.plansOnce === true
  const planned = { plan: plan.value, basis, note: account(), isFinal }
  // A difference costs more than the write, and only clients that show apps are handed it.
  const isDescribed = metadata.preview || request.caller.showsApps
  const facts = isDescribed ? await describe(planned, call) : null
  const uses = usesOfSteps({ tool, leases: workspace.leases }, plan.value.steps)
  const ran =
    metadata.preview && facts
      ? preview(planned, facts, call, services)
      : apply(planned, facts, call, services)
  return ran.ok ? ok({ ...ran.value, outcome: appendUses(ran.value.outcome, uses) }) : ran
}

/** Describes what a plan would do. */
async function describe(
  { plan: { steps }, note: { tool, intent } }: Planned,
  { workspace, context }: PermittedCall,
): Promise<Facts> {
  const described = await describeSteps(steps, workspace.store, context.access)
  return { tool, intent, applied: false, paths: steps.flatMap(stepPaths), ...described }
}

/** The call as a draft plans it again. */
function plannedCallOf({ request, places, allowed, workspace }: PermittedCall): PlannedCall {
  const { args, meta, caller } = request
  const { configuration } = caller
  const isFree = workspace.access.unrestricted
  return { args, places, allowed, configuration, meta: accessMetaOf(meta), isFree }
}

/** Stores a preview of a plan that could be applied. */
function preview(
  { plan, basis, note, isFinal }: Planned,
  facts: Facts,
  call: PermittedCall,
  { changes, audit }: CallServices,
): Result<Ran, Problem> {
  const { workspace, context } = call
  const { caller } = call.request
  const { steps } = plan
  const bytes = bytesTaken(steps, workspace.store)
  // A plan that cannot be applied must not be shown as if it could.
  const again = isFinal ? {} : { call: plannedCallOf(call) }
  const tried = workspace.apply({ basis, steps, note, ...again, dryRun: true })
  if (!tried.ok) return tried
  const { version } = tried.value
  const draft = workspace.draft.open()?.name ?? null
  const kept = { facts: { ...facts, bytes }, steps, basis, owner: caller, draft }
  const { id, expires } = changes.keep(kept, context.access.owner)
  notePreview(id, note, facts.paths, audit)
  const made = { id, basis, version, expires, draft: null }
  return done(resultOfChange(plan, facts, made, caller))
}

/** Applies a plan; with a preview id only if it is the plan that was previewed. */
function apply(
  { plan, basis, note, isFinal }: Planned,
  facts: Facts | null,
  call: PermittedCall,
  { changes }: CallServices,
): Result<Ran, Problem> {
  const { workspace, metadata } = call
  const { previewId } = metadata
  const { caller } = call.request
  const { steps } = plan
  const { tool, intent } = note
  const previewed = previewId === null ? null : changes.basisOf(previewId, { tool, steps }, caller)
  if (previewed && !previewed.ok) return previewed
  const seen = previewed?.value ?? basis
  const again = isFinal ? {} : { call: plannedCallOf(call) }
  const applied = workspace.apply({ basis: seen, steps, note, ...again })
  if (!applied.ok) return applied
  const { id, version, draft, level } = applied.value
  const made = { id, basis, version, expires: null, draft }
  const shown = facts && { ...facts, applied: draft === null }
  const outcome = resultOfChange(plan, shown, made, caller)
  if (!draft || level !== 'confirm' || caller.urlElicitation === null) return done(outcome)
  const waits = { tool, intent, answer: plan.answer, paths: namedPaths(steps) }
  return ok({ outcome, held: { change: id, draft, ...waits } })
}

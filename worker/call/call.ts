/**
 * The pipeline of a tool call: metadata, access, arguments, authorization, then read, or plan and show or apply.
 *
 * A tool fills in the steps and has no way to call the next one, so none can skip a check. It receives the
 * workspace that its caller may see and change, never the store. A tool that changes something only makes
 * a plan; showing and applying it is done here for all tools alike, so a preview cannot promise what the call
 * will not do. `test/worker/access/matrix.laws.test.ts` calls every tool as every kind of caller.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { parseScope } from '#core/scope.ts'
import { resolveAccess, type Access } from '../access/access.ts'
import { stepPaths } from '../store/steps.ts'
import {
  accessMetaOf,
  INVALID_PARAMS,
  NO_METADATA,
  parseMetadata,
  type CallMetadata,
  type Refused,
} from '../access/metadata.ts'
import { seenDecision, type CallerWorkspace } from '../access/workspace.ts'
import { permitCall } from '../requests/permit-call.ts'
import { describeRequest } from '../requests/status.ts'
import { accountOf, notePreview, noteRefusal, type Account } from './audit-note.ts'
import type { Facts } from '../changes/facts.ts'
import { draftOwnerOf, type PlannedCall } from '../drafts/draft.ts'
import { describeDecision } from '../drafts/status.ts'
import { bytesTaken, describeSteps } from '../changes/describe.ts'
import { resultOfChange } from '../changes/change-result.ts'
import { failed, succeeded, tell, type Outcome } from './tool-result.ts'
import { quoteShort, sentence, type Problem } from '../errors/problem.ts'
import type { Caller } from '../sessions/caller.ts'
import type { ActTool, ChangeTool, Plan, Tool, ToolContext } from '../tools/lib/tool.ts'
import type { CallRequest, CallServices, HeldChange } from './context.ts'

/** JSON-RPC code for a tool without a preview, from the mcp4h proposals. */
const NO_PREVIEW = -32050

/** Plans made for one call before a concurrent change fails it. */
const MAX_PLANS = 3

/** Runs one tool call. A refusal is a JSON-RPC error; a problem is a tool error inside the outcome. */
export function call(
  request: CallRequest,
  services: CallServices,
): Promise<Result<Outcome, Refused>> {
  const { watch } = services
  const answer = () => withNews(request, services)
  return watch ? watch.call(request, answer) : answer()
}

/** Runs a call, or answers one that waits already, and tells the agent what was decided since its last call. */
async function withNews(
  request: CallRequest,
  services: CallServices,
): Promise<Result<Outcome, Refused>> {
  const { state, caller } = request
  const metadata = parseMetadata(request.meta)
  const isPreview = metadata.ok && metadata.value.preview
  // A preview shows what the call would do now, also while the same call waits.
  if (!isPreview && (state !== undefined || caller.urlElicitation === 'legacy')) {
    const resumed = await services.waits?.resume(request, services)
    if (resumed) return resumed
  }
  const ran = await run(request, services)
  if (!ran.ok) return ran
  const { held, outcome } = ran.value
  const asked = held && (await services.waits?.hold(request, held))
  if (asked) return err(asked)
  // Hosts and views read these results, and the model does not: what it has to know waits for its next call.
  const isForModel = !isPreview && services.tools.get(request.name)?.appOnly !== true
  if (outcome.isError || !isForModel || services.signal?.aborted) return ok(outcome)
  return ok(tellNews(outcome, caller, metadata.ok ? metadata.value : NO_METADATA, services))
}

/** Adds the decisions that a caller did not learn of yet to a result. */
function tellNews(
  outcome: Outcome,
  caller: Caller,
  metadata: CallMetadata,
  services: CallServices,
): Outcome {
  const { key } = draftOwnerOf(caller)
  const decisions = services.takeNews(key)
  if (decisions.length > 0) services.waits?.settle(key)
  const requests = services.requests?.takeNews(key) ?? []
  if (decisions.length + requests.length === 0) return outcome
  const access = accessOf(caller, metadata)
  const seen = access.ok ? decisions.map((one) => seenDecision(one, access.value)) : []
  return tell(outcome, [...seen.map(describeDecision), ...requests.map(describeRequest)])
}

/** A parsed call: its tool, arguments and metadata, and the access of the request. */
export interface Understood {
  readonly tool: Tool
  /** The parsed arguments, in the tool's own type. */
  readonly input: unknown
  readonly metadata: CallMetadata
  readonly access: Access
}

/** Reads metadata and arguments and computes access. A refusal is a JSON-RPC error; a problem is a tool error. */
export function understand(
  { name, args, meta, caller }: CallRequest,
  { tools }: Pick<CallServices, 'tools'>,
): Result<Result<Understood, Problem>, Refused> {
  const tool = tools.get(name)
  if (!tool) return refuse(unknownTool(name))
  const metadata = parseMetadata(meta)
  if (!metadata.ok) return metadata
  const access = accessOf(caller, metadata.value)
  if (!access.ok) return refuse(access.error)
  if (tool.app && !access.value.canRead(tool.app.folder)) return refuse(unknownTool(name))
  const input = tool.parse(args)
  if (!input.ok) return ok(input)
  return ok(ok({ tool, input: input.value, metadata: metadata.value, access: access.value }))
}

const unknownTool = (name: string) => `Unknown tool: ${quoteShort(name)}`

/** Computes the access of one request of a caller. The error is the message of a refused policy. */
export function accessOf(caller: Caller, metadata: CallMetadata): Result<Access, string> {
  return metadata === NO_METADATA ? ok(caller.access) : resolveAccess(caller.working, metadata)
}

/** The outcome of a call, and its change if that has to be confirmed. */
interface Ran {
  readonly outcome: Outcome
  readonly held: HeldChange | null
}

const done = (outcome: Outcome) => ok<Ran>({ outcome, held: null })

async function run(request: CallRequest, services: CallServices): Promise<Result<Ran, Refused>> {
  const understood = understand(request, services)
  if (!understood.ok) return understood
  if (!understood.value.ok) return done(failed(understood.value.error))
  const parsed = understood.value.value
  const { tool, input, metadata } = parsed
  const { caller } = request
  const asked = { ...parsed, caller, account: () => accountOf(parsed, request) }
  const permitted = permitCall(asked, services.requests, services.audit)
  if (!permitted.ok) {
    noteRefusal(permitted.error, asked.account, services.audit)
    return refusalOf(permitted.error, caller)
  }
  const { places, access, allowed } = permitted.value
  const granted = { tool, input, access, metadata: withGranted(metadata, allowed) }
  const account = () => accountOf(granted, request)
  const workspace = services.openFor(access, caller)
  const context = createToolContext(workspace, caller, metadata, services)
  if (tool.kind === 'read') {
    const answer = await tool.read(input, places, context)
    return done(answer.ok ? succeeded(answer.value) : failed(answer.error))
  }
  const { args, meta } = request
  const inputs = {
    args,
    meta,
    input,
    places,
    allowed,
    context,
    workspace,
    metadata,
    account,
    caller,
  }
  if (tool.kind === 'change') return ok(await change(tool, inputs, services))
  if (metadata.preview)
    return err({ code: NO_PREVIEW, message: `preview is not supported for ${tool.name}` })
  return done(await act(tool, inputs, services))
}

/** Adds what the owner allowed for this call to its account. */
function withGranted(metadata: CallMetadata, allowed: readonly string[]): CallMetadata {
  if (allowed.length === 0) return metadata
  return { ...metadata, granted: [...metadata.granted, ...allowed.map((text) => parseScope(text))] }
}

/**
 * A missing scope of a token becomes a JSON-RPC error, because a 403 makes the client ask for more scopes.
 */
function refusalOf(problem: Problem, { token }: Caller): Result<Ran, Refused> {
  if (problem.reason !== 'insufficient_scope' || token === null) return done(failed(problem))
  return err({ code: -32000, message: sentence(problem), lack: problem })
}

async function act(tool: ActTool, inputs: Inputs, services: CallServices): Promise<Outcome> {
  const { input, places, context, workspace, metadata, account, caller } = inputs
  const links = services.linksFor(caller, metadata)
  const note = { ...account(), about: places }
  const answer = await tool.act(input, places, { ...context, ...links })
  if (!answer.ok) return failed(answer.error)
  // An acting tool changes no file; the empty change records the call in the history.
  workspace.apply({ basis: workspace.version(), steps: [], note })
  return succeeded(answer.value)
}

/** Builds the context of a tool call. */
function createToolContext(
  { store, search, access, draft }: CallerWorkspace,
  { base, showsApps }: Caller,
  { highlight }: CallMetadata,
  { progress, signal }: CallServices,
): ToolContext {
  const { config, maxFound } = access
  return {
    store,
    search,
    config,
    maxFound,
    highlight,
    showsApps,
    access,
    draft,
    base,
    ...(progress && { progress }),
    ...(signal && { signal }),
  }
}

/** What a tool runs with, after authorization. */
interface Inputs {
  /** The arguments as they came, for a change that is planned again. */
  readonly args: unknown
  readonly meta: CallRequest['meta']
  readonly input: unknown
  readonly places: readonly StorePath[]
  /** Scopes that the owner allowed for this call alone; a draft needs them when it is approved. */
  readonly allowed: readonly string[]
  readonly context: ToolContext
  readonly workspace: CallerWorkspace
  readonly metadata: CallMetadata
  readonly account: () => Account
  readonly caller: Caller
}

/** Plans, then previews or applies. Plans again when a concurrent call changed the same files. */
async function change(tool: ChangeTool, inputs: Inputs, services: CallServices): Promise<Ran> {
  const { previewId } = inputs.metadata
  for (let attempt = 1; ; attempt++) {
    const attempted = await attemptChange(
      tool,
      attempt === 1 ? inputs : reopen(inputs, services),
      services,
    )
    if (attempted.ok) return attempted.value
    const overtaken = attempted.error.reason === 'changed_meanwhile'
    if (overtaken && previewId !== null) return fail({ reason: 'preview_stale', id: previewId })
    if (!overtaken || attempt === MAX_PLANS) return fail(attempted.error)
  }
}

const fail = (problem: Problem): Ran => ({ outcome: failed(problem), held: null })

/** Opens the workspace again: the caller's draft may be another one by now. */
function reopen(inputs: Inputs, { openFor }: CallServices): Inputs {
  const workspace = openFor(inputs.workspace.access, inputs.caller)
  const { store, search, draft } = workspace
  return { ...inputs, workspace, context: { ...inputs.context, store, search, draft } }
}

/** A plan with the version it was made against, and its account. */
interface Planned {
  readonly plan: Plan
  readonly basis: number
  readonly note: Account
}

async function attemptChange(
  tool: ChangeTool,
  inputs: Inputs,
  services: CallServices,
): Promise<Result<Ran, Problem>> {
  const { input, places, context, workspace, metadata, account, caller } = inputs
  const basis = workspace.version()
  const plan = await tool.plan(input, places, context)
  if (!plan.ok) return plan
  const { steps } = plan.value
  const refused = workspace.refusalOf(steps)
  if (refused) {
    noteRefusal(refused, account, services.audit)
    return err(refused)
  }
  const planned = { plan: plan.value, basis, note: account() }
  if (metadata.preview) return preview(planned, await describe(planned, inputs), inputs, services)
  // A difference costs more than the write, and only clients that show apps are handed it.
  const facts = caller.showsApps ? await describe(planned, inputs) : null
  return apply(planned, facts, inputs, services)
}

/** Describes what a plan would do. */
async function describe(
  { plan: { steps }, note: { tool, intent } }: Planned,
  { workspace, context }: Inputs,
): Promise<Facts> {
  const described = await describeSteps(steps, workspace.store, context.access)
  return { tool, intent, applied: false, paths: steps.flatMap(stepPaths), ...described }
}

/** The call as a draft plans it again. */
function plannedCallOf({ args, meta, places, allowed, caller, workspace }: Inputs): PlannedCall {
  const { configuration } = caller
  const isFree = workspace.access.unrestricted
  return { args, places, allowed, configuration, meta: accessMetaOf(meta), isFree }
}

/** Stores a preview of a plan that could be applied. */
function preview(
  { plan, basis, note }: Planned,
  facts: Facts,
  inputs: Inputs,
  { changes, audit }: CallServices,
): Result<Ran, Problem> {
  const { workspace, context, caller } = inputs
  const { steps } = plan
  const bytes = bytesTaken(steps, workspace.store)
  // A plan that cannot be applied must not be shown as if it could.
  const tried = workspace.apply({
    basis,
    steps,
    note,
    call: plannedCallOf(inputs),
    dryRun: true,
  })
  if (!tried.ok) return tried
  const { version } = tried.value
  const { id, expires } = changes.keep(
    {
      ...{ facts: { ...facts, bytes }, steps, basis, owner: caller },
      draft: workspace.draft.open()?.name ?? null,
    },
    context.access.owner,
  )
  notePreview(id, note, facts.paths, audit)
  const made = { id, basis, version, expires, draft: null }
  return done(resultOfChange(plan, facts, made, caller))
}

/** Applies a plan; with a preview id only if it is the plan that was previewed. */
function apply(
  { plan, basis, note }: Planned,
  facts: Facts | null,
  inputs: Inputs,
  { changes }: CallServices,
): Result<Ran, Problem> {
  const {
    workspace,
    metadata: { previewId },
    caller,
  } = inputs
  const { steps } = plan
  const previewed =
    previewId === null ? null : changes.basisOf(previewId, { tool: note.tool, steps }, caller)
  if (previewed && !previewed.ok) return previewed
  const call = plannedCallOf(inputs)
  const applied = workspace.apply({ basis: previewed?.value ?? basis, steps, note, call })
  if (!applied.ok) return applied
  const { id, version, draft, level } = applied.value
  const made = { id, basis, version, expires: null, draft }
  const shown = facts && { ...facts, applied: draft === null }
  const outcome = resultOfChange(plan, shown, made, caller)
  if (!draft || level !== 'confirm' || caller.urlElicitation === null) return done(outcome)
  const { tool, intent } = note
  return ok({ outcome, held: { change: id, draft, tool, intent, answer: plan.answer } })
}

function refuse(message: string) {
  return err({ code: INVALID_PARAMS, message })
}

/**
 * The pipeline of a tool call: metadata, access, arguments, authorization, then read, or plan and show or apply.
 *
 * A tool fills in the steps and has no way to call the next one, so none can skip a check. It receives the
 * workspace that its caller may see and change, never the store. A tool that changes something only makes
 * a plan, which `change.ts` shows or applies. `test/worker/access/matrix.laws.test.ts` calls every tool as every
 * kind of caller.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { parseScope } from '#core/scope.ts'
import { problemOfSpent } from '../access/judging.ts'
import type { Access } from '../access/access.ts'
import { parseMetadata, type CallMetadata, type Refused } from '../access/metadata.ts'
import { explainMissing, resolveAgain, resolveSpelled } from '../access/spelling.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { draftOwnerOf } from '../access/draft-owner.ts'
import { describeDecision } from '../tools/lib/draft-status.ts'
import { sentence, type Problem } from '../errors/problem.ts'
import { permitCall, type Permission } from './permit.ts'
import { describeCommentNews } from '../tools/lib/shown-comment.ts'
import { describeRequest } from '../tools/lib/request-status.ts'
import type { Caller } from '../access/caller.ts'
import type { ActTool, ToolContext } from '../tools/lib/tool.ts'
import { accountOf, noteAct, noteProposal, noteRefusal } from './audit-note.ts'
import { change, done, type PermittedCall, type Ran } from './change.ts'
import type { CallRequest, CallServices } from './context.ts'
import { usesOfPaths } from './other-uses.ts'
import { takeComments, takeDecisions, takeRequests } from './take-news.ts'
import { failed, succeeded, appendNews, type Outcome } from '../tools/lib/tool-result.ts'
import { appendUses } from '../tools/lib/shown-use.ts'
import { accessOf } from '../access/from-metadata.ts'
import { understand, type Understood } from './understand.ts'

/** JSON-RPC code for a tool without a preview, from the mcp4h proposals. */
const NO_PREVIEW = -32050

/** Runs one tool call. A refusal is a JSON-RPC error; a problem is a tool error inside the outcome. */
export function call(
  request: CallRequest,
  services: CallServices,
): Promise<Result<Outcome, Refused>> {
  const { watch, clients } = services
  clients?.note(request.caller)
  const answer = () => runWithNews(request, services)
  return watch ? watch.call(request, answer) : answer()
}

/** Runs a call, or answers one that waits already, and adds the news to its result. */
async function runWithNews(
  request: CallRequest,
  services: CallServices,
): Promise<Result<Outcome, Refused>> {
  const began = Date.now()
  const { state, caller } = request
  const metadata = parseMetadata(request.meta)
  if (!metadata.ok) return metadata
  const { preview } = metadata.value
  // A preview shows what the call would do now, also while the same call waits.
  if (!preview && (state !== undefined || caller.urlElicitation === 'legacy')) {
    const resumed = await services.waits?.resume(request, services, began)
    if (resumed) return resumed
  }
  const ran = await runWithinSteps(request, metadata.value, services)
  if (!ran.ok) return ran
  const { held, outcome } = ran.value
  const asked = held && (await services.waits?.hold(request, held))
  if (asked) return err(asked)
  // Hosts and views read these results, and the model does not: what it has to know waits for its next call.
  const { appOnly, exactResult } = services.tools.get(request.name) ?? {}
  const isForModel = !preview && !appOnly && !exactResult
  if (outcome.isError || !isForModel || services.signal?.aborted) return ok(outcome)
  return ok(appendDecisions(outcome, { caller, metadata: metadata.value, began }, services))
}

/** A request whose result reports decisions. */
interface ReportedTo {
  readonly caller: Caller
  readonly metadata: CallMetadata
  /** When it came (ms). */
  readonly began: number
}

/** Adds the decisions that are to be reported to a caller to a result. */
function appendDecisions(
  outcome: Outcome,
  { caller, metadata, began }: ReportedTo,
  services: CallServices,
): Outcome {
  const { key } = draftOwnerOf(caller)
  const access = accessOf(caller, metadata)
  if (!access.ok) return outcome
  const decisions = withinSteps(() => takeDecisions(key, began, access.value, services))
  if (decisions.length > 0) services.waits?.settle(key, began)
  const requests = withinSteps(() => takeRequests(key, began, access.value, services))
  const comments = withinSteps(() => takeComments(key, began, access.value, services))
  return appendNews(outcome, [
    ...decisions.map(describeDecision),
    ...requests.map(describeRequest),
    ...describeCommentNews(comments),
  ])
}

/** Returns the news of a caller; none while it has no steps to judge them, because the result is there already. */
function withinSteps<T>(take: () => T[]): T[] {
  try {
    return take()
  } catch (error) {
    problemOfSpent(error)
    return []
  }
}

/** Runs a call. Nothing judges paths after a change was applied, so a call that is stopped has changed nothing. */
async function runWithinSteps(...given: Parameters<typeof run>): Promise<Result<Ran, Refused>> {
  try {
    return await run(...given)
  } catch (error) {
    return done(failed(problemOfSpent(error)))
  }
}

async function run(
  sent: CallRequest,
  metadata: CallMetadata,
  services: CallServices,
): Promise<Result<Ran, Refused>> {
  const understood = understand(sent, metadata, services)
  if (!understood.ok) return understood
  if (!understood.value.ok) return done(failed(understood.value.error))
  const parsed = understood.value.value
  // What a person reads, and what a draft plans again, is what the call means.
  const request = { ...sent, args: parsed.args }
  const { caller } = request
  const open = (access: Access) => services.openFor(access, caller)
  const resolve = resolveSpelled(open(parsed.access))
  const asked = {
    ...parsed,
    caller,
    open,
    account: () => accountOf({ ...parsed, resolve }, request),
  }
  const permitted = permitCall(asked, services.requests, services.audit)
  if (!permitted.ok) {
    noteRefusal(permitted.error, asked.account, services.audit)
    return refusalOf(permitted.error, caller)
  }
  return runPermitted({ request, parsed, permission: permitted.value }, services)
}

/** A parsed call, and what permits it. */
interface Permitted {
  readonly request: CallRequest
  readonly parsed: Understood
  readonly permission: Permission
}

/** Runs the tool of a permitted call. */
async function runPermitted(
  { request, parsed: { tool, input, metadata }, permission }: Permitted,
  services: CallServices,
): Promise<Result<Ran, Refused>> {
  const { places, access, allowed } = permission
  const { caller } = request
  const workspace = services.openFor(access, caller)
  const touches = tool.touches(input)
  const resolve = resolveAgain({ touches, places })
  const granted = { tool, input, metadata: withGranted(metadata, allowed), resolve }
  const explain = (problem: Problem) => explainMissing(problem, { touches, places }, workspace)
  const context = createToolContext(workspace, caller, metadata, services)
  if (tool.kind === 'read') {
    const answer = await tool.read(input, places, context)
    if (!answer.ok) return done(failed(explain(answer.error)))
    if (tool.exactResult) return done(succeeded(answer.value))
    const uses = usesOfPaths({ tool, leases: workspace.leases }, places)
    return done(appendUses(succeeded(answer.value), uses))
  }
  const call: PermittedCall = {
    request,
    input,
    places,
    allowed,
    context,
    workspace,
    metadata,
    account: () => accountOf(granted, request),
    explain,
  }
  if (tool.kind === 'change') return ok(await change(tool, call, services))
  if (metadata.preview)
    return err({ code: NO_PREVIEW, message: `preview is not supported for ${tool.name}` })
  return done(await act(tool, call, services))
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

/**
 * Runs a tool that changes no file: an empty change records the call in the history, unless it concerns a draft alone, or
 * the audit log is enough.
 */
async function act(
  tool: ActTool,
  { request, input, places, context, workspace, metadata, account, explain }: PermittedCall,
  services: CallServices,
): Promise<Outcome> {
  const links = services.linksFor(request.caller, metadata)
  const note = { ...account(), about: [...places, ...tool.concerns(input, context.access.base)] }
  const answer = await tool.act(input, places, { ...context, ...links })
  if (!answer.ok) return failed(explain(answer.error))
  if (tool.draftOnly) noteProposal(account(), services.audit)
  else if (tool.auditOnly) noteAct(account(), places, services.audit)
  else workspace.apply({ basis: workspace.version(), steps: [], note })
  return succeeded(answer.value)
}

/** Builds the context of a tool call. */
function createToolContext(
  { store, search, access, draft, comments, leases }: CallerWorkspace,
  { base, budget, showsApps }: Caller,
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
    comments,
    leases,
    base,
    budget,
    ...(progress && { progress }),
    ...(signal && { signal }),
  }
}

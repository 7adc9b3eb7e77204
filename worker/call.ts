/**
 * The pipeline of a tool call: metadata, access, arguments, authorization, then read, or plan and show or apply.
 *
 * A tool fills in the steps and has no way to call the next one, so none can skip a check. It receives the
 * workspace that its caller may see and change, never the store. A tool that changes something only makes
 * a plan; showing and applying it is done here for all tools alike, so a preview cannot promise what the call
 * will not do. `test/worker/access-matrix.test.ts` calls every tool as every kind of caller.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { resolveAccess, type Access } from './access/access.ts'
import { authorize, pathsOf } from './access/authorize.ts'
import {
  INVALID_PARAMS,
  NO_METADATA,
  parseMetadata,
  type CallMetadata,
  type Refused,
} from './access/metadata.ts'
import type { CallerWorkspace, OpenFor } from './access/workspace.ts'
import { accountOf, notePreview, noteRefusal, type Account } from './account.ts'
import type { Changes } from './changes/changes.ts'
import { bytesTaken, describeSteps } from './changes/describe.ts'
import { resultOfChange } from './changes/result.ts'
import { answered, failed, type Outcome } from './outcome.ts'
import type { Watch } from './observe/call.ts'
import { quoteShort, sentence, type Problem } from './problem.ts'
import type { Caller } from './sessions/caller.ts'
import type { Audit } from './store/audit.ts'
import type { ActTool, ChangeTool, Desk, Office, Tool } from './tools/tool.ts'

export type { Outcome } from './outcome.ts'

/** One tool call, as it arrived, and its caller. */
export interface Request {
  readonly name: string
  /** Untrusted; parsed by the tool. */
  readonly args: unknown
  /** The `_meta` of the request, not parsed yet. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly caller: Caller
}

/** The services that a call uses. */
export interface Surroundings {
  readonly tools: ReadonlyMap<string, Tool>
  /** Opens the workspace with the access of one request. */
  readonly openFor: OpenFor
  readonly audit: Audit
  /** Reports the progress of long work. */
  readonly progress?: Desk['progress']
  /** Aborted when the client no longer waits for the result. */
  readonly signal?: Desk['signal']
  /** Stored previews and applied changes. */
  readonly changes: Changes
  /** Creates links for a caller; a link inherits every restriction of the call. */
  readonly linksFor: (
    caller: Caller,
    metadata: CallMetadata,
  ) => Pick<Office, 'delegate' | 'transfer'>
  /** Records every call; absent unless the operator enabled logging or metrics. */
  readonly watch?: Watch | undefined
}

/** JSON-RPC code for a tool without a preview, from the mcp4h proposals. */
const NO_PREVIEW = -32050

/** Plans made for one call before a concurrent change fails it. */
const MAX_PLANS = 3

/** Runs one tool call. A refusal is a JSON-RPC error; a problem is a tool error inside the outcome. */
export function call(request: Request, around: Surroundings): Promise<Result<Outcome, Refused>> {
  const { watch } = around
  return watch ? watch.call(request, () => take(request, around)) : take(request, around)
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
  { name, args, meta, caller }: Request,
  { tools }: Pick<Surroundings, 'tools'>,
): Result<Result<Understood, Problem>, Refused> {
  const tool = tools.get(name)
  if (!tool) return refuse(`There is no tool ${quoteShort(name)}`)
  const metadata = parseMetadata(meta)
  if (!metadata.ok) return metadata
  const access = accessOf(caller, metadata.value)
  if (!access.ok) return refuse(access.error)
  const input = tool.parse(args)
  if (!input.ok) return ok(input)
  return ok(ok({ tool, input: input.value, metadata: metadata.value, access: access.value }))
}

/** Computes the access of one request of a caller. The error is the message of a refused policy. */
export function accessOf(caller: Caller, metadata: CallMetadata): Result<Access, string> {
  return metadata === NO_METADATA ? ok(caller.access) : resolveAccess(caller.working, metadata)
}

async function take(request: Request, around: Surroundings): Promise<Result<Outcome, Refused>> {
  const understood = understand(request, around)
  if (!understood.ok) return understood
  if (!understood.value.ok) return ok(failed(understood.value.error))
  const { tool, input, metadata, access } = understood.value.value
  const account = () => accountOf(tool, request, metadata)
  const authorized = authorize(tool.touches(input), access)
  // Some changes name no path.
  const isRefused = authorized.ok && tool.kind === 'change' && access.readOnly
  const places = isRefused ? err<Problem>({ reason: 'read_only' }) : authorized
  if (!places.ok) {
    noteRefusal(places.error, account, around.audit)
    return refusalOf(places.error, request.caller)
  }
  const { caller } = request
  const workspace = around.openFor(access, caller.session?.id ?? null)
  const desk = deskOf(workspace, metadata, around)
  if (tool.kind === 'read') {
    const answer = await tool.read(input, places.value, desk)
    return ok(answer.ok ? answered(answer.value) : failed(answer.error))
  }
  if (tool.kind === 'act') {
    if (metadata.preview)
      return err({ code: NO_PREVIEW, message: `preview is not supported for ${tool.name}` })
    const office = { ...desk, ...around.linksFor(caller, metadata) }
    return ok(await act(tool, input, places.value, account(), office, workspace))
  }
  const making = { tool, input, places: places.value, desk, workspace, metadata, account, caller }
  return ok(await change(making, around))
}

/**
 * A missing scope of a token becomes a JSON-RPC error, because a 403 makes the client ask for more scopes.
 */
function refusalOf(problem: Problem, { token }: Caller): Result<Outcome, Refused> {
  if (problem.reason !== 'insufficient_scope' || token === null) return ok(failed(problem))
  return err({ code: -32000, message: sentence(problem), lack: problem })
}

async function act(
  tool: ActTool,
  input: unknown,
  places: readonly StorePath[],
  account: Account,
  office: Office,
  workspace: CallerWorkspace,
): Promise<Outcome> {
  const answer = await tool.act(input, places, office)
  if (!answer.ok) return failed(answer.error)
  // An acting tool changes no file; the empty change records the call in the history.
  const note = { ...account, about: places }
  workspace.apply({ basis: workspace.version(), steps: [], note })
  return answered(answer.value)
}

/** Builds the context of a tool call. */
function deskOf(
  { store, search, access }: CallerWorkspace,
  { highlight }: CallMetadata,
  { progress, signal }: Surroundings,
): Desk {
  const { config, maxFound: mostFound } = access
  return {
    store,
    search,
    config,
    mostFound,
    highlight,
    access,
    ...(progress && { progress }),
    ...(signal && { signal }),
  }
}

/** The inputs of a change, after authorization. */
interface Making {
  readonly tool: ChangeTool
  readonly input: unknown
  readonly places: readonly StorePath[]
  readonly desk: Desk
  readonly workspace: CallerWorkspace
  readonly metadata: CallMetadata
  readonly account: () => Account
  readonly caller: Caller
}

/** Plans, then previews or applies. Plans again when a concurrent call changed the same files. */
async function change(making: Making, around: Surroundings): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const done = await attemptOf(making, around)
    if (done.ok) return done.value
    const { metadata } = making
    const overtaken = done.error.reason === 'changed_meanwhile'
    if (overtaken && metadata.bound !== null)
      return failed({ reason: 'preview_stale', id: metadata.bound })
    if (!overtaken || attempt === MAX_PLANS) return failed(done.error)
  }
}

async function attemptOf(
  { tool, input, places, desk, workspace, metadata, account, caller }: Making,
  { changes, audit }: Surroundings,
): Promise<Result<Outcome, Problem>> {
  const basis = workspace.version()
  const plan = await tool.plan(input, places, desk)
  if (!plan.ok) return plan
  const { steps } = plan.value
  const refused = workspace.refusalOf(steps)
  if (refused) {
    noteRefusal(refused, account, audit)
    return err(refused)
  }
  const { files, more } = await describeSteps(steps, workspace.store, desk.access)
  const paths = steps.flatMap(pathsOf)
  const note = account()
  const facts = { tool: note.tool, intent: note.intent, applied: false, paths, files, more }
  if (metadata.preview) {
    const bytes = bytesTaken(steps, workspace.store)
    // A dry run: a plan that cannot be applied must not be shown as if it could.
    const tried = workspace.apply({ basis, steps, note, trial: true })
    if (!tried.ok) return tried
    const { version } = tried.value
    const { id, expires } = changes.keep(
      { facts: { ...facts, bytes }, steps, basis, owner: caller },
      desk.access.owner,
    )
    notePreview(id, note, paths, audit)
    return ok(resultOfChange(plan.value, facts, { id, basis, version, expires }, caller.showsApps))
  }

  const shown =
    metadata.bound === null ? null : changes.basisOf(metadata.bound, note.tool, steps, caller)
  if (shown && !shown.ok) return shown
  const applied = workspace.apply({ basis: shown?.value ?? basis, steps, note })
  if (!applied.ok) return applied
  const { id, version } = applied.value
  const made = { id, basis, version, expires: null }
  return ok(resultOfChange(plan.value, { ...facts, applied: true }, made, caller.showsApps))
}

function refuse(message: string) {
  return err({ code: INVALID_PARAMS, message })
}

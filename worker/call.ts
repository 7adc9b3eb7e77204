/**
 * The one road of a tool call: terms, arguments, allowed, then read, or plan and show or apply.
 *
 * A tool fills in the steps and has no way to call the next one, so none can skip a check. A tool
 * that changes something only ever makes a plan; showing and applying it is done here, for all
 * tools alike, so a preview cannot promise what the call will not do.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { accountOf, notePreview, noteRefusal, type Account } from './account.ts'
import { allowed, areaOf, isWithinReach, notAllowed, pathsOf, type Area } from './area.ts'
import type { Changes } from './changes/changes.ts'
import { describeSteps, type Description } from './changes/describe.ts'
import { told } from './changes/told.ts'
import { answered, failed, type Outcome } from './outcome.ts'
import type { Watch } from './observe/call.ts'
import type { Problem } from './problem.ts'
import type { Search } from './search/search.ts'
import type { Caller } from './sessions/caller.ts'
import { limitsOf } from './store/limits.ts'
import type { Change, Step, Store } from './store/store.ts'
import { viewOfSearch, viewOfStore } from './store/view.ts'
import { INVALID_PARAMS, termsOf, type Refused, type Terms } from './terms.ts'
import type { ActTool, ChangeTool, Desk, Office, Tool } from './tools/tool.ts'

export type { Outcome } from './outcome.ts'

export interface Request {
  readonly name: string
  readonly args: unknown
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly caller: Caller
}

/** What a call works on: the files, the rules, and the search that goes with the files. */
export interface Surroundings {
  readonly tools: ReadonlyMap<string, Tool>
  readonly store: Store
  readonly search: Search
  /** Tells whoever waits how far long work has come. */
  readonly progress?: Desk['progress']
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: Desk['signal']
  /** Previews, and what was applied, as the person meets them. */
  readonly changes: Changes
  /** What an acting tool may do for a caller. */
  readonly officeOf: (caller: Caller) => Office
  /** Keeps a record of every call, where the operator wants one. */
  readonly watch?: Watch | undefined
  /** Told of every change after it was applied. */
  readonly changed: (change: Change, steps: readonly Step[]) => void
}

/** The answer of a tool that cannot show what it would do, from the mcp4h proposal. */
const NO_PREVIEW = -32050

/** Times a plan is made anew when somebody else was faster, before the caller hears of it. */
const PLANS = 3

export function call(request: Request, around: Surroundings): Promise<Result<Outcome, Refused>> {
  const { watch } = around
  return watch ? watch.call(request, () => take(request, around)) : take(request, around)
}

async function take(request: Request, around: Surroundings): Promise<Result<Outcome, Refused>> {
  const tool = around.tools.get(request.name)
  if (!tool)
    return err({
      code: INVALID_PARAMS,
      message: `There is no tool ${JSON.stringify(request.name)}`,
    })
  const terms = termsOf(request.meta)
  if (!terms.ok) return terms

  const area = areaOf(request.caller.area, terms.value)
  if (!area.ok) return err({ code: INVALID_PARAMS, message: area.error })
  const input = tool.parse(request.args)
  if (!input.ok) return ok(failed(input.error))
  const account = () => accountOf(tool, request, terms.value)
  const places = allowed(tool.touches(input.value), area.value, around.store)
  if (!places.ok) {
    noteRefusal(places.error, account, around.store.audit)
    return ok(failed(places.error))
  }

  if (tool.kind === 'read') {
    const answer = await tool.read(input.value, places.value, deskOf(area.value, around))
    return ok(answer.ok ? answered(answer.value) : failed(answer.error))
  }
  if (tool.kind === 'act') {
    if (terms.value.preview)
      return err({ code: NO_PREVIEW, message: `preview is not supported for ${tool.name}` })
    return ok(await act(tool, input.value, account(), request, around))
  }
  const making = {
    tool,
    input: input.value,
    places: places.value,
    desk: { ...deskOf(area.value, around), store: around.store, search: around.search },
    area: area.value,
    terms: terms.value,
    account,
    session: request.caller.session?.id ?? null,
  }
  return ok(await change(making, around))
}

async function act(
  tool: ActTool,
  input: unknown,
  account: Account,
  { caller }: Request,
  { store, changed, officeOf }: Surroundings,
): Promise<Outcome> {
  const answer = await tool.act(input, officeOf(caller))
  if (!answer.ok) return failed(answer.error)
  // It touches no file, and history tells of it all the same.
  const noted = store.apply({ basis: store.totals.version, steps: [], note: account })
  if (noted.ok) changed(noted.value, [])
  return answered(answer.value)
}

/** What a tool works on: where rules hide something, a view in which it is not there. */
function deskOf(area: Area, { store, search, progress, signal }: Surroundings): Desk {
  const { shows, config, mostFound, rules } = area
  return {
    store: shows ? viewOfStore(store, shows) : store,
    search: shows ? viewOfSearch(search, shows) : search,
    config,
    mostFound,
    roots: rules.read.roots,
    seesChange: ({ id }) => !shows || touchedBy(store, id).every(shows),
    ...(progress && { progress }),
    ...(signal && { signal }),
  }
}

/** What a change is made with, once the call is allowed. */
interface Making {
  readonly tool: ChangeTool
  readonly input: unknown
  readonly places: readonly StorePath[]
  readonly desk: Desk
  readonly area: Area
  readonly terms: Terms
  readonly account: () => Account
  readonly session: string | null
}

/** Plans, then shows or applies; planned anew when somebody else was faster. */
async function change(making: Making, around: Surroundings): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const done = await attemptOf(making, around)
    if (done.ok) return done.value
    const { terms } = making
    const overtaken = done.error.reason === 'changed_meanwhile'
    if (overtaken && terms.bound !== null)
      return failed({ reason: 'preview_stale', id: terms.bound })
    if (!overtaken || attempt === PLANS) return failed(done.error)
  }
}

async function attemptOf(
  { tool, input, places, desk, area, terms, account, session }: Making,
  { store, changes, changed }: Surroundings,
): Promise<Result<Outcome, Problem>> {
  const basis = store.totals.version
  const plan = await tool.plan(input, places, desk)
  if (!plan.ok) return plan
  const { steps } = plan.value
  const hidden = notAllowed(steps, area)
  if (hidden) {
    noteRefusal(hidden, account, store.audit)
    return err(hidden)
  }
  const { files, more } = readable(await describeSteps(steps, store), area)
  const paths = steps.flatMap(pathsOf)
  const note = account()
  const limits = limitsOf(area.config)
  const facts = { tool: note.tool, intent: note.intent, applied: false, paths, files, more }
  if (terms.preview) {
    // What could not be applied is not shown as if it could.
    const tried = store.apply({ basis, steps, note, limits, trial: true })
    if (!tried.ok) return tried
    const { id, expires } = changes.keep({ facts, steps, basis, session }, desk.config)
    notePreview(id, note, paths, store.audit)
    return ok(told(plan.value, facts, { id, basis, version: null, expires }))
  }

  const shown = terms.bound === null ? null : changes.basisOf(terms.bound, steps, session)
  if (shown && !shown.ok) return shown
  const applied = store.apply({ basis: shown?.value ?? basis, steps, note, limits })
  if (!applied.ok) return applied
  changed(applied.value, steps)
  const { id, version } = applied.value
  return ok(told(plan.value, { ...facts, applied: true }, { id, basis, version, expires: null }))
}

/** What a change does to files that its caller may never read is counted, and not told. */
function readable({ files, more }: Description, area: Area): Description {
  const { read } = area.reach
  if (read.length === 0) return { files, more }
  const touch = { action: 'read', text: '' } as const
  const shown = files.filter(({ from, to }) =>
    [from, to].every((path) => path === null || isWithinReach(area, touch, path)),
  )
  return { files: shown, more: more + files.length - shown.length }
}

function touchedBy(store: Store, id: string): StorePath[] {
  return store.changesOf(id).flatMap((change) => change.paths)
}

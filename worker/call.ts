/**
 * The one road of a tool call: terms, arguments, allowed, then read, or plan and show or apply.
 *
 * A tool fills in the steps and has no way to call the next one, so none can skip a check. A tool
 * that changes something only ever makes a plan; showing and applying it is done here, for all
 * tools alike, so a preview cannot promise what the call will not do.
 *
 * @module
 */

import { renderIntent } from '#core/intent/render.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { CHANGE_META } from '#core/wire.ts'
import { allowed, areaOf, notAllowed, pathsOf, type Area } from './area.ts'
import type { Caller } from './sessions/caller.ts'
import { addressesOf, linksOf, type Changes, type Facts } from './changes/changes.ts'
import { describeSteps, totalStats } from './changes/describe.ts'
import { MAX_DIFF_LINES } from './limits.ts'
import { codeOf, detailsOf, sentence, type Problem } from './problem.ts'
import type { Change, Step, Store } from './store/store.ts'
import type { Search } from './search/search.ts'
import { viewOfSearch, viewOfStore } from './store/view.ts'
import { INVALID_PARAMS, termsOf, type Refused, type Terms } from './terms.ts'
import type { ActTool, Answer, Block, ChangeTool, Desk, Office, Plan, Tool } from './tools/tool.ts'

export interface Request {
  readonly name: string
  readonly args: unknown
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly caller: Caller
}

/** A `CallToolResult`, as plain data. */
export interface Outcome extends Record<string, unknown> {
  content: Block[]
  structuredContent: Record<string, unknown>
  isError?: true
  _meta?: Record<string, unknown>
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
  /** Told of every change after it was applied. */
  readonly changed: (change: Change, steps: readonly Step[]) => void
}

/** The answer of a tool that cannot show what it would do, from the mcp4h proposal. */
const NO_PREVIEW = -32050

/** Times a plan is made anew when somebody else was faster, before the caller hears of it. */
const PLANS = 3

export async function call(
  request: Request,
  around: Surroundings,
): Promise<Result<Outcome, Refused>> {
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
  const places = allowed(tool.touches(input.value), area.value, around.store)
  if (!places.ok) return ok(failed(places.error))

  if (tool.kind === 'read') {
    const answer = await tool.read(input.value, places.value, deskOf(area.value, around))
    return ok(answer.ok ? answered(answer.value) : failed(answer.error))
  }
  if (tool.kind === 'act') {
    if (terms.value.preview)
      return err({ code: NO_PREVIEW, message: `preview is not supported for ${tool.name}` })
    return ok(await act(tool, input.value, request, around))
  }
  const desk = { ...deskOf(area.value, around), store: around.store, search: around.search }
  return ok(
    await change(tool, input.value, places.value, desk, area.value, terms.value, request, around),
  )
}

async function act(
  tool: ActTool,
  input: unknown,
  request: Request,
  { store, changed, officeOf }: Surroundings,
): Promise<Outcome> {
  const answer = await tool.act(input, officeOf(request.caller))
  if (!answer.ok) return failed(answer.error)
  // It touches no file, and history tells of it all the same.
  const intent = renderIntent(tool.intent, request.args).text
  const note = { tool: tool.name, intent, actor: actorOf(request.caller) }
  const noted = store.apply({ basis: store.totals.version, steps: [], note })
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

async function change(
  tool: ChangeTool,
  input: unknown,
  places: readonly StorePath[],
  desk: Desk,
  area: Area,
  terms: Terms,
  request: Request,
  around: Surroundings,
): Promise<Outcome> {
  const { store, changes } = around
  const { caller } = request
  const session = caller.session?.id ?? null
  const intent = renderIntent(tool.intent, request.args).text
  for (let attempt = 1; ; attempt++) {
    const basis = store.totals.version
    const plan = await tool.plan(input, places, desk)
    if (!plan.ok) return failed(plan.error)
    const { steps } = plan.value
    const hidden = notAllowed(steps, area)
    if (hidden) return failed(hidden)
    const { files, more } = await describeSteps(steps, store)
    const paths = steps.flatMap(pathsOf)
    const facts = { tool: tool.name, intent, applied: false, paths, files, more }
    if (terms.preview) {
      const { id, expires } = changes.keep({ facts, steps, basis, session }, desk.config)
      return told(plan.value, facts, { id, basis, version: null, expires })
    }

    const shown = terms.bound === null ? null : changes.basisOf(terms.bound, steps, session)
    if (shown && !shown.ok) return failed(shown.error)
    const note = { tool: tool.name, intent, actor: actorOf(caller) }
    const applied = store.apply({ basis: shown?.value ?? basis, steps, note })
    if (applied.ok) {
      around.changed(applied.value, steps)
      const { id, version } = applied.value
      return told(plan.value, { ...facts, applied: true }, { id, basis, version, expires: null })
    }
    if (applied.error.reason !== 'changed_meanwhile') return failed(applied.error)
    if (terms.bound !== null) return failed({ reason: 'preview_stale', id: terms.bound })
    if (attempt === PLANS) return failed(applied.error)
  }
}

interface Told {
  readonly id: string
  readonly basis: number
  /** Null while nothing was applied. */
  readonly version: number | null
  /** Milliseconds since 1970; null for as long as history lasts. */
  readonly expires: number | null
}

/** The answer of a plan, with the change for the person beside it. */
function told({ answer }: Plan, facts: Facts, { id, basis, version, expires }: Told): Outcome {
  const { tool, intent, applied, paths, files, more } = facts
  const outcome = answered(answer)
  const change = {
    id,
    tool,
    paths,
    basis,
    version,
    intent,
    applied,
    expires_at: expires === null ? null : new Date(expires).toISOString(),
    ...addressesOf(tool, id),
    ...differenceOf(files),
    stats: { ...totalStats(files), files: files.length + more },
  }
  return {
    ...outcome,
    content: [...outcome.content, ...linksOf(tool, id)],
    _meta: { ...(!applied && { preview: true }), [CHANGE_META]: change },
  }
}

/** The hunks of each file, unless they are more than a result should carry. */
function differenceOf(files: Facts['files']) {
  const lines = files.reduce(
    (sum, { hunks }) => sum + hunks.reduce((all, h) => all + h.lines.length, 0),
    0,
  )
  return lines > MAX_DIFF_LINES
    ? { hunks: [], hunks_left_out: true }
    : { hunks: files.flatMap(placed) }
}

function placed({ from, to, hunks }: Facts['files'][number]) {
  return hunks.map((hunk) => ({ path: to ?? from, ...hunk }))
}

function touchedBy(store: Store, id: string): StorePath[] {
  return store.changesOf(id).flatMap((change) => change.paths)
}

/** Who it was, for history: the principal, and the session they came with. */
export function actorOf({ principal, session }: Caller): string {
  return session ? `${principal} (${session.label}, ${session.id})` : principal
}

function answered({ text, structured, blocks }: Answer): Outcome {
  return { content: blocks ?? [{ type: 'text', text }], structuredContent: structured }
}

function failed(problem: Problem): Outcome {
  return {
    isError: true,
    content: [{ type: 'text', text: sentence(problem) }],
    structuredContent: { code: codeOf(problem), ...detailsOf(problem) },
    ...(problem.reason === 'outside_root' &&
      problem.requested && { _meta: { requested_scopes: problem.requested } }),
  }
}

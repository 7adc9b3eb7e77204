/**
 * The run of a tool, as a state machine: preview, then apply, or a call without a preview. A preview
 * is valid only for the arguments that it was made with.
 *
 * @module
 */

import { errorCodeOf } from '../../consent/refusal.ts'
import { useRef, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { PREVIEW_META } from '#core/wire.ts'
import { changeOf, type ChangeFacts } from '../../mcp/tool-facts.ts'
import type { CallToolResult, Progress, Tool } from '../../mcp/types.ts'
import type { Outcome } from '../../consent/types.ts'
import { callAsPerson } from './calls.ts'
import { openConnection } from '../connect/connection.ts'
import { keepRun, restoreRun } from './kept-run.ts'

/** State of a run. */
export type Phase = 'idle' | 'previewing' | 'previewed' | 'running' | 'done' | 'denied' | 'failed'

/** A run of a tool and its result. */
export interface ToolRun {
  readonly phase: Phase
  /** The arguments and metadata that were sent, as {@link fingerprint} returns them. */
  readonly sent: string
  readonly result: CallToolResult | null
  /** The change in the result, if there is one. */
  readonly change: ChangeFacts | null
  /** What failed: the preview, after which nothing has changed, or the call itself. */
  readonly failed: Request['phase'] | null
  readonly error: unknown
  readonly progress: Progress | null
  /** Duration of the call in milliseconds. */
  readonly took: number | null
  /** Whether this preview replaces a stale one. */
  readonly wasStale: boolean
  /** Scopes sent as grants. */
  readonly granted: readonly string[]
}

const IDLE: ToolRun = {
  phase: 'idle',
  sent: '',
  result: null,
  change: null,
  failed: null,
  error: null,
  progress: null,
  took: null,
  wasStale: false,
  granted: [],
}

/** Serialises arguments and metadata, to compare them. */
export const fingerprint = (args: JsonRecord, meta: JsonRecord) => JSON.stringify([args, meta])

/** What one call of a run sends. */
interface Request {
  readonly phase: 'previewing' | 'running'
  readonly args: JsonRecord
  readonly meta: JsonRecord
  /** Members of `_meta` for this phase: a preview, or the id of the preview to apply. */
  readonly extra: JsonRecord
  readonly wasStale?: boolean
}

/** What the calls of one tool share. */
interface Context {
  readonly tool: Tool
  /** The controller of the latest call. */
  readonly latest: { current: AbortController | null }
  readonly setState: (update: (before: ToolRun) => ToolRun) => void
  /** Called when a call has ended. */
  readonly keep: (run: ToolRun) => void
}

/** Where a run is kept in this tab, and the arguments of the page, for which it is restored. */
export interface Kept {
  readonly key: string
  readonly args: JsonRecord
}

const PREVIEW = { preview: true } as const

/** Holds the run of a tool, with the functions that advance it; with `kept` it survives a reload. */
export function useToolRun(tool: Tool | undefined, kept?: Kept) {
  const [state, setState] = useState<ToolRun>(() => ({
    ...IDLE,
    ...(kept && restoreRun(kept.key, kept.args)),
  }))
  const keep = (run: ToolRun) => kept && keepRun(kept.key, run)
  const latest = useRef<AbortController | null>(null)
  const call = async (request: Request) =>
    tool ? callTool(request, { tool, latest, setState, keep }) : state
  return {
    state,
    preview: (args: JsonRecord, meta: JsonRecord) =>
      call({ phase: 'previewing', args, meta, extra: PREVIEW }),
    run: (args: JsonRecord, meta: JsonRecord) => call({ phase: 'running', args, meta, extra: {} }),
    /** Applies exactly the preview that is shown. If it is stale, shows a new preview and applies nothing. */
    apply: async (args: JsonRecord, meta: JsonRecord): Promise<ToolRun> => {
      const id = state.change?.id
      const isCurrent = state.phase === 'previewed' && state.sent === fingerprint(args, meta)
      if (!isCurrent || id === undefined) return state
      const end = await call({ phase: 'running', args, meta, extra: { [PREVIEW_META]: id } })
      const isStale = end.result !== null && errorCodeOf(end.result) === 'PREVIEW_STALE'
      return isStale
        ? call({ phase: 'previewing', args, meta, extra: PREVIEW, wasStale: true })
        : end
    },
    cancel: () => latest.current?.abort(),
    clear: () => {
      latest.current?.abort()
      latest.current = null
      keep(IDLE)
      setState(IDLE)
    },
  }
}

async function callTool(request: Request, context: Context): Promise<ToolRun> {
  const { phase, args, meta, wasStale = false } = request
  const { latest, setState, keep } = context
  latest.current?.abort()
  const controller = new AbortController()
  latest.current = controller
  const common = { ...IDLE, sent: fingerprint(args, meta), wasStale }
  setState(({ sent, result, change }) => ({
    ...common,
    phase,
    // The previous result stays visible until there is a new one.
    ...(sent === common.sent && { result, change }),
  }))
  const started = performance.now()
  const end = await send(request, context, controller.signal)
  const next = { ...common, took: performance.now() - started, ...end }
  if (latest.current !== controller) return next
  keep(next)
  setState(() => next)
  return next
}

async function send(
  { phase, args, meta, extra }: Request,
  { tool, setState }: Context,
  signal: AbortSignal,
): Promise<Partial<ToolRun>> {
  try {
    const outcome = await callAsPerson(openConnection(), tool, args, {
      meta: { ...meta, ...extra },
      signal,
      onProgress: (progress) => setState((before) => ({ ...before, progress })),
    })
    return readOutcome(phase, outcome)
  } catch (error) {
    return signal.aborted ? { phase: 'idle' } : { phase: 'failed', failed: phase, error }
  }
}

/** Converts the outcome of a call to the state that follows. */
function readOutcome(phase: Request['phase'], outcome: Outcome): Partial<ToolRun> {
  const { result } = outcome
  if (outcome.status === 'denied') return { phase: 'denied', result }
  const isShown = phase === 'previewing' && !result?.isError
  return {
    phase: isShown ? 'previewed' : 'done',
    result,
    change: result && changeOf(result),
    granted: outcome.status === 'done' ? outcome.granted : [],
  }
}

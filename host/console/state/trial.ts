/**
 * A dry run of a tool and what follows: preview, then apply. A preview is valid only for the
 * arguments that it was made with.
 *
 * @module
 */

import { codeIn } from '../../consent/requested.ts'
import { useRef, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { PREVIEW_META } from '#core/wire.ts'
import { changeOf, type ChangeFacts } from '../../connection/facts.ts'
import type { CallToolResult, Progress, Tool } from '../../connection/types.ts'
import { callAsPerson } from './calls.ts'
import { openConnection } from './link.ts'

/** State of a dry run. */
export type Phase = 'idle' | 'previewing' | 'previewed' | 'running' | 'done' | 'denied' | 'failed'

/** A dry run and its result. */
export interface Trial {
  readonly phase: Phase
  /** The arguments and metadata that were sent, as {@link fingerprint} returns them. */
  readonly sent: string
  readonly result: CallToolResult | null
  /** The change in the result, if there is one. */
  readonly change: ChangeFacts | null
  readonly error: unknown
  readonly progress: Progress | null
  /** Duration of the call in milliseconds. */
  readonly took: number | null
  /** Whether this preview replaces a stale one. */
  readonly wasStale: boolean
  /** Scopes sent as grants. */
  readonly granted: readonly string[]
}

const IDLE: Trial = {
  phase: 'idle',
  sent: '',
  result: null,
  change: null,
  error: null,
  progress: null,
  took: null,
  wasStale: false,
  granted: [],
}

/** Serialises arguments and metadata, to compare them. */
export const fingerprint = (args: JsonRecord, meta: JsonRecord) => JSON.stringify([args, meta])

/** Holds the dry run of a tool, with the functions that change it. */
export function useTrial(tool: Tool | undefined) {
  const [trial, setTrial] = useState(IDLE)
  const running = useRef<AbortController | null>(null)

  async function go(
    phase: 'previewing' | 'running',
    args: JsonRecord,
    meta: JsonRecord,
    extra: JsonRecord,
    wasStale = false,
  ): Promise<Trial> {
    if (!tool) return trial
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const sent = fingerprint(args, meta)
    setTrial((before) => ({
      ...IDLE,
      phase,
      sent,
      wasStale,
      // The previous result stays visible until there is a new one.
      ...(before.sent === sent && { result: before.result, change: before.change }),
    }))
    const started = performance.now()
    const settle = (end: Partial<Trial>): Trial => {
      const next = { ...IDLE, sent, wasStale, took: performance.now() - started, ...end }
      if (running.current === controller) setTrial(next)
      return next
    }
    try {
      const outcome = await callAsPerson(openConnection(), tool, args, {
        meta: { ...meta, ...extra },
        signal: controller.signal,
        onProgress: (progress) => setTrial((before) => ({ ...before, progress })),
      })
      const { result } = outcome
      if (outcome.status === 'denied') return settle({ phase: 'denied', result })
      const change = result && changeOf(result)
      const isShown = phase === 'previewing' && !result?.isError
      const granted = outcome.status === 'done' ? outcome.granted : []
      return settle({ phase: isShown ? 'previewed' : 'done', result, change, granted })
    } catch (error) {
      return settle(controller.signal.aborted ? { phase: 'idle' } : { phase: 'failed', error })
    }
  }

  const preview = (args: JsonRecord, meta: JsonRecord) =>
    go('previewing', args, meta, { preview: true })

  const run = (args: JsonRecord, meta: JsonRecord) => go('running', args, meta, {})

  /** Applies exactly the preview that is shown. If it is stale, shows a new preview and applies nothing. */
  async function apply(args: JsonRecord, meta: JsonRecord): Promise<Trial> {
    const id = trial.change?.id
    if (trial.phase !== 'previewed' || id === undefined || trial.sent !== fingerprint(args, meta))
      return trial
    const end = await go('running', args, meta, { [PREVIEW_META]: id })
    const code = end.result ? codeIn(end.result) : null
    return code === 'PREVIEW_STALE' ? go('previewing', args, meta, { preview: true }, true) : end
  }

  function cancel(): void {
    running.current?.abort()
  }

  function clear(): void {
    running.current?.abort()
    running.current = null
    setTrial(IDLE)
  }

  return { trial, preview, apply, run, cancel, clear }
}

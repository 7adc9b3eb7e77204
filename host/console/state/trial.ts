/**
 * A trial: one call on its way from a preview to what was applied. The preview is bound to the very
 * arguments that it was made with; others make it void.
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

export type Phase = 'idle' | 'previewing' | 'previewed' | 'running' | 'done' | 'denied' | 'failed'

export interface Trial {
  readonly phase: Phase
  /** What was sent, as one text. */
  readonly sent: string
  readonly result: CallToolResult | null
  readonly change: ChangeFacts | null
  readonly error: unknown
  readonly progress: Progress | null
  /** Milliseconds that the call took. */
  readonly took: number | null
  /** The preview had been overtaken, so this is a new one. */
  readonly wasStale: boolean
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

export const fingerprint = (args: JsonRecord, meta: JsonRecord) => JSON.stringify([args, meta])

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
      // What was shown stays in sight until there is something newer.
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

  /** Applies exactly what was shown; where that is no longer so, shows anew and applies nothing. */
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

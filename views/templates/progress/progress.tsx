/**
 * T3, progress: a bar that notifications and files move, the current step, and Cancel, which asks
 * first.
 *
 * @module
 */

import type { SettingsOf } from '#core/apps/templates.ts'
import { useEffect, useState } from 'preact/hooks'
import { SafeLine, SafeText, ShortText } from '../../safe-text.tsx'
import { messageOf, type Dashboard } from '../dashboard.ts'
import type { AppData } from '../data/files.ts'
import {
  progressOfJson,
  progressOfText,
  shareOf,
  type Progress,
  type ProgressStep,
} from '../data/progress-input.ts'
import { parseLines, withoutBom } from '../data/rows.ts'
import { Dialog } from '../dialog.tsx'
import { runNow } from '../slices.ts'

/** Props of {@link ProgressView}. */
export interface ProgressProps {
  readonly dashboard: Dashboard
  readonly settings: SettingsOf<'progress'>
}

const UNKNOWN: Progress = { share: null, message: '', state: 'running', steps: [] }

const STATES = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const

/** Renders the progress of some work. */
export function ProgressView({ dashboard, settings }: ProgressProps) {
  const { progress, error } = useProgress(dashboard)
  const { phase } = dashboard.state
  const state = phase === 'failed' ? 'failed' : phase === 'cancelled' ? 'cancelled' : progress.state
  const { share } = progress
  const percent = share === null ? null : Math.round(share * 100)
  const isRunning = state === 'running'
  return (
    <div class="progress-view">
      <p class="state">
        <span class={`badge ${state}`}>{STATES[state]}</span>
        {settings.showPercentage && percent !== null && <span class="percent">{percent} %</span>}
      </p>
      <div
        class={percent === null && isRunning ? 'track unknown' : 'track'}
        role="progressbar"
        aria-label={settings.title}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        aria-valuetext={percent === null ? STATES[state] : `${percent} %`}
      >
        <div
          class={`fill-bar ${state}`}
          style={{ width: `${percent ?? (state === 'done' ? 100 : 0)}%` }}
        />
      </div>
      <p class="step" role="status">
        {settings.showCurrentStep && <ShortText text={progress.message} />}
      </p>
      {error !== '' && (
        <p class="problem" role="alert">
          <SafeText text={error} />
        </p>
      )}
      {settings.showCurrentStep && <Steps steps={progress.steps} />}
      {isRunning && <CancelButton {...{ dashboard, settings }} />}
    </div>
  )
}

interface Shown {
  readonly progress: Progress
  readonly error: string
}

/** Follows the data and the notifications; whichever came last is shown. */
function useProgress(dashboard: Dashboard): Shown {
  const [shown, setShown] = useState<Shown>({ progress: UNKNOWN, error: '' })
  const { data } = dashboard.state
  useEffect(
    () =>
      dashboard.bridge.on('progress', (notification) =>
        setShown(({ progress }) => ({
          error: '',
          progress: {
            ...progress,
            share: shareOf({ ...notification }),
            message: notification.message ?? progress.message,
          },
        })),
      ),
    [dashboard],
  )
  useEffect(() => {
    let isCurrent = true
    if (data)
      readProgress(dashboard, data).then(
        (progress) => isCurrent && setShown({ progress, error: '' }),
        (error: unknown) =>
          isCurrent && setShown((before) => ({ ...before, error: messageOf(error) })),
      )
    return () => void (isCurrent = false)
  }, [data])
  return shown
}

async function readProgress(dashboard: Dashboard, data: AppData): Promise<Progress> {
  if (data.kind === 'value') return ofResult(data)
  const [file] = data.files
  if (!file) return UNKNOWN
  const text = withoutBom(await dashboard.text(file))
  if (/\.(?:jsonl|ndjson)$/i.test(file.path)) return progressOfJson(runNow(parseLines(text)))
  return /\.json$/i.test(file.path) ? progressOfJson(JSON.parse(text)) : progressOfText(text)
}

/** The result of a tool says that it has ended, unless it says how far it is. */
function ofResult({ value, text }: Extract<AppData, { kind: 'value' }>): Progress {
  const progress = value === undefined ? progressOfText(text) : progressOfJson(value)
  if (progress.share !== null || progress.steps.length > 0) return progress
  const message = progress.message || progressOfText(text).message
  return progress.state === 'running'
    ? { ...progress, message, state: 'done', share: 1 }
    : { ...progress, message }
}

function Steps({ steps }: { readonly steps: readonly ProgressStep[] }) {
  if (steps.length === 0) return null
  return (
    <ol class="steps">
      {steps.map(({ label, state }) => (
        <li class={state} aria-current={state === 'running' ? 'step' : undefined}>
          <span aria-hidden="true">{SIGNS[state]}</span> <SafeLine text={label} />{' '}
          <span class="hint">{state}</span>
        </li>
      ))}
    </ol>
  )
}

const SIGNS = { waiting: '○', running: '◐', done: '●', failed: '✕' } as const

function CancelButton({ dashboard, settings }: ProgressProps) {
  const [asks, setAsks] = useState(false)
  const { cancelTool, cancelConfirm } = settings
  if (cancelTool === null || !dashboard.canCall) return null
  const cancel = () => {
    setAsks(false)
    void dashboard.act(cancelTool, {}, 'Cancellation requested')
  }
  return (
    <>
      <button onClick={() => setAsks(true)}>Cancel</button>
      {asks && (
        <Dialog label="Cancel" close="Keep running" onClose={() => setAsks(false)}>
          <p>
            <SafeText text={cancelConfirm} />
          </p>
          <button class="primary" onClick={cancel}>
            Yes, cancel
          </button>
        </Dialog>
      )}
    </>
  )
}

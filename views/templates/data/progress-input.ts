/**
 * The progress of some work, from JSON, from a log, or from a notification.
 *
 * `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'

/** How far some work is. */
export interface Progress {
  /** From 0 to 1; null if it is unknown. */
  readonly share: number | null
  readonly message: string
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  readonly steps: readonly ProgressStep[]
}

/** A step of the work. */
export interface ProgressStep {
  readonly label: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
}

/** Most steps that are shown. */
const MAX_STEPS = 200

/** Reads a JSON value. A list is a log, of which the last entry counts. */
export function progressOfJson(value: unknown): Progress {
  const entry = Array.isArray(value) ? value.findLast(isRecord) : value
  const record = recordOf(entry)
  const steps = own(record, 'steps')
  const list = (Array.isArray(steps) ? steps : []).slice(0, MAX_STEPS).map(stepOf)
  const share = shareOf(record) ?? shareOfSteps(list)
  const message = textOf(record, 'message') || textOf(record, 'step')
  const running = list.find((step) => step.state === 'running')
  return {
    share,
    message: message || running?.label || (typeof entry === 'string' ? entry : ''),
    state: stateOf(textOf(record, 'status') || textOf(record, 'state'), share),
    steps: list,
  }
}

/** Reads a text: its last line that is not empty. */
export function progressOfText(text: string): Progress {
  const message = text.trim().split('\n').at(-1)?.trim() ?? ''
  const percent = /(\d{1,3}(?:\.\d+)?)\s?%/.exec(message)
  const share = percent ? Math.min(1, Number(percent[1]) / 100) : null
  return { share, message, state: stateOf('', share), steps: [] }
}

function textOf(record: JsonRecord, name: string): string {
  const value = own(record, name)
  return typeof value === 'string' ? value : ''
}

/** Returns `progress` of `total` as a share; without `total`, a value above 1 is a percentage. */
export function shareOf(record: JsonRecord): number | null {
  const percent = numberOf(own(record, 'percent') ?? own(record, 'percentage'))
  if (percent !== null) return limited(percent / 100)
  const progress = numberOf(own(record, 'progress'))
  const total = numberOf(own(record, 'total'))
  if (progress === null) return null
  if (total !== null && total > 0) return limited(progress / total)
  return limited(progress > 1 ? progress / 100 : progress)
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const limited = (share: number) => Math.min(1, Math.max(0, share))

function shareOfSteps(steps: readonly ProgressStep[]): number | null {
  if (steps.length === 0) return null
  return steps.filter(({ state }) => state === 'done').length / steps.length
}

function stateOf(status: string, share: number | null): Progress['state'] {
  const word = status.toLowerCase()
  if (/^(?:fail|error)/.test(word)) return 'failed'
  if (/^cancel/.test(word)) return 'cancelled'
  if (/^(?:done|complete|finished|success)/.test(word)) return 'done'
  return share === 1 && word === '' ? 'done' : 'running'
}

function stepOf(value: unknown): ProgressStep {
  if (typeof value === 'string') return { label: value, state: 'waiting' }
  const record = recordOf(value)
  const label = textOf(record, 'label') || textOf(record, 'name') || textOf(record, 'title')
  const status = textOf(record, 'status') || textOf(record, 'state')
  const isDone = own(record, 'done') === true || stateOf(status || 'running', null) === 'done'
  const failed = stateOf(status || 'running', null) === 'failed'
  const isRunning = /^(?:running|active|in.?progress|current)/i.test(status)
  return { label, state: isDone ? 'done' : failed ? 'failed' : isRunning ? 'running' : 'waiting' }
}

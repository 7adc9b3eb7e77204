/**
 * A figure: Edgewise's value for some work, the baseline's value from the same run, and the goal.
 * The verdict follows from these numbers only.
 *
 * @module
 */

import type { CallUsage } from '../worker/tools/lib/checked-facts.ts'
import { kilobytes } from './sizes.ts'

/** The unit of a figure. */
export type Unit = 'req/s' | 'frames/s' | 'ms' | 'µs' | 'bytes' | 'MB' | '$'

/** A goal for the ratio of the two values, or for Edgewise's value alone. */
export type Goal =
  | { readonly ratioAtLeast: number }
  | { readonly ratioAtMost: number }
  | { readonly under: number }

/** A measured value with its baseline. */
export interface Figure {
  readonly work: string
  readonly unit: Unit
  /** `value` is null if the baseline could not be measured; the name then contains the reason. */
  readonly baseline: { readonly name: string; readonly value: number | null }
  readonly edgewise: number
  readonly goal?: Goal
  /** Edgewise's value by the number of files in the workspace, which the documentation draws as a curve. */
  readonly curve?: readonly Point[]
  /** The CPU time of a call of `scripts/tool-costs.ts`, which the documentation adds to its costs. */
  readonly cost?: CallCost
}

/** What a call takes of the processor. */
export interface CallCost {
  /** The name in `scripts/tool-costs.ts`. */
  readonly call: string
  readonly cpuMs: number
  /** Another product with the same call, and what it uses; Edgewise without it. */
  readonly peer?: { readonly title: string; readonly usage: CallUsage }
}

/** A value at a number of files. */
export interface Point {
  readonly files: number
  readonly value: number
}

/** A figure with its verdict. */
export interface Judged extends Figure {
  readonly ratio: number | null
  readonly verdict: 'met' | 'missed' | ''
  /** The figure as the cells of a table. */
  readonly cells: string[]
}

/** The head of the table. */
export const HEAD = ['Work', 'Baseline', 'Edgewise', 'Ratio', 'Goal', 'Verdict']

/** Computes ratio, verdict and cells of a figure. */
export function judge<Of extends Figure>(figure: Of): Of & Judged {
  const { work, baseline, edgewise, unit, goal } = figure
  const ratio = baseline.value === null ? null : edgewise / baseline.value
  const verdict = computeVerdict(goal, edgewise, ratio)
  const other =
    baseline.value === null ? baseline.name : `${baseline.name}: ${show(baseline.value, unit)}`
  const cells = [
    work,
    other,
    show(edgewise, unit),
    ratio === null ? '' : `${ratio.toFixed(2)} ×`,
    goal ? formatGoal(goal, unit) : '',
    verdict,
  ]
  return { ...figure, ratio, verdict, cells }
}

function computeVerdict(
  goal: Goal | undefined,
  value: number,
  ratio: number | null,
): Judged['verdict'] {
  if (!goal) return ''
  if ('under' in goal) return value < goal.under ? 'met' : 'missed'
  if (ratio === null) return ''
  const met = 'ratioAtLeast' in goal ? ratio >= goal.ratioAtLeast : ratio <= goal.ratioAtMost
  return met ? 'met' : 'missed'
}

function formatGoal(goal: Goal, unit: Unit): string {
  if ('under' in goal) return `under ${show(goal.under, unit)}`
  return 'ratioAtLeast' in goal
    ? `at least ${goal.ratioAtLeast} ×`
    : `at most ${goal.ratioAtMost} ×`
}

function show(value: number, unit: Unit): string {
  if (unit === 'bytes') return kilobytes(value)
  if (unit === '$') return `$${value.toFixed(2)}`
  if (unit === 'MB') return `${value.toFixed(1)} MB`
  if (unit === 'µs') return `${value.toFixed(1)} µs`
  if (unit !== 'ms') return `${Math.round(value).toLocaleString('en-US')} ${unit}`
  return `${value.toFixed(value < 100 ? 2 : 0)} ms`
}

/**
 * What a run has done and what it has left, and the report of it.
 *
 * @module
 */

import { printable } from '../errors.ts'
import type { Reason } from './ignores.ts'
import { MAX_LISTED } from './limits.ts'
import type { Skipped } from './local.ts'
import type { Plan } from './plan.ts'

/** A conflict whose sides are both kept. */
export interface KeptConflict {
  readonly name: string
  readonly copy: string
}

/** What a run has done. */
export interface Outcome {
  readonly sent: string[]
  readonly received: string[]
  readonly deletedThere: string[]
  readonly deletedHere: string[]
  readonly conflicts: KeptConflict[]
  /** Sent, and the owner decides. */
  readonly waiting: string[]
  readonly declined: Skipped[]
  /** Not transferred, with the reason: an exit code of 1. */
  readonly failed: Skipped[]
  /** Entries that cannot be kept in step, for a reason that is no failure. */
  readonly skipped: Skipped[]
  readonly otherWay: string[]
  /** What is left out only by rules that the workspace has changed since. */
  readonly held: string[]
  readonly left: Map<Reason, number>
  /** Whether the last round left something to do. */
  isStale: boolean
}

/** Creates the outcome of a run. */
export const createOutcome = (): Outcome => ({
  sent: [],
  received: [],
  deletedThere: [],
  deletedHere: [],
  conflicts: [],
  waiting: [],
  declined: [],
  failed: [],
  skipped: [],
  otherWay: [],
  held: [],
  left: new Map(),
  isStale: false,
})

/** Whether a person has something to resolve. */
export const isTrouble = ({ conflicts, failed, isStale }: Outcome) =>
  conflicts.length > 0 || failed.length > 0 || isStale

/** Whether a run changed nothing and found nothing to report. */
export const isQuiet = (one: Outcome) =>
  !isTrouble(one) &&
  [one.sent, one.received, one.deletedHere, one.deletedThere].every((names) => names.length === 0)

const REASONS: Readonly<Record<Reason, string>> = {
  reserved: "git's and sync's own files",
  secret: 'secrets',
  dependencies: 'dependencies',
  gitignore: 'by .gitignore',
  edgewiseignore: 'by .edgewiseignore',
}

/** Lines of a run. */
export function describeOutcome(one: Outcome, where: string): string[] {
  return [
    ...listNames('Sent', one.sent),
    ...listNames('Received', one.received),
    ...listNames('Deleted in the workspace', one.deletedThere),
    ...listNames('Deleted here', one.deletedHere),
    ...describeRest(one),
    `In step with ${where}: ${summarize(one)}`,
  ].map(printable)
}

function summarize(one: Outcome): string {
  const counts = [
    [one.sent, 'sent'],
    [one.received, 'received'],
    [[...one.deletedHere, ...one.deletedThere], 'deleted'],
    [one.waiting, 'waiting for approval'],
    [one.declined, 'turned down'],
    [one.conflicts, 'in conflict'],
    [one.failed, 'failed'],
  ] as const
  const words = counts
    .filter(([names]) => names.length > 0)
    .map(([names, verb]) => `${names.length} ${verb}`)
  if (one.isStale) words.push('files still change; run it again')
  return words.join(', ') || 'nothing to do'
}

/** Lines of everything but transfers: what a person may want to act on. */
export function describeRest(one: Outcome): string[] {
  return [
    ...listNames('Waiting for approval', one.waiting),
    ...listSkipped('Turned down, kept here (--take-remote replaces them)', one.declined),
    ...listNames('Changed on the other side only, and not transferred this way', one.otherWay),
    ...listSkipped(
      'Both sides changed; the workspace has the other version of each, and a copy is here (remove the copy when your file has what you want)',
      one.conflicts.map(({ name, copy }) => ({ name, reason: copy })),
    ),
    ...listSkipped('Not transferred', one.failed),
    ...listSkipped('Not kept in step', one.skipped),
    ...listNames(
      'Still left out, although the workspace has changed the .gitignore that does (--accept-rules sends them)',
      one.held,
    ),
    ...describeLeft(one.left),
  ]
}

/** One line of what rules leave out; none if nothing is. */
export function describeLeft(left: ReadonlyMap<Reason, number>): string[] {
  if (left.size === 0) return []
  const parts = [...left].map(([reason, count]) => `${count} ${REASONS[reason]}`)
  return [`Left out: ${parts.join(', ')}`]
}

/** Lines of a plan that was not carried out. */
export function describePlan(plan: Plan): string[] {
  const names = (test: (type: string, isDeletion: boolean) => boolean) =>
    [...plan]
      .filter(([, action]) => {
        const isTransfer = action.type === 'push' || action.type === 'pull'
        return test(action.type, isTransfer && action.from === null)
      })
      .map(([name]) => name)
  return [
    ...listNames(
      'Would send',
      names((type, gone) => type === 'push' && !gone),
    ),
    ...listNames(
      'Would receive',
      names((type, gone) => type === 'pull' && !gone),
    ),
    ...listNames(
      'Would delete in the workspace',
      names((type, gone) => type === 'push' && gone),
    ),
    ...listNames(
      'Would delete here',
      names((type, gone) => type === 'pull' && gone),
    ),
    ...listNames(
      'Differ on both sides',
      names((type) => type === 'conflict' || type === 'choose'),
    ),
  ].map(printable)
}

const listNames = (title: string, names: readonly string[]) =>
  list(
    title,
    names.map((name) => JSON.stringify(name)),
  )

const listSkipped = (title: string, skipped: readonly Skipped[]) =>
  list(
    title,
    skipped.map(({ name, reason }) => `${JSON.stringify(name)}: ${reason}`),
  )

function list(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length - MAX_LISTED
  return [
    `${title} (${lines.length}):`,
    ...lines.slice(0, MAX_LISTED).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

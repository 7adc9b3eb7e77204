/**
 * Resolves the paths that a call names, in the spellings that models and programs use.
 *
 * What exists and is visible wins by its literal name. Otherwise a denial holds if it matches any candidate, whatever
 * the call would have reached. `test/worker/access/spelling.test.ts` has the spellings.
 *
 * @module
 */

import { candidatesOf, type Candidate, type CandidateUse } from '#core/path/candidates.ts'
import { nameOf, resolvePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { Access } from './access.ts'
import type { Touch } from './authorize.ts'
import type { CallerWorkspace } from './workspace.ts'

/** Resolves a path that a call names. */
export type Resolve = (touch: Touch) => Result<StorePath, Problem>

/** The paths that a call names, and what they were resolved to. */
export interface Authorized {
  readonly touches: readonly Touch[]
  readonly places: readonly StorePath[]
}

/** What spellings are compared with. */
export type SpelledIn = Pick<CallerWorkspace, 'store' | 'access'>

/** Resolves paths that the server itself wrote, which have one spelling. */
export const resolveLiterally =
  ({ base }: Pick<Access, 'base'>): Resolve =>
  ({ text }) => {
    const path = resolvePath(text, base)
    return path.ok ? path : badPath(text, path.error)
  }

/** Resolves paths as a caller wrote them. */
export const resolveSpelled =
  (workspace: SpelledIn): Resolve =>
  (touch) => {
    const path = resolveOne(touch, workspace)
    if (!path.ok || touch.named === undefined || !touch.text.endsWith('/')) return path
    const from = resolveOne({ ...touch, text: touch.named }, workspace)
    if (!from.ok) return from
    const target = resolvePath(nameOf(from.value) || '.', path.value)
    return target.ok ? target : badPath(touch.text, target.error)
  }

/** Resolves the paths of a call as they were resolved when it was authorized. */
export const resolveAgain =
  ({ touches, places }: Authorized): Resolve =>
  ({ text }) => {
    const path = places[touches.findIndex((one) => one.text === text)]
    return path === undefined ? badPath(text, NEVER_MEANT) : ok(path)
  }

function resolveOne(touch: Touch, { store, access }: SpelledIn): Result<StorePath, Problem> {
  const { text, each } = touch
  const candidates = candidatesOf(text, access.base)
  const [first] = candidates
  if (first?.use === 'any' && candidates.length === 1) return ok(first.path)
  const found = candidates.find(({ path, use }) => isPath(use) && store.stat(path))
  if (found && found === first) return ok(found.path)
  const denied = candidates.find((one) => isDenied(one, touch, access))
  if (denied) return err({ reason: 'blocked', path: denied.path })
  if (found) return ok(found.path)
  const send = candidates.findLast(({ use }) => use === 'send')
  if (send && !each)
    return badPath(text, NEVER_MEANT, findMeantPath(touch, { store, access }) ?? send.path)
  const path = candidates.find(({ use }) => use === 'any') ?? (each && first)
  if (path) return ok(path.path)
  const literal = resolvePath(text, access.base)
  return badPath(text, literal.ok ? 'it is not a valid file URI' : literal.error)
}

/** Returns what exists at another candidate of a text, where nothing was found; null if the caller sees nothing there. */
export function findMeantPath(
  { text }: Pick<Touch, 'text'>,
  { store, access }: SpelledIn,
): StorePath | null {
  const others = candidatesOf(text, access.base).filter(({ use }) => !isPath(use))
  return others.find(({ path }) => store.stat(path))?.path ?? null
}

/** Adds to the problem of a missing path the path that was meant. */
export function explainMissing(
  problem: Problem,
  { touches, places }: Authorized,
  workspace: SpelledIn,
): Problem {
  if (problem.reason !== 'not_found') return problem
  const touch = touches[places.indexOf(problem.path)]
  const meant = touch && findMeantPath(touch, workspace)
  return meant ? { ...problem, meant } : problem
}

const NEVER_MEANT = 'it is not written as a path'

const isPath = (use: CandidateUse) => use === 'any' || use === 'existing'

/** Whether a rule, a policy or the call denies a candidate. An allow list that does not have it is no denial. */
const isDenied = ({ path, use }: Candidate, { action, isFolder }: Touch, access: Access) =>
  use !== 'existing' &&
  access.judge(action, path, isFolder) === 'blocked' &&
  access.refuses(action, path)

const badPath = (text: string, detail: string, meant?: StorePath) =>
  err<Problem>({ reason: 'bad_path', text, detail, ...(meant && { meant }) })

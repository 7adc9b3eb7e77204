/**
 * The difference between two moments: a checkpoint, and another one or now. It is computed when it is read, as
 * its reader sees the files, and rendered like a change. `test/worker/changes/checkpoints.test.ts` tests it.
 *
 * @module
 */

import { ancestorsOf, parentOf, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { quoteName, quoteValue } from '#core/quote.ts'
import type { Problem } from '../errors/problem.ts'
import type { Access } from '../access/access.ts'
import type { ReadStore } from '../access/workspace.ts'
import { MAX_DIFFERING_PATHS } from '../limits.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { Checkpoint, Entry, Step } from '../store/store.ts'
import { describeStates, fileOf, isSameFile } from './describe.ts'
import type { Facts } from './facts.ts'
import { renderFacts } from './render.ts'
import { isOnlyPruned, pruneSteps, stepsTo } from './undo.ts'

/** The version of the state that is now. */
const NOW = Number.MAX_SAFE_INTEGER

/** A path whose states differ between two moments. */
export interface PathDifference {
  readonly path: StorePath
  /** Null if the path did not exist. */
  readonly before: Entry | null | 'forgotten'
  readonly after: Entry | null | 'forgotten'
}

/** The paths that differ between two moments. */
export interface Difference {
  readonly paths: readonly PathDifference[]
  /** Whether `paths` are all of them. */
  readonly complete: boolean
}

/** Two moments, and the folder that is compared. */
export interface Comparison {
  readonly from: Checkpoint
  /** Null for now. */
  readonly to: Checkpoint | null
  readonly folder: StorePath
}

/** Finds a checkpoint by its id, or the newest of a name that is visible. */
export function findCheckpoint(store: ReadStore, wanted: string): Result<Checkpoint, Problem> {
  const all = store.checkpoints(wanted)
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted)
  return found ? ok(found) : err({ reason: 'no_checkpoint', name: wanted })
}

/** Returns the visible paths that differ, at most {@link MAX_DIFFERING_PATHS}. */
function differenceBetween(store: ReadStore, { from, to, folder }: Comparison): Difference {
  const [first, last] = [from.version, to?.version ?? NOW]
  const paths: PathDifference[] = []
  const span = { folder, after: Math.min(first, last), until: Math.max(first, last) }
  for (const path of store.changedPaths(span)) {
    const before = store.stateAt(path, first)
    // A draft covers what the workspace has changed since, whatever the versions are.
    const after = to === null ? store.stat(path) : store.stateAt(path, last)
    if (isSame(before, after)) continue
    if (paths.length === MAX_DIFFERING_PATHS) return { paths, complete: false }
    paths.push({ path, before, after })
  }
  return { paths, complete: true }
}

function isSame(before: PathDifference['before'], after: PathDifference['after']): boolean {
  if (before === null || after === null || before === 'forgotten' || after === 'forgotten')
    return before === null && after === null
  if (before.type === 'file' && after.type === 'file') return isSameFile(before, after)
  return before.type === after.type
}

/** Describes the difference between two moments as facts of a review. */
export async function describeComparison(comparison: Comparison, store: ReadStore): Promise<Facts> {
  const { paths: all, complete } = differenceBetween(store, comparison)
  const isKnown = ({ before, after }: PathDifference) =>
    before !== 'forgotten' && after !== 'forgotten'
  const states = all.filter(isKnown).map(({ before, after }) => ({
    before: before === 'forgotten' ? null : fileOf(before),
    after: after === 'forgotten' ? null : fileOf(after),
  }))
  return {
    tool: COMPARE_TOOL,
    intent: intentOf(comparison),
    applied: false,
    comparison: true,
    paths: all.map(({ path }) => path),
    ...(await describeStates(states, store)),
    forgotten: all.length - states.length,
    ...(!complete && { incomplete: true }),
  }
}

/** The tool that compares, which is also a part of the address. */
const COMPARE_TOOL = 'compare_checkpoints'

function intentOf({ from, to, folder }: Comparison): string {
  const where = folder === ROOT ? '' : ` in ${quoteValue(folder)}`
  return `Compare ${quoteName(from.name)} with ${to ? quoteName(to.name) : 'now'}${where}`
}

/** Returns the URI of a comparison as a resource. */
export function addressOfComparison({ from, to, folder }: Comparison): string {
  return `ui://${COMPARE_TOOL}/${encodeURIComponent(folder)}/${from.id}/${to?.id ?? 'now'}`
}

const ADDRESS =
  /^ui:\/\/compare_checkpoints\/([^/]+)\/([0-9a-f-]{36})\/(now|[0-9a-f-]{36})(?:\.(diff|json))?$/

/** Who reads a comparison. */
interface Reader {
  readonly access: Access
  readonly store: ReadStore
}

/** Reads the resource at the address of a comparison; null when there is none for this reader. */
export async function readComparison(uri: string, { access, store }: Reader) {
  const [, encoded = '', from = '', to = '', form] = ADDRESS.exec(uri) ?? []
  if (encoded === '') return null
  const folder = resolvePath(decode(encoded))
  const [first, last] = [findCheckpoint(store, from), findCheckpoint(store, to)]
  if (!folder.ok || !first.ok || (to !== 'now' && !last.ok)) return null
  const comparison = {
    from: first.value,
    to: to !== 'now' && last.ok ? last.value : null,
    folder: folder.value,
  }
  return renderFacts(await describeComparison(comparison, store), form, access.base)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Plans the steps that bring a folder back to a checkpoint. */
export function stepsToCheckpoint(
  store: ReadStore,
  { from, folder }: Pick<Comparison, 'from' | 'folder'>,
  access: Access,
): Result<Step[], Problem> {
  const { paths, complete } = differenceBetween(store, { from, to: null, folder })
  if (!complete) return err({ reason: 'too_many_paths', limit: MAX_DIFFERING_PATHS })
  const targets = paths.map(({ path }) => ({ path, version: from.version }))
  const steps = stepsTo(
    store,
    targets.filter((target) => !isOnlyPruned(store, target, access)),
  )
  if (!steps.ok) return steps
  const own = withoutNested(steps.value)
  if (access.unrestricted) return ok(own)
  const removed = own.flatMap((step) => (step.type === 'remove' ? [step.path] : []))
  // Folders above came with one of the paths.
  const written = removed
    .slice(0, MAX_CREATIONS)
    .flatMap((path) => store.history(path, MAX_CREATIONS))
  const versions = written.flatMap(({ version }) => (version > from.version ? [version] : []))
  const span = { versions, before: from.version }
  return ok([...withoutFoldersAbove(own, access), ...pruneSteps(removed, span, access)])
}

/** Leaves out folders above what the caller may write. They come with what is written below them. */
function withoutFoldersAbove(steps: readonly Step[], access: Access): Step[] {
  const written = new Set(steps.flatMap(stepPaths).flatMap(ancestorsOf))
  return steps.filter(
    (step) =>
      step.type !== 'folder' ||
      !written.has(step.path) ||
      access.judge('write', step.path) === 'permitted',
  )
}

/** Maximum number of removed paths, and of versions of each, that are looked at. Other folders above them stay. */
const MAX_CREATIONS = 100

/** Leaves out removals below a folder that is removed as a whole. */
function withoutNested(steps: readonly Step[]): Step[] {
  const removed = new Set(steps.flatMap((step) => (step.type === 'remove' ? [step.path] : [])))
  const isNested = (path: StorePath): boolean =>
    path !== ROOT && (removed.has(parentOf(path)) || isNested(parentOf(path)))
  return steps.filter((step) => step.type !== 'remove' || !isNested(step.path))
}

/**
 * Units: changes of a draft that depend on each other, which are shown, named by a digest, and applied as one.
 *
 * A unit is decided by its net effect, so a state that no person was shown never becomes a version. The page and the
 * approval both use {@link unitsOf}. `test/worker/drafts/units.test.ts` has the cases.
 *
 * @module
 */

import { ancestorsOf, type StorePath } from '#core/path.ts'
import { digestOf } from '../audit/audit.ts'
import { fileOf, isSameFile } from '../changes/describe.ts'
import { createComparedRoom, type FileStates } from '../changes/shown-diff.ts'
import { codeOf } from '../errors/problem.ts'
import { placesOf } from '../store/write/steps.ts'
import type { Entry, Step, Store } from '../store/store.ts'
import type { HeldLevel } from '../access/draft.ts'
import { groupsOf } from './overlap.ts'
import type { Replay, Replayed } from './replay.ts'

/** Changes that depend on each other, in their order, and what they do together. */
export interface Unit {
  /** The position of its first change. */
  readonly group: number
  readonly entries: readonly Replayed[]
  /** The stricter of the levels of its changes. */
  readonly level: HeldLevel
  /** The paths whose state differs, in path order. */
  readonly differences: readonly Difference[]
  /** Names what is decided: SHA-256 in hexadecimal. */
  readonly digest: string
}

/** The states of one path before and after a unit; null where there is nothing. */
export interface Difference {
  readonly path: StorePath
  readonly before: Entry | null
  readonly after: Entry | null
  /** Its list has no room to compare it, so it counts as not shown. The digest of its unit says so. */
  readonly uncompared?: true
}

/** What units are of: changes of a draft over the workspace. */
export interface UnitsContext {
  /** Names the draft and its owner. */
  readonly draft: string
  readonly base: Pick<Store, 'stat' | 'walk' | 'contentOf'>
}

/** Builds the units of a replay, in the order of their first changes. */
export function unitsOf(
  { entries, store }: Pick<Replay, 'entries' | 'store'>,
  context: UnitsContext,
): Unit[] {
  const groups = groupsOf(entries.map(stepsOf))
  const members = Map.groupBy(entries.entries(), ([index]) => groups[index] ?? index)
  const mark = createMark(context.base)
  return [...members].map(([group, numbered]) =>
    unitOf(
      group,
      numbered.map(([, entry]) => entry),
      store,
      { ...context, mark },
    ),
  )
}

/** Returns the states of a difference that are files. */
export const statesOf = ({ before, after }: Difference): FileStates => ({
  before: fileOf(before),
  after: fileOf(after),
})

/** Marks the differences of one list, in order, that have no room to be compared. */
export function createMark(base: Pick<Store, 'contentOf'>): (one: Difference) => Difference {
  const hasRoom = createComparedRoom(base)
  return (one) => (hasRoom(statesOf(one)) ? one : { ...one, uncompared: true })
}

function unitOf(
  group: number,
  entries: readonly Replayed[],
  store: Store,
  { draft, base, mark }: UnitsContext & { readonly mark: ReturnType<typeof createMark> },
): Unit {
  const differences = compareStates(entries, base, store).map(mark)
  const isConfirmed = entries.some(({ proposal }) => proposal.level === 'confirm')
  const level = isConfirmed ? 'confirm' : 'review'
  const digest = digestOf([
    ...['edgewise change', draft, level],
    entries.map(({ proposal, planned }) => [proposal.id, planned.ok || codeOf(planned.error)]),
    differences.map(({ path, before, after, uncompared }) => [
      path,
      stateOf(before, base),
      stateOf(after, base),
      ...(uncompared ? ['uncompared'] : []),
    ]),
  ])
  return { group, entries, level, differences, digest }
}

/** Names a decision on units: the digest of the only one, or one over the list of their digests. */
export function digestOfUnits(units: readonly Pick<Unit, 'digest'>[]): string {
  const [only, ...others] = units
  return only && others.length === 0 ? only.digest : digestOf(units.map(({ digest }) => digest))
}

/** The steps that decide what a change concerns: those proposed and those planned now. */
export function stepsOf({ proposal, planned }: Replayed): { readonly steps: readonly Step[] } {
  return { steps: [...(proposal.steps ?? []), ...(planned.ok ? planned.value : [])] }
}

/** Names the states of one path: what a page that shows them belongs to. */
export const digestOfPath = ({ path, before, after }: Difference, base: UnitsContext['base']) =>
  digestOf(['edgewise path', path, stateOf(before, base), stateOf(after, base)])

/** What a digest says of a state. Layers share the content of the workspace. */
function stateOf(entry: Entry | null, base: UnitsContext['base']): unknown {
  if (entry?.type !== 'file') return entry?.type ?? null
  const { hash } = base.contentOf(entry) ?? {}
  const content = hash ? Buffer.from(hash).toString('hex') : null
  return [content, entry.mime, ...(entry.executable ? ['executable'] : [])]
}

/** Finds what differs between two states, at the paths that changes concern. */
export function compareStates(
  entries: readonly Replayed[],
  from: Pick<Store, 'stat' | 'walk'>,
  to: Pick<Store, 'stat' | 'walk'>,
): Difference[] {
  const paths = new Set(pathsToCompare(entries, [from, to]))
  return [...paths].toSorted().flatMap((path) => {
    const [before, after] = [from.stat(path), to.stat(path)]
    return isSame(before, after) ? [] : [{ path, before, after }]
  })
}

function isSame(before: Entry | null, after: Entry | null): boolean {
  if (before?.type === 'file' && after?.type === 'file') return isSameFile(before, after)
  return before?.type === after?.type
}

/** The paths that steps name, the folders that writes create, and what moves or disappears with a folder. */
function* pathsToCompare(
  entries: readonly Replayed[],
  states: readonly Pick<Store, 'stat' | 'walk'>[],
): Iterable<StorePath> {
  const trees = new Set<StorePath>()
  for (const { proposal, planned } of entries)
    for (const step of planned.ok ? planned.value : (proposal.steps ?? []))
      for (const path of placesOf(step)) {
        yield path
        yield* ancestorsOf(path)
        if (step.type === 'remove' || step.type === 'move') trees.add(path)
      }
  for (const path of trees) {
    // What is below another tree is found with it.
    if (ancestorsOf(path).some((above) => trees.has(above))) continue
    for (const state of states)
      if (state.stat(path)?.type === 'folder')
        for (const below of state.walk(path)) yield below.path
  }
}

/** The steps that apply a unit: those of a single change, else the steps from the state before to the state after. */
export function netSteps({ entries, differences }: Unit, store: Store): readonly Step[] {
  const [only, ...others] = entries
  if (differences.length === 0) return []
  if (only?.planned.ok && others.length === 0) return only.planned.value
  const prunes = entries.flatMap(({ planned }) => (planned.ok ? planned.value.filter(isPrune) : []))
  const pruned = new Set(prunes.map(({ path }) => path))
  const removed = removals(differences.filter(({ path }) => !pruned.has(path)))
  return [...removed, ...creations(entries, differences, store), ...prunes]
}

const isPrune = (step: Step) => step.type === 'prune'

/** Removes what is gone or becomes something else; what is below a removed folder goes with it. */
function removals(differences: readonly Difference[]): Step[] {
  const gone = new Set(
    differences.flatMap(({ path, before, after }) =>
      before && before.type !== after?.type ? [path] : [],
    ),
  )
  const outermost = [...gone].filter((path) => !ancestorsOf(path).some((above) => gone.has(above)))
  return outermost.map((path) => ({ type: 'remove', path }))
}

/**
 * Writes files and creates folders. Those above a created path come with it, as in a single change: their owner may write
 * below them alone.
 */
function creations(
  entries: readonly Replayed[],
  differences: readonly Difference[],
  store: Store,
): Step[] {
  const times = timesOf(entries)
  const above = new Set(differences.flatMap((one) => (one.after ? ancestorsOf(one.path) : [])))
  return differences.flatMap(({ path, before, after }): Step[] => {
    if (after === null) return []
    if (after.type === 'folder')
      return before?.type === 'folder' || above.has(path) ? [] : [{ type: 'folder', path }]
    const content = store.contentOf(after)
    if (!content) throw new Error('The content of a draft is not stored')
    const mtime = times.has(path) ? times.get(path) : after.mtime
    const { executable = false } = after
    return [{ type: 'put', path, content, executable, ...(mtime !== undefined && { mtime }) }]
  })
}

/** The times that the last writes of paths name; undefined for the time of the change. */
function timesOf(entries: readonly Replayed[]): ReadonlyMap<StorePath, number | undefined> {
  const times = new Map<StorePath, number | undefined>()
  for (const { planned } of entries)
    for (const step of planned.ok ? planned.value : [])
      if (step.type === 'put') times.set(step.path, step.mtime)
  return times
}

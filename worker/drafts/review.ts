/**
 * The review of a draft: its changes, the files that they change, and the revision that an approval names.
 *
 * @module
 */

import { ancestorsOf, type StorePath } from '#core/path.ts'
import { digestOf } from '../audit/audit.ts'
import { describeFile, type PlacedDiff } from '../changes/describe.ts'
import { cause, codeOf, type Problem } from '../errors/problem.ts'
import { MAX_LISTED_PATHS } from '../limits.ts'
import { stepPaths } from '../store/steps.ts'
import type { Entry, FileEntry, Step, Store } from '../store/store.ts'
import type { HeldLevel } from './draft.ts'
import { groupsOf } from './overlap.ts'
import type { Replay, Replayed } from './replay.ts'

/** A draft as a person reviews it, on the workspace of one moment. */
export interface Review {
  readonly revision: string
  readonly changes: readonly ProposedChange[]
  /** Lists the files that differ, in path order. */
  readonly files: () => readonly ChangedFile[]
  /** Describes the difference of one file; null if it exists in neither state. */
  readonly diff: (path: StorePath) => Promise<PlacedDiff | null>
}

/** Builds the review of a replay over a workspace. */
export function reviewOf(replay: Replay, base: Store): Review {
  const changes = describeChanges(replay)
  return {
    revision: revisionOf(replay.entries, base),
    changes,
    files: () => changedFiles(replay, base),
    diff: async (path) => {
      const before = fileAt(base, path)
      const after = fileAt(replay.store, path)
      return before || after ? describeFile(before, after, base) : null
    },
  }
}

/** One change of a draft, for a person. */
export interface ProposedChange {
  readonly id: string
  readonly tool: string
  readonly intent: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: HeldLevel
  /** The first paths that it changes, and the number of the others. */
  readonly paths: readonly StorePath[]
  readonly paths_left_out?: number
  /** Changes with the same number depend on each other. */
  readonly group: number
  /** Why it does not fit the workspace any more; null if it does. */
  readonly conflict: { readonly code: string; readonly message: string } | null
}

/** A file that a draft changes. */
export interface ChangedFile {
  readonly path: StorePath
  readonly change: 'added' | 'changed' | 'deleted'
  /** Bytes now and in the draft; null where there is no file. */
  readonly before: number | null
  readonly after: number | null
  readonly group: number
}

/** Describes the changes of a replay. */
function describeChanges({ entries }: Replay): ProposedChange[] {
  const groups = groupsOf(entries.map(stepsOf))
  return entries.map(({ proposal, planned }, index) => {
    const { id, at, level, note, steps } = proposal
    const all = [...new Set((planned.ok ? planned.value : (steps ?? [])).flatMap(stepPaths))]
    const paths = all.slice(0, MAX_LISTED_PATHS)
    const left = all.length - paths.length
    const conflict = planned.ok ? null : describeConflict(planned.error)
    const group = groups[index] ?? index
    const change = { id, tool: note.tool, intent: note.intent, at, level, paths, group, conflict }
    return left > 0 ? { ...change, paths_left_out: left } : change
  })
}

/** The steps that decide what a change concerns: those proposed and those planned now. */
export function stepsOf({ proposal, planned }: Replayed): { readonly steps: readonly Step[] } {
  return { steps: [...(proposal.steps ?? []), ...(planned.ok ? planned.value : [])] }
}

/** For the person who decides: the next step is one of the agent. */
const describeConflict = (problem: Problem) => ({
  code: codeOf(problem),
  message: cause(problem),
})

/** Finds the files that differ between the workspace and the draft, in path order. */
function changedFiles(replay: Replay, base: Store): ChangedFile[] {
  const files = new Map<StorePath, ChangedFile>()
  for (const [path, group] of pathsToCompare(replay.entries, base, replay.store)) {
    const changed = compare(path, fileAt(base, path), fileAt(replay.store, path), group)
    if (changed) files.set(path, changed)
  }
  return [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The paths at which changes write files, and those that move or disappear with a folder, with their group. */
function* pathsToCompare(
  entries: readonly Replayed[],
  ...stores: readonly Store[]
): Iterable<[StorePath, number]> {
  const groups = groupsOf(entries.map(stepsOf))
  const trees = new Map<StorePath, number>()
  for (const [index, { proposal, planned }] of entries.entries())
    for (const step of planned.ok ? planned.value : (proposal.steps ?? [])) {
      const group = groups[index] ?? index
      for (const path of stepPaths(step)) {
        yield [path, group]
        if (step.type === 'remove' || step.type === 'move') trees.set(path, group)
      }
    }
  for (const [path, group] of trees) {
    // What is below another tree is found with it.
    if (ancestorsOf(path).some((above) => trees.has(above))) continue
    for (const store of stores)
      if (store.stat(path)?.type === 'folder')
        for (const below of store.walk(path)) yield [below.path, group]
  }
}

function compare(
  path: StorePath,
  before: FileEntry | null,
  after: FileEntry | null,
  group: number,
): ChangedFile | null {
  if (before?.blob === after?.blob) return null
  const change = before === null ? 'added' : after === null ? 'deleted' : 'changed'
  return { path, change, before: before?.size ?? null, after: after?.size ?? null, group }
}

/** Returns the file at a path, or null. */
function fileAt(store: Store, path: StorePath): FileEntry | null {
  const entry: Entry | null = store.stat(path)
  return entry?.type === 'file' ? entry : null
}

/**
 * Identifies what was shown: the last proposal, and a digest of every plan with the state of the workspace that it
 * changes. An approval names it, so nothing else is applied than what the person saw.
 */
export function revisionOf(entries: readonly Replayed[], base: Store): string {
  const last = entries.at(-1)?.proposal.version ?? 0
  const text = entries.map(({ proposal, planned }) => [
    proposal.id,
    proposal.level,
    planned.ok ? planned.value.map((step) => planOf(step, base)) : codeOf(planned.error),
  ])
  return `${last}-${digestOf(text).slice(0, 40)}`
}

/** The last proposal that a revision covers, or null if it is malformed. */
export function lastOf(revision: string): number | null {
  const [, last] = /^(\d{1,15})-[0-9a-f]{40}$/.exec(revision) ?? []
  return last === undefined ? null : Number(last)
}

function planOf(step: Step, base: Store): unknown[] {
  const versions = stepPaths(step).map((path) => base.versionOf(path))
  return step.type === 'put'
    ? ['put', step.path, [...step.content.hash], versions]
    : [...Object.values(step), versions]
}

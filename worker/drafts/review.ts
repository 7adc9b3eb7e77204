/**
 * The review of a draft: its changes, the files that they change, and the digests that an approval names.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { describeFile, fileOf, type PlacedDiff } from '../changes/describe.ts'
import { cause, codeOf, sentence, withoutTotals, type Problem } from '../errors/problem.ts'
import { MAX_LISTED_PATHS } from '../limits.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { FileEntry, Store } from '../store/store.ts'
import type { Conflict, Draft, HeldLevel } from '../access/draft.ts'
import { listChangedFiles, type ChangedFile } from './changed-files.ts'
import type { LeftOut } from './left-out.ts'
import type { Replay, Replayed } from './replay.ts'
import { digestOfPath, digestOfUnits, unitsOf, type Unit } from './units.ts'
import { learnUnseen } from './unseen.ts'

/** A draft as a person reviews it, on the workspace of one moment. */
export interface Review extends Comparison {
  readonly revision: string
  readonly changes: readonly ProposedChange[]
}

/** What differs between two states of the files. */
export interface Comparison {
  /** Lists the files that differ, and folders that they do not imply, risky ones first, in path order. */
  readonly files: () => Promise<readonly ChangedFile[]>
  /** Describes the difference of one file; null if it exists in neither state. */
  readonly diff: (path: StorePath) => Promise<PlacedDiff | null>
  /** Finds a file in one of the states. */
  readonly file: (path: StorePath, side: Side) => FileEntry | null
  /** Names both states of a path. */
  readonly digestAt: (path: StorePath) => string
}

/** A state of a path. */
export type Side = 'before' | 'after'

/** What a comparison uses. */
export interface ComparisonParts {
  readonly store: Store
  readonly leftOut: LeftOut
}

/** Two states that share their content. */
interface Compared extends Pick<ComparisonParts, 'leftOut'> {
  readonly before: Store
  readonly after: Store
}

/** Builds the review of a replay over a workspace. Units are built on demand: a single file needs none. */
export function reviewOf(
  replay: Replay,
  { store: base, leftOut }: ComparisonParts,
  draft: Pick<Draft, 'name'>,
): Review {
  let built: readonly Unit[] | null = null
  const units = () => (built ??= unitsOf(replay, { draft: draft.name, base }))
  return {
    ...comparisonOf(units, { before: base, after: replay.store, leftOut }),
    get revision() {
      return revisionOf(replay.entries, units())
    },
    get changes() {
      return describeChanges(replay, units())
    },
  }
}

/** Builds the comparison of two states. */
export function comparisonOf(
  parts: () => readonly Pick<Unit, 'group' | 'differences'>[],
  { before, after, leftOut }: Compared,
): Comparison {
  const file = (path: StorePath, side: Side) =>
    fileOf((side === 'before' ? before : after).stat(path))
  return {
    files: async () => {
      await learnUnseen(parts(), before)
      return listChangedFiles(parts(), before, leftOut)
    },
    file,
    digestAt: (path) =>
      digestOfPath({ path, before: before.stat(path), after: after.stat(path) }, before),
    diff: async (path) => {
      const [old, next] = [file(path, 'before'), file(path, 'after')]
      return old || next ? describeFile(old, next, before) : null
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
  /** The digest of its group, on the last change of the group. */
  readonly digest?: string
  /** Why it does not fit the workspace any more; null if it does. */
  readonly conflict: { readonly code: string; readonly message: string } | null
}

/** Describes the changes of a replay. */
function describeChanges({ entries }: Replay, units: readonly Unit[]): ProposedChange[] {
  const unitAt = new Map(units.flatMap((unit) => unit.entries.map((entry) => [entry, unit])))
  return entries.map((entry, index) => {
    const { proposal, planned } = entry
    const { id, at, level, note, steps } = proposal
    const all = [...new Set((planned.ok ? planned.value : (steps ?? [])).flatMap(stepPaths))]
    const paths = all.slice(0, MAX_LISTED_PATHS)
    const left = all.length - paths.length
    const conflict = planned.ok ? null : describeConflict(planned.error)
    const unit = unitAt.get(entry)
    const group = unit?.group ?? index
    return {
      ...{ id, tool: note.tool, intent: note.intent, at, level, paths, group, conflict },
      ...(unit?.entries.at(-1) === entry && { digest: unit.digest }),
      ...(left > 0 && { paths_left_out: left }),
    }
  })
}

/** Lists the changes of a replay that do not fit. */
export function conflictsOf({ entries }: Replay): Conflict[] {
  return entries.flatMap(({ proposal, planned }) => {
    if (planned.ok) return []
    const { id, note, steps } = proposal
    const paths = [...(steps ?? []).flatMap(stepPaths), ...proposal.readPlaces()]
    // Its agent reads it as well, and may not see everything.
    const error = withoutTotals(planned.error)
    return [{ id, intent: note.intent, code: codeOf(error), message: sentence(error), paths }]
  })
}

/** Describes why a change does not fit, for the person who decides: the next step is one of the agent. */
export const describeConflict = (problem: Problem) => ({
  code: codeOf(problem),
  message: cause(problem),
})

/** A list of changes as it was shown: the last of them, and the digest of all. An approval of all of them names it. */
export function revisionOf(entries: readonly Replayed[], units: readonly Unit[]): string {
  const last = entries.at(-1)?.proposal.version ?? 0
  return `${last}-${digestOfUnits(units)}`
}

/** The last proposal that a revision covers, and its digest; null if it is malformed. */
export function parseRevision(revision: string): { last: number; digest: string } | null {
  const [, last, digest] = /^([1-9]\d{0,14})-([0-9a-f]{64})$/.exec(revision) ?? []
  return last === undefined || digest === undefined ? null : { last: Number(last), digest }
}

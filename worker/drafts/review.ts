/**
 * The review of a draft: its changes, the files that they change, and the digests that an approval names.
 *
 * @module
 */

import { ancestorsOf, type StorePath } from '#core/path.ts'
import { describeFile, fileOf, type PlacedDiff } from '../changes/describe.ts'
import { isReadable, isShown, learnShown } from '../changes/shown-diff.ts'
import { cause, codeOf, sentence, withoutTotals, type Problem } from '../errors/problem.ts'
import { MAX_LISTED_PATHS } from '../limits.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { FileEntry, Store } from '../store/store.ts'
import type { Conflict, Draft, HeldLevel } from '../access/draft.ts'
import type { Replay, Replayed } from './replay.ts'
import {
  digestOfPath,
  digestOfUnits,
  statesOf,
  unitsOf,
  type Difference,
  type Unit,
  type UnitsContext,
} from './units.ts'

/** A draft as a person reviews it, on the workspace of one moment. */
export interface Review extends Comparison {
  readonly revision: string
  readonly changes: readonly ProposedChange[]
}

/** What differs between two states of the files. */
export interface Comparison {
  /** Lists the files that differ, and folders that they do not imply, in path order. */
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

/** Builds the review of a replay over a workspace. */
export function reviewOf(replay: Replay, base: Store, draft: Pick<Draft, 'name'>): Review {
  const units = unitsOf(replay, { draft: draft.name, base })
  return {
    ...comparisonOf(units, base, replay.store),
    revision: revisionOf(replay.entries, units),
    changes: describeChanges(replay, units),
  }
}

/** Builds the comparison of two states that share their content. */
export function comparisonOf(
  parts: readonly Pick<Unit, 'group' | 'differences'>[],
  before: Store,
  after: Store,
): Comparison {
  const file = (path: StorePath, side: Side) =>
    fileOf((side === 'before' ? before : after).stat(path))
  return {
    files: async () => {
      await learnUnseen(parts, before)
      return parts.flatMap((part) => changedFiles(part, before)).toSorted(byPath)
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

const byPath = (one: ChangedFile, other: ChangedFile) =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0

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

/** A file or folder that a draft changes. */
export interface ChangedFile {
  readonly path: StorePath
  readonly type: 'file' | 'folder'
  readonly change: 'added' | 'changed' | 'deleted'
  /** Bytes now and in the draft; null where there is no file. */
  readonly before: number | null
  readonly after: number | null
  readonly group: number
  /** Names both states. Its diff and its bytes are those of the list only with the same digest. */
  readonly digest: string
  /** Its new content is not shown line by line, so that approving it takes a yes of its own. */
  readonly unseen?: true
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

function changedFiles(
  { group, differences }: Pick<Unit, 'group' | 'differences'>,
  base: UnitsContext['base'],
): ChangedFile[] {
  const unseen = new Set(unseenPaths(differences, base))
  const above = new Set(differences.flatMap(({ path }) => ancestorsOf(path)))
  return differences.flatMap((difference): ChangedFile[] => {
    const { path } = difference
    const digest = digestOfPath(difference, base)
    return kindsOf(difference).flatMap(({ before, after }): ChangedFile[] => {
      const type = (after ?? before)?.type ?? 'file'
      if (type === 'folder' && above.has(path)) return []
      const change = before === null ? 'added' : after === null ? 'deleted' : 'changed'
      const [was, is] = [fileOf(before)?.size ?? null, fileOf(after)?.size ?? null]
      const file = { path, type, change, before: was, after: is, group, digest } as const
      return [is !== null && unseen.has(path) ? { ...file, unseen: true } : file]
    })
  })
}

/** A file that becomes a folder, or a folder that becomes a file, is one that is deleted and one that is added. */
function kindsOf({ before, after }: Difference): Omit<Difference, 'path'>[] {
  const isOther = before !== null && after !== null && before.type !== after.type
  return isOther
    ? [
        { before, after: null },
        { before: null, after },
      ]
    : [{ before, after }]
}

/** Compares long texts, so that {@link unseenPaths} knows which differences are shown. */
export async function learnUnseen(
  parts: readonly Pick<Unit, 'differences'>[],
  base: Pick<Store, 'contentOf' | 'bytes'>,
): Promise<void> {
  const compared = parts.flatMap(({ differences }) => differences.filter((one) => !one.uncompared))
  const states = compared.map(statesOf).filter((one) => isReadable(one, base))
  await learnShown(states, base)
}

/**
 * The paths whose new content is not shown line by line: it, or what it replaces, is no text, or too large to be
 * compared, or the difference is too long, or its list has no room for it. Content that moves there counts as well, because it may have been written
 * where nothing waits.
 */
export function unseenPaths(
  differences: readonly Difference[],
  base: Pick<Store, 'contentOf'>,
): StorePath[] {
  return differences.flatMap((difference) => {
    const states = statesOf(difference)
    const isSeen =
      states.after === null ||
      (!difference.uncompared && isReadable(states, base) && isShown(states, base))
    return isSeen ? [] : [difference.path]
  })
}

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

/**
 * The folders of one kind that the owner has approved.
 *
 * An approval is bound to the hashes of all files of the folder. When one of them changes, the folder is no longer
 * served until the owner approves it again, or until exactly the approved files are back. Files are read from the
 * workspace and never from a draft, so what an agent only proposes is never served.
 * `test/worker/apps/apps.test.ts` and `test/worker/skills/skills.test.ts` have the cases.
 *
 * @module
 */

import { isWithin, parsePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Actor } from '../audit/change-note.ts'
import { digestOf } from '../audit/audit.ts'
import type { Problem } from '../errors/problem.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { AppliedSteps } from '../store/store.ts'
import { hashesOf, NO_SEAL, type SealedFolder } from './folder.ts'
import { keepManifests, type ReadManifest } from './kept-manifests.ts'
import type { ApprovedKind, ManifestProblem } from './kind.ts'
import { createListed, type Listed, type ListedParts } from './listed.ts'
import { hasServingChanged, isServed } from './served.ts'
import { createDecisionTable, type Decision, type DecisionTable } from './table.ts'
import { unseenOf } from './unseen.ts'

/** The services of approved folders. */
export interface ApprovedParts {
  readonly sql: SqlStorage
  /** Opens all files of the workspace, without any draft. */
  readonly files: () => ReadStore
  /** Returns the version of the workspace. */
  readonly version: () => number
  readonly budgetOf: ListedParts['budgetOf']
  /** Whether there are decisions to read. */
  readonly has: boolean
  /** Called with the folders that begin or cease to be served. */
  readonly changed: (folders: readonly ChangedFolder[]) => void
}

/** A folder that begins or ceases to be served, with the files that it is served with. */
export interface ChangedFolder {
  readonly path: StorePath
  readonly files: readonly StorePath[]
}

/** The files of a folder at one moment, and what was decided on them. */
export interface FolderFiles<Manifest> {
  readonly folder: SealedFolder
  /** Names the state of the files, so that a decision names what was shown. */
  readonly revision: string
  /** The last decision, also if the files have changed since. */
  readonly decision: Decision<Manifest> | null
}

/** A folder, as the owner sees it. */
export interface Review<Manifest> extends FolderFiles<Manifest> {
  readonly manifest: Result<Manifest, readonly ManifestProblem[]>
  readonly state: 'approved' | 'turned_down' | 'waiting' | 'invalid'
}

/** The owner's answer on a folder. */
export interface ReviewAnswer {
  /** The revision that was shown. */
  readonly revision: string
  readonly state: Decision<unknown>['state']
  /** Paths that are approved although their content cannot be shown as text. */
  readonly unseen?: readonly string[] | undefined
}

interface Context<Manifest> extends ApprovedParts {
  readonly kind: ApprovedKind<Manifest>
  readonly table: DecisionTable<Manifest>
  readonly manifestOf: ReadManifest<Manifest>
  readonly listed: (decided: readonly string[]) => Listed
}

/** The folders of one kind. */
export type Approved<Manifest> = ReturnType<typeof createApproved<Manifest>>

/** Opens the folders of a kind. */
export function createApproved<Manifest>(parts: ApprovedParts, kind: ApprovedKind<Manifest>) {
  const context: Context<Manifest> = {
    ...parts,
    kind,
    table: createDecisionTable<Manifest>(parts.sql, kind.table, parts.has),
    manifestOf: keepManifests(kind, parts.version),
    listed: createListed(kind, parts),
  }
  const { table } = context
  return {
    /** The decisions that are served; the one that was made last is last. */
    served: (isWanted: (manifest: Manifest) => boolean = () => true) => servedOf(context, isWanted),
    /** The decision that is served by a name, or null. */
    find: (name: string) => find(context, name),
    /** Reads the files of a folder as they are now, without waiting; null if there is none. */
    filesOf: (name: string) => filesOf(context, name),
    review: (name: string) => reviewOf(context, name),
    /** Reviews the folders that are listed, in order of their names. */
    reviews: () => reviewAll(context),
    /** Counts the folders that are not listed. */
    left: () => context.listed(table.names()).left,
    /** Counts the folders that wait for the owner. */
    countWaiting: async () =>
      (await reviewAll(context)).filter(({ state }) => state === 'waiting').length,
    decide: (name: string, answer: ReviewAnswer, actor: Actor) =>
      decide(context, { name, answer, actor }),
    /** Takes an approval or a refusal back, so that the folder waits again. */
    withdraw: (name: string) => withdraw(context, name),
    /** Reports the approved folders that the changes of one decision begin or cease to serve. */
    touched: (changes: readonly AppliedSteps[]) => reportTouched(context, changes),
  }
}

function reportTouched<M>(context: Context<M>, changes: readonly AppliedSteps[]): void {
  const { table, files, changed, kind } = context
  const decided = table.approved()
  if (decided.length === 0) return
  const last = changes.at(-1)?.change.version ?? 0
  const all = changes.map(({ change, steps }) => ({ ...change, paths: steps.flatMap(stepPaths) }))
  const touched = decided.filter((approved) => {
    const folder = kind.folderOf(approved.name)
    const first = all.find(({ paths }) => paths.some((path) => overlaps(path, folder)))?.version
    return first !== undefined && hasServingChanged(kind, files(), { approved, first, last })
  })
  if (touched.length > 0) changed(touched.map((decision) => changedFolder(context, decision)))
}

function changedFolder<M>({ kind }: Context<M>, { name, seal }: Decision<M>): ChangedFolder {
  const path = kind.folderOf(name)
  return { path, files: [...hashesOf(seal).keys()].map((file) => parsePath(`${path}/${file}`)) }
}

const overlaps = (path: StorePath, folder: StorePath) =>
  isWithin(path, folder) || isWithin(folder, path)

function servedOf<M>(
  { files, table, kind }: Context<M>,
  isWanted: (manifest: M) => boolean,
): Decision<M>[] {
  const store = files()
  return table.approved().filter((one) => isWanted(one.manifest) && isServed(kind, store, one))
}

function find<M>({ files, table, kind }: Context<M>, name: string): Decision<M> | null {
  const decision = table.find(name)
  return decision?.state === 'approved' && isServed(kind, files(), decision) ? decision : null
}

async function reviewAll<M>(context: Context<M>): Promise<Review<M>[]> {
  const reviews: Review<M>[] = []
  for (const name of context.listed(context.table.names()).names) {
    const review = await reviewOf(context, name)
    if (review) reviews.push(review)
  }
  return reviews
}

function filesOf<M>({ files, table, kind }: Context<M>, name: string): FolderFiles<M> | null {
  const decision = table.find(name)
  // What was approved is served as soon as its files are back, so the owner has to see it meanwhile.
  const folder = kind.findFolder(files(), name, decision?.state === 'approved')
  return folder && { folder, revision: digestOf(folder.seal), decision }
}

async function reviewOf<M>(context: Context<M>, name: string): Promise<Review<M> | null> {
  const found = filesOf(context, name)
  if (!found) return null
  const { kind, files, manifestOf } = context
  const { folder, decision } = found
  const isBroken = folder.seal === NO_SEAL
  const manifest = isBroken ? err([kind.broken]) : await manifestOf(files(), folder)
  const isDecided = decision?.seal === folder.seal
  const state = !manifest.ok ? 'invalid' : isDecided ? decision.state : 'waiting'
  return { ...found, manifest, state }
}

interface Deciding {
  readonly name: string
  readonly answer: ReviewAnswer
  readonly actor: Actor
}

async function decide<M>(
  context: Context<M>,
  { name, answer: { revision, state, unseen = [] }, actor }: Deciding,
): Promise<Result<Review<M>, Problem>> {
  const { kind, table, files } = context
  const review = await reviewOf(context, name)
  if (!review) return err(kind.problems.missing(name))
  const unnamed = await unseenOf(review, files())
  // The manifest was read after the hashes; both have to be those of one moment.
  const now = kind.readFolder(files(), name)
  if (review.revision !== revision || now?.seal !== review.folder.seal)
    return err(kind.problems.changed(name))
  if (!review.manifest.ok) return err(kind.problems.invalid(name))
  const paths = unnamed.filter((path) => !unseen.includes(path))
  if (state === 'approved' && paths.length > 0) return err(kind.problems.unseen(name, paths))
  const before = table.find(name)
  const decided = { name, state, seal: review.folder.seal, manifest: review.manifest.value }
  table.write({ ...decided, version: context.version(), at: Date.now() }, actor)
  const decision = table.find(name)
  reportDecision(context, [before, decision])
  return ok({ ...review, state, decision })
}

/** Reports a folder by those of its decisions that approve it. */
function reportDecision<M>(context: Context<M>, decisions: readonly (Decision<M> | null)[]): void {
  const folders = decisions.flatMap((decision) =>
    decision?.state === 'approved' ? [changedFolder(context, decision)] : [],
  )
  if (folders.length > 0) context.changed(folders)
}

function withdraw<M>(context: Context<M>, name: string): Result<Decision<M>, Problem> {
  const { kind, table } = context
  const decision = table.find(name)
  if (!decision) return err(kind.problems.missing(name))
  table.delete(name)
  reportDecision(context, [decision])
  return ok(decision)
}

/**
 * The apps of a workspace: folders that the owner has approved; `place.ts` has where they are.
 *
 * An approval is bound to the hashes of all files of the folder. When one of them changes, the app is no longer
 * served until the owner approves it again, or until exactly the approved files are back. Files are read from the
 * workspace and never from a draft, so what an agent only proposes is never served.
 * `test/worker/apps/apps.test.ts` has the cases.
 *
 * @module
 */

import { isWithin, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import { digestOf } from '../audit/audit.ts'
import type { Problem } from '../errors/problem.ts'
import type { Actor } from '../audit/change-note.ts'
import type { Present } from '../store/open/opening.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { AppliedSteps } from '../store/store.ts'
import { brokenFolder, NO_SEAL, readFolder, readPage, type AppFolder } from './folder.ts'
import { keepManifests, type ReadManifestOf } from './kept-manifests.ts'
import { MAX_APP_FILES, MAX_APP_FOLDERS } from './limits.ts'
import { createListed, type ListedApps, type ListedParts } from './listed.ts'
import type { Manifest, ManifestProblem } from './manifest.ts'
import { folderOf } from './place.ts'
import { isServed, hasServingChanged } from './served.ts'
import { createAppTable, type AppDecision, type AppTable } from './table.ts'
import { unseenOf } from './unseen.ts'

/** The services of apps. */
export interface AppsParts {
  readonly sql: SqlStorage
  /** Opens all files of the workspace, without any draft. */
  readonly files: () => ReadStore
  /** Returns the version of the workspace. */
  readonly version: () => number
  readonly budgetOf: ListedParts['budgetOf']
  /** Whether the address of an app would be that of a view of the product. */
  readonly isTaken: (name: string) => boolean
  /** Whether there are decisions to read. */
  readonly has?: Pick<Present, 'apps'>
  /** Called with the folders of apps that begin or cease to be served. */
  readonly changed: (folders: readonly StorePath[]) => void
}

/** An app that is served: approved, and unchanged since. */
export interface ServedApp {
  readonly name: string
  readonly manifest: Manifest
}

/** The files of the folder of an app at one moment, and what was decided on them. */
export interface AppFiles {
  readonly folder: AppFolder
  /** Names the state of the files, so that a decision names what was shown. */
  readonly revision: string
  /** The last decision, also if the files have changed since. */
  readonly decision: AppDecision | null
}

/** The folder of an app, as the owner sees it. */
export interface AppReview extends AppFiles {
  readonly manifest: Result<Manifest, readonly ManifestProblem[]>
  readonly state: 'approved' | 'turned_down' | 'waiting' | 'invalid'
}

/** The apps of one workspace. */
export type Apps = ReturnType<typeof createApps>

interface AppsContext extends AppsParts {
  readonly table: AppTable
  readonly manifestOf: ReadManifestOf
  readonly listed: (decided: readonly string[]) => ListedApps
}

/** Opens the apps of a workspace. */
export function createApps(parts: AppsParts) {
  const table = createAppTable(parts.sql, parts.has)
  const kept = { manifestOf: keepManifests(parts.version), listed: createListed(parts) }
  const context: AppsContext = { ...parts, table, ...kept }
  return {
    /** The apps that are served, in order of their names. */
    served: () => servedOf(context).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    /** The apps that are served for tools; the one that was approved last is last. */
    views: () => servedOf(context, ({ forTool }) => forTool !== null),
    find: (name: string) => find(context, name),
    /** Reads the page of an app; null if it is not served, or shows a template. */
    readPage: (name: string) => pageOf(context, name),
    /** Reads the files of an app as they are now, without waiting; null if there is none. */
    filesOf: (name: string) => filesOf(context, name),
    review: (name: string) => reviewOf(context, name),
    /** Reviews the apps that are listed, in order of their names. */
    reviews: () => reviewAll(context),
    /** Counts the folders that are not listed. */
    left: () => context.listed(context.table.names()).left,
    /** Counts the apps that wait for the owner. */
    countWaiting: async () =>
      (await reviewAll(context)).filter(({ state }) => state === 'waiting').length,
    decide: (name: string, decision: AppAnswer, actor: Actor) =>
      decide(context, name, decision, actor),
    withdraw: (name: string) => withdraw(context, name),
    /** Reports the approved apps that the changes of one decision begin or cease to serve. */
    touched: (changes: readonly AppliedSteps[]) => reportTouched(context, changes),
  }
}

function reportTouched(
  { table, files, changed }: AppsContext,
  changes: readonly AppliedSteps[],
): void {
  const approved = table.approved()
  if (approved.length === 0) return
  const last = changes.at(-1)?.change.version ?? 0
  const all = changes.map(({ change, steps }) => ({ ...change, paths: steps.flatMap(stepPaths) }))
  const changedApps = approved.filter((app) => {
    const folder = folderOf(app.name)
    const first = all.find(({ paths }) => paths.some((path) => overlaps(path, folder)))?.version
    return first !== undefined && hasServingChanged(files(), app, { first, last })
  })
  if (changedApps.length > 0) changed(changedApps.map(({ name }) => folderOf(name)))
}

const overlaps = (path: StorePath, folder: StorePath) =>
  isWithin(path, folder) || isWithin(folder, path)

/** The owner's answer on an app. */
export interface AppAnswer {
  /** The revision that was shown. */
  readonly revision: string
  readonly state: AppDecision['state']
  /** Paths that are approved although their content cannot be shown as text. */
  readonly unseen?: readonly string[] | undefined
}

function servedOf(
  { files, table }: AppsContext,
  isWanted: (manifest: Manifest) => boolean = () => true,
): ServedApp[] {
  const store = files()
  return table.approved().filter((one) => isWanted(one.manifest) && isServed(store, one))
}

function find(context: AppsContext, name: string): ServedApp | null {
  const decision = context.table.find(name)
  return decision?.state === 'approved' && isServed(context.files(), decision) ? decision : null
}

async function pageOf(context: AppsContext, name: string): Promise<string | null> {
  const app = find(context, name)
  // Content is never rewritten in place, and its entry is looked up in the same turn as the hashes.
  return app && readPage(context.files(), name, app.manifest)
}

async function reviewAll(context: AppsContext): Promise<AppReview[]> {
  const reviews: AppReview[] = []
  for (const name of context.listed(context.table.names()).names) {
    const review = await reviewOf(context, name)
    if (review) reviews.push(review)
  }
  return reviews
}

function filesOf(context: AppsContext, name: string): AppFiles | null {
  const files = context.files()
  const decision = context.table.find(name)
  // What was approved is served as soon as its files are back, so the owner has to see it meanwhile.
  const isKept = decision?.state === 'approved'
  const folder = readFolder(files, name) ?? (isKept ? brokenFolder(files, name) : null)
  return folder && { folder, revision: digestOf(folder.seal), decision }
}

async function reviewOf(context: AppsContext, name: string): Promise<AppReview | null> {
  const found = filesOf(context, name)
  if (!found) return null
  const { folder, decision } = found
  const isWhole = folder.seal !== NO_SEAL
  const manifest = isWhole ? await readManifest(context, context.files(), folder) : err([NO_FOLDER])
  const isDecided = decision?.seal === folder.seal
  const state = !manifest.ok ? 'invalid' : isDecided ? decision.state : 'waiting'
  return { ...found, manifest, state }
}

const readManifest = ({ isTaken, manifestOf }: AppsContext, files: ReadStore, folder: AppFolder) =>
  isTaken(folder.name) ? err([TAKEN]) : manifestOf(files, folder)

const NO_FOLDER: ManifestProblem = {
  pointer: '',
  message: `is not in a folder of 1 to ${MAX_APP_FILES} files and at most ${MAX_APP_FOLDERS} folders`,
}

const TAKEN: ManifestProblem = { pointer: '/name', message: 'is the name of a view of the product' }

async function decide(
  context: AppsContext,
  name: string,
  { revision, state, unseen = [] }: AppAnswer,
  actor: Actor,
): Promise<Result<AppReview, Problem>> {
  const review = await reviewOf(context, name)
  if (!review) return err({ reason: 'no_app', app: name })
  const unnamed = await unseenOf(review, context.files())
  // The manifest was read after the hashes; both have to be those of one moment.
  const now = readFolder(context.files(), name)
  if (review.revision !== revision || now?.seal !== review.folder.seal)
    return err({ reason: 'app_changed', app: name })
  if (!review.manifest.ok) return err({ reason: 'app_invalid', app: name })
  const paths = unnamed.filter((path) => !unseen.includes(path))
  if (state === 'approved' && paths.length > 0)
    return err({ reason: 'app_unseen', app: name, paths })
  const { manifest, folder } = review
  const decided = { name, state, seal: folder.seal, manifest: manifest.value }
  const before = context.table.find(name)
  context.table.write({ ...decided, version: context.version(), at: Date.now() }, actor)
  if ([before?.state, state].includes('approved')) context.changed([folderOf(name)])
  return ok({ ...review, state, decision: context.table.find(name) })
}

/** Takes an approval or a refusal back, so that the app waits again. */
function withdraw(context: AppsContext, name: string): Result<AppDecision, Problem> {
  const decision = context.table.find(name)
  if (!decision) return err({ reason: 'no_app', app: name })
  context.table.delete(name)
  if (decision.state === 'approved') context.changed([folderOf(name)])
  return ok(decision)
}

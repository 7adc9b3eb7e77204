/**
 * The apps of a workspace: folders below `/.apps` that the owner has approved.
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
import type { Actor } from '../store/change-note.ts'
import type { Present } from '../store/opening.ts'
import { stepPaths } from '../store/steps.ts'
import type { Change, Step } from '../store/store.ts'
import { folderOf, namesOf, readFolder, readPage, type AppFolder } from './folder.ts'
import { keepManifests, type ReadManifestOf } from './kept-manifests.ts'
import type { Manifest, ManifestProblem } from './manifest.ts'
import { isServed, beganOrCeased } from './served.ts'
import { createAppTable, type AppDecision, type AppTable } from './table.ts'

/** The services of apps. */
export interface AppsParts {
  readonly sql: SqlStorage
  /** Opens all files of the workspace, without any draft. */
  readonly files: () => ReadStore
  /** Returns the version of the workspace. */
  readonly version: () => number
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

/** A folder below `/.apps`, as the owner sees it. */
export interface AppReview {
  readonly folder: AppFolder
  /** Names the state of the files, so that a decision names what was shown. */
  readonly revision: string
  readonly manifest: Result<Manifest, readonly ManifestProblem[]>
  readonly state: 'approved' | 'turned_down' | 'waiting' | 'invalid'
  /** The last decision, also if the files have changed since. */
  readonly decision: AppDecision | null
}

/** The apps of one workspace. */
export type Apps = ReturnType<typeof createApps>

interface AppsContext extends AppsParts {
  readonly table: AppTable
  readonly manifestOf: ReadManifestOf
}

/** Opens the apps of a workspace. */
export function createApps(parts: AppsParts) {
  const table = createAppTable(parts.sql, parts.has)
  const context: AppsContext = { ...parts, table, manifestOf: keepManifests(parts.version) }
  return {
    /** The apps that are served, in order of their names. */
    served: (): ServedApp[] => {
      const files = context.files()
      return context.table.approved().filter((one) => isServed(files, one))
    },
    find: (name: string) => find(context, name),
    /** Reads the page of an app; null if it is not served, or shows a template. */
    readPage: (name: string) => pageOf(context, name),
    review: (name: string) => reviewOf(context, name),
    reviews: () => reviewAll(context),
    /** Counts the apps that wait for the owner. */
    waiting: async () =>
      (await reviewAll(context)).filter(({ state }) => state === 'waiting').length,
    decide: (name: string, decision: AppAnswer, actor: Actor) =>
      decide(context, name, decision, actor),
    withdraw: (name: string) => withdraw(context, name),
    /** Reports the approved apps that an applied change begins or ceases to serve. */
    touched: (change: Pick<Change, 'version'>, steps: readonly Step[]) =>
      reportTouched(context, change, steps),
  }
}

function reportTouched(
  { table, files, changed }: AppsContext,
  { version }: Pick<Change, 'version'>,
  steps: readonly Step[],
): void {
  const approved = table.approved()
  if (approved.length === 0) return
  const paths = steps.flatMap(stepPaths)
  const isTouched = (folder: StorePath) =>
    paths.some((path) => isWithin(path, folder) || isWithin(folder, path))
  const touched = approved.filter(({ name }) => isTouched(folderOf(name)))
  const changedApps = touched.filter((app) => beganOrCeased(files(), app, version))
  if (changedApps.length > 0) changed(changedApps.map(({ name }) => folderOf(name)))
}

/** The owner's answer on an app. */
export interface AppAnswer {
  /** The revision that was shown. */
  readonly revision: string
  readonly state: AppDecision['state']
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
  // An app that was decided on may be served, so no number of other folders hides it from the owner.
  const names = new Set([...namesOf(context.files()), ...context.table.names()])
  for (const name of [...names].toSorted()) {
    const review = await reviewOf(context, name)
    if (review) reviews.push(review)
  }
  return reviews
}

async function reviewOf(context: AppsContext, name: string): Promise<AppReview | null> {
  const files = context.files()
  const folder = readFolder(files, name)
  if (!folder) return null
  const manifest = context.isTaken(name) ? err([TAKEN]) : await context.manifestOf(files, folder)
  const decision = context.table.find(name)
  const isDecided = decision?.seal === folder.seal
  const state = !manifest.ok ? 'invalid' : isDecided ? decision.state : 'waiting'
  return { folder, revision: digestOf(folder.seal), manifest, state, decision }
}

const TAKEN: ManifestProblem = { pointer: '/name', message: 'is the name of a view of the product' }

async function decide(
  context: AppsContext,
  name: string,
  { revision, state }: AppAnswer,
  actor: Actor,
): Promise<Result<AppReview, Problem>> {
  const review = await reviewOf(context, name)
  if (!review) return err({ reason: 'no_app', app: name })
  // The manifest was read after the hashes; both have to be those of one moment.
  const now = readFolder(context.files(), name)
  if (review.revision !== revision || now?.seal !== review.folder.seal)
    return err({ reason: 'app_changed', app: name })
  if (!review.manifest.ok) return err({ reason: 'app_invalid', app: name })
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

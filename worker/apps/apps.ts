/**
 * The apps of a workspace: folders that the owner has approved; `place.ts` has where they are.
 *
 * `worker/approved/` has what an approval is and when it holds. `test/worker/apps/apps.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import {
  createApproved,
  type Approved,
  type ApprovedParts,
  type FolderFiles,
  type Review,
} from '../approved/approved.ts'
import type { ApprovedKind, ManifestProblem } from '../approved/kind.ts'
import { listMadeFolders } from '../approved/made-folders.ts'
import type { Present } from '../store/open/opening.ts'
import { brokenFolder, isAppFolder, manifestOf, readFolder, readPage } from './folder.ts'
import {
  MAX_APP_FILES,
  MAX_APP_FOLDERS,
  MAX_APP_FOLDERS_LOOKED_AT,
  MAX_APPS,
  MAX_APPS_ENTRIES,
} from './limits.ts'
import type { Manifest } from './manifest.ts'
import { folderOf, listBashFolders, MADE_APPS } from './place.ts'

/** The services of apps. */
export interface AppsParts extends Omit<ApprovedParts, 'has' | 'changed'> {
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
export type AppFiles = FolderFiles<Manifest>

/** The folder of an app, as the owner sees it. */
export type AppReview = Review<Manifest>

/** The apps of one workspace. */
export type Apps = ReturnType<typeof createApps>

/** Opens the apps of a workspace. */
export function createApps({ isTaken, has, ...parts }: AppsParts) {
  const kind = { ...APPS, readManifest: readManifestOf(isTaken) }
  const changed: ApprovedParts['changed'] = (folders) =>
    parts.changed(folders.map(({ path }) => path))
  const approved = createApproved<Manifest>({ ...parts, has: has?.apps ?? true, changed }, kind)
  return {
    ...approved,
    /** The apps that are served, in order of their names. */
    served: (): ServedApp[] => approved.served().toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    /** The apps that are served for tools; the one that was approved last is last. */
    views: (): ServedApp[] => approved.served(({ forTool }) => forTool !== null),
    find: (name: string): ServedApp | null => approved.find(name),
    /** Reads the page of an app; null if it is not served, or shows a template. */
    readPage: (name: string) => pageOf(approved, parts.files(), name),
  }
}

async function pageOf(
  { find }: Pick<Approved<Manifest>, 'find'>,
  files: ReadStore,
  name: string,
): Promise<string | null> {
  const app = find(name)
  // Content is never rewritten in place, and its entry is looked up in the same turn as the hashes.
  return app && readPage(files, name, app.manifest)
}

const readManifestOf =
  (isTaken: AppsParts['isTaken']): ApprovedKind<Manifest>['readManifest'] =>
  async (store, folder) =>
    isTaken(folder.name) ? err([TAKEN]) : manifestOf(store, folder)

const TAKEN: ManifestProblem = { pointer: '/name', message: 'is the name of a view of the product' }

/** The errors of a decision on an app. */
export const APP_PROBLEMS: ApprovedKind<Manifest>['problems'] = {
  missing: (app) => ({ reason: 'no_app', app }),
  changed: (app) => ({ reason: 'app_changed', app }),
  invalid: (app) => ({ reason: 'app_invalid', app }),
  unseen: (app, paths) => ({ reason: 'app_unseen', app, paths }),
}

const APPS: Omit<ApprovedKind<Manifest>, 'readManifest'> = {
  table: 'apps',
  folderOf,
  readFolder,
  findFolder: (store, name, isKept) =>
    readFolder(store, name) ?? (isKept ? brokenFolder(store, name) : null),
  listMade: (sql, files, limit) =>
    listMadeFolders(sql, limit, { ...MADE_APPS, others: listBashFolders(files) }),
  isListed: isAppFolder,
  most: { listed: MAX_APPS, lookedAt: MAX_APP_FOLDERS_LOOKED_AT, entries: MAX_APPS_ENTRIES },
  broken: {
    pointer: '',
    message: `is not in a folder of 1 to ${MAX_APP_FILES} files and at most ${MAX_APP_FOLDERS} folders`,
  },
  problems: APP_PROBLEMS,
}

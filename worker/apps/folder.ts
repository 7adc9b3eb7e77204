/**
 * The folder of an app: its files, its manifest and its page.
 *
 * `test/worker/apps/apps.test.ts` has the cases.
 *
 * @module
 */

import { parsePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import {
  hasFile,
  isWhole,
  openBroken,
  sealFolder,
  type Place,
  type SealedFolder,
} from '../approved/folder.ts'
import { strictText } from '../texts/text.ts'
import { MAX_APP_FILES, MAX_APP_FOLDERS, MAX_APP_PAGE_BYTES, MAX_MANIFEST_BYTES } from './limits.ts'
import { defaultManifest, readManifest, type Manifest, type ManifestProblem } from './manifest.ts'
import { BASH_MANIFEST, folderOf, placeOf } from './place.ts'

/** The manifest, and its name in mcp-bash. */
const MANIFESTS = ['app.json', BASH_MANIFEST]

const LIMITS: Place['limits'] = { files: MAX_APP_FILES, folders: MAX_APP_FOLDERS, bytes: Infinity }

const folderNamed = (name: string): Place => ({ name, path: folderOf(name), limits: LIMITS })

/** Whether a folder has files, and no more than an app may have. */
export const isAppFolder = (store: ReadStore, name: string): boolean =>
  isWhole(store, folderNamed(name))

/** Reads the folder of an app without its contents; null if it is not one, or has too many files or folders. */
export function readFolder(store: ReadStore, name: string): SealedFolder | null {
  const place = placeOf(name)
  const folder = place && sealFolder(store, folderNamed(name))
  return folder && place.isBash && !hasFile(folder, BASH_MANIFEST) ? null : folder
}

/** The folder of an app that was approved and is none now; of too many files, the first ones. */
export const brokenFolder = (store: ReadStore, name: string): SealedFolder =>
  openBroken(store, folderNamed(name))

/** Reads the manifest of an app, and checks that it has something to show. */
export async function manifestOf(
  store: ReadStore,
  folder: SealedFolder,
): Promise<Result<Manifest, readonly ManifestProblem[]>> {
  const { name, path } = folder
  const place = placeOf(name)
  const names = place?.isBash ? [BASH_MANIFEST] : MANIFESTS
  const file = names.find((each) => hasFile(folder, each))
  const text =
    file === undefined
      ? null
      : await textOf(store, parsePath(`${path}/${file}`), MAX_MANIFEST_BYTES)
  if (file !== undefined && text === null)
    return err([{ pointer: '', message: `is not text of at most ${MAX_MANIFEST_BYTES} bytes` }])
  const manifest =
    text === null ? ok(defaultManifest(name)) : readManifest(text, place?.own ?? name, place?.tool)
  if (!manifest.ok) return manifest
  const message = await faultOfPage(store, pagePath(path, manifest.value), manifest.value)
  return message === null ? manifest : err([{ pointer: '/entrypoint', message }])
}

/** Checks the page of an app; null if it can be served. */
async function faultOfPage(store: ReadStore, path: StorePath, { template }: Manifest) {
  const page = store.stat(path)
  if (page?.type !== 'file')
    return template === null ? 'is no file, and there is no template' : null
  if (page.size > MAX_APP_PAGE_BYTES) return `has more than ${MAX_APP_PAGE_BYTES} bytes`
  // Clients read a page as UTF-8, so any other one would be shown with other characters than were approved.
  return (await textOf(store, path, MAX_APP_PAGE_BYTES)) === null ? 'is not text in UTF-8' : null
}

/** Reads the page of an app as it is now; null if it has none of its own. */
export async function readPage(
  store: ReadStore,
  name: string,
  manifest: Manifest,
): Promise<string | null> {
  return textOf(store, pagePath(folderOf(name), manifest), MAX_APP_PAGE_BYTES)
}

const pagePath = (folder: StorePath, { entrypoint }: Manifest) =>
  parsePath(`${folder}/${entrypoint}`)

async function textOf(store: ReadStore, path: StorePath, limit: number): Promise<string | null> {
  const entry = store.stat(path)
  if (entry?.type !== 'file' || entry.size > limit) return null
  return strictText(await store.bytes(entry))
}

/**
 * The folder of an app: its files with their hashes, its manifest and its page.
 *
 * `test/worker/apps/apps.test.ts` has the cases.
 *
 * @module
 */

import { parsePath, relativeTo, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import { toHex } from '../encoding/bytes.ts'
import { strictText } from '../texts/text.ts'
import type { FileEntry } from '../store/store.ts'
import { MAX_APP_FILES, MAX_APP_FOLDERS, MAX_APP_PAGE_BYTES, MAX_MANIFEST_BYTES } from './limits.ts'
import { defaultManifest, readManifest, type Manifest, type ManifestProblem } from './manifest.ts'
import { BASH_MANIFEST, folderOf, placeOf } from './place.ts'

/** The manifest, and its name in mcp-bash. */
const MANIFESTS = ['app.json', BASH_MANIFEST]

export interface AppFile {
  readonly path: StorePath
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  readonly size: number
}

export interface AppFolder {
  readonly name: string
  readonly path: StorePath
  readonly files: readonly AppFile[]
  /** A text that two folders share only if all their files do. */
  readonly seal: string
}

/** Whether a folder has files, and no more than an app may have. */
export function isAppFolder(store: ReadStore, name: string): boolean {
  const { files, isWhole } = listFiles(store, folderOf(name))
  return files.length > 0 && isWhole
}

/** Reads the folder of an app without its contents; null if it is not one, or has too many files or folders. */
export function readFolder(store: ReadStore, name: string): AppFolder | null {
  const place = placeOf(name)
  if (!place) return null
  const path = folderOf(name)
  const { files, isWhole } = readFiles(store, path)
  if (files.length === 0 || !isWhole || (place.isBash && !hasFile(files, path, BASH_MANIFEST)))
    return null
  const seal = sealOf(files.map((file) => [relativeTo(file.path, path), file.hash]))
  return { name, path, files, seal }
}

const hasFile = (files: readonly AppFile[], folder: StorePath, name: string) =>
  files.some(({ path }) => path === `${folder}/${name}`)

/** The seal of a folder that is no app. It is that of no app. */
export const NO_SEAL = ''

/** The folder of an app that was approved and is none now; of too many files, the first ones. */
export function brokenFolder(store: ReadStore, name: string): AppFolder {
  const path = folderOf(name)
  return { name, path, files: readFiles(store, path).files, seal: NO_SEAL }
}

/** Reads the files in the folder of an app, and whether these are all. */
function readFiles(store: ReadStore, path: StorePath): { files: AppFile[]; isWhole: boolean } {
  const { files: entries, isWhole } = listFiles(store, path)
  const files: AppFile[] = []
  for (const entry of entries) {
    const hash = hashOf(store, entry)
    if (hash === null) return { files, isWhole: false }
    files.push({ path: entry.path, hash, size: entry.size })
  }
  return { files, isWhole }
}

/** Lists the files in the folder of an app, and whether these are all. */
function listFiles(store: ReadStore, path: StorePath): { files: FileEntry[]; isWhole: boolean } {
  const files: FileEntry[] = []
  let folders = 0
  for (const entry of store.walk(path)) {
    if (entry.type === 'folder') {
      // Empty ones are no part of the app, and would still be walked by every list of tools.
      if (++folders > MAX_APP_FOLDERS) return { files, isWhole: false }
      continue
    }
    if (files.length === MAX_APP_FILES) return { files, isWhole: false }
    files.push(entry)
  }
  return { files, isWhole: true }
}

/** Seals the hashes of files, by their paths within the folder. */
const sealOf = (hashes: readonly (readonly [path: string, hash: string])[]) =>
  JSON.stringify(hashes)

/** Returns the hashes that a seal was made of. */
export function hashesOf(seal: string): ReadonlyMap<string, string> {
  // Only this module makes seals.
  return new Map(JSON.parse(seal) as [string, string][])
}

/** Returns the hash of the content of a file; null if history has dropped it. */
export function hashOf(store: ReadStore, entry: FileEntry): string | null {
  const content = store.contentOf(entry)
  return content && toHex(content.hash)
}

/** Reads the manifest of an app, and checks that it has something to show. */
export async function manifestOf(
  store: ReadStore,
  { name, path, files }: AppFolder,
): Promise<Result<Manifest, readonly ManifestProblem[]>> {
  const place = placeOf(name)
  const names = place?.isBash ? [BASH_MANIFEST] : MANIFESTS
  const file = names.find((each) => hasFile(files, path, each))
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

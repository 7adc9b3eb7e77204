/**
 * Where apps are, and their names: `/.apps/{name}`, and the folders of mcp-bash, `/ui/{name}` and `/tools/{tool}/ui`. An app in
 * one of these is named by its path without the first slash, so that no two apps have one name.
 *
 * A folder of mcp-bash is an app only with its manifest, `ui.meta.json`: people have folders with such names for other
 * reasons. `test/worker/apps/bash-folders.test.ts` has the cases.
 *
 * @module
 */

import { isAppName } from '#core/apps/name.ts'
import { parseGlob } from '#core/glob.ts'
import { parsePath, type StorePath } from '#core/path.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { MadePlace } from '../approved/made-folders.ts'
import { queryOfGlob } from '../search/name-query.ts'
import { TOOLS } from '../tools/index.ts'
import { MAX_APPS_ENTRIES } from './limits.ts'

/** The folder of apps that are named by their own folders. */
const APPS_FOLDER = parsePath('/.apps')

/** Where the folders of apps are that are named by their own folders; the names are those that `isAppName` accepts. */
export const MADE_APPS: MadePlace = {
  above: APPS_FOLDER,
  isName: `length(name) <= 40 AND name GLOB '[a-z0-9]*' AND name GLOB '*[a-z0-9]'
  AND name NOT GLOB '*[^a-z0-9_-]*'`,
}

/** The manifest of mcp-bash. */
export const BASH_MANIFEST = 'ui.meta.json'

const BASH_FOLDER = /^(?:ui\/([^/]+)|tools\/([^/]+)\/ui)$/

/** What the place of an app says of it. */
export interface AppPlace {
  /** The name that its manifest may have: that of its own folder, or of the tool. */
  readonly own: string
  /** The tool that its folder is of; null for none. */
  readonly tool: string | null
  /** Whether it is a folder of mcp-bash. */
  readonly isBash: boolean
}

/** Parses the name of an app; null if no app can have it. */
export function placeOf(name: string): AppPlace | null {
  const [, ui, tool] = BASH_FOLDER.exec(name) ?? []
  if (tool !== undefined && !TOOLS.has(tool)) return null
  const own = ui ?? tool ?? name
  return isAppName(own) ? { own, tool: tool ?? null, isBash: own !== name } : null
}

/** Returns the path of the folder of an app. */
export const folderOf = (name: string): StorePath =>
  parsePath(name.includes('/') ? `/${name}` : `${APPS_FOLDER}/${name}`)

/** The end of the names of an app's tools, which have no slashes. */
export const toolSuffix = (name: string): string => name.replace('/', '_')

/** The names of the apps whose tools may have this end. The first that has tools wins. */
export const namesOfSuffix = (suffix: string): string[] => [
  ...new Set([suffix, suffix.replace(/^ui_/, 'ui/')]),
]

/** The name of an app, and the version of its manifest. */
export type BashFolder = readonly [name: string, version: number]

const UI_FOLDER = parsePath('/ui')

const glob = parseGlob(BASH_MANIFEST)

/** What skips other files: the path of a manifest ends with it, and the index of names knows its name. */
const MANIFESTS = {
  holding: { text: `/${BASH_MANIFEST}`, fold: false },
  names: glob.ok ? queryOfGlob(glob.value) : null,
}

/** Lists the folders of mcp-bash with a manifest: of each tool of the product, and of those in `/ui` one more than are searched. */
export function listBashFolders(store: Pick<ReadStore, 'stat' | 'walk'>): BashFolder[] {
  const found: BashFolder[] = []
  const add = (name: string) => {
    const manifest = placeOf(name) && store.stat(parsePath(`/${name}/${BASH_MANIFEST}`))
    if (manifest?.type === 'file') found.push([name, manifest.version])
  }
  for (const tool of TOOLS.keys()) add(`tools/${tool}/ui`)
  const most = found.length + MAX_APPS_ENTRIES + 1
  for (const { path } of store.walk(UI_FOLDER, MANIFESTS)) {
    if (found.length === most) break
    const [, name] = IN_UI.exec(path) ?? []
    if (name !== undefined) add(name)
  }
  return found
}

const IN_UI = /^\/(ui\/[^/]+)\/ui\.meta\.json$/

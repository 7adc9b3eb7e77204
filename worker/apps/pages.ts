/**
 * Apps as resources: those that a caller may see, and their pages.
 *
 * A caller sees an app if it may read its folder. `test/worker/apps/app-resource.test.ts` has the cases.
 *
 * @module
 */

import type { Access } from '../access/access.ts'
import type { Apps, ServedApp } from './apps.ts'
import { folderOf } from './folder.ts'
import { appAt, contentOf, fillTemplate, listedApp } from './page.ts'

/** The services of the pages of apps. */
export interface AppPagesParts {
  readonly apps: Pick<Apps, 'served' | 'find' | 'readPage'>
  /** The name of the workspace. */
  readonly workspace: string
  /** Loads the page of templates. */
  readonly readTemplates: () => Promise<string>
}

/** The apps of a workspace as resources. */
export type AppPages = ReturnType<typeof createAppPages>

type Reader = Pick<Access, 'canRead'>

/** Serves the apps of a workspace as resources. */
export function createAppPages(parts: AppPagesParts) {
  const { apps, workspace } = parts
  return {
    /** The apps that a caller may see, as `resources/list` shows them. */
    list: (access: Reader) =>
      apps
        .served()
        .filter((app) => isSeen(app, access))
        .map((app) => listedApp(app, workspace)),
    read: (uri: string, access: Reader) => read(parts, uri, access),
  }
}

const isSeen = ({ name }: ServedApp, access: Reader) => access.canRead(folderOf(name))

/** Reads the page at an address; null if it is not that of an app that this caller may see. */
async function read(
  { apps, workspace, readTemplates }: AppPagesParts,
  uri: string,
  access: Reader,
): Promise<ReturnType<typeof contentOf> | null> {
  const name = appAt(uri, workspace)
  const app = name === null ? null : apps.find(name)
  if (!app || !isSeen(app, access)) return null
  const own = await apps.readPage(app.name)
  if (own !== null) return contentOf(app, workspace, own)
  if (app.manifest.template === null) return null
  return contentOf(app, workspace, fillTemplate(await readTemplates(), app))
}

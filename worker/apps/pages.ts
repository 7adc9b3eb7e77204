/**
 * Apps as resources: those that a caller may see, and their pages.
 *
 * A caller sees an app if it may read its folder. `test/worker/apps/app-resource.test.ts` has the cases, and
 * `test/worker/apps/kept-pages.test.ts` those of pages that were filled already.
 *
 * @module
 */

import { isAppName } from '#core/apps/name.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Access } from '../access/access.ts'
import type { Apps, ServedApp } from './apps.ts'
import { folderOf } from './place.ts'
import { MAX_KEPT_PAGES, MAX_MANIFEST_BYTES } from './limits.ts'
import { readManifest, type Manifest, type ManifestProblem } from './manifest.ts'
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
  const fill = keepFilled()
  return {
    /** The apps that a caller may see, as `resources/list` shows them. */
    list: (access: Reader) =>
      apps
        .served()
        .filter((app) => isSeen(app, access))
        .map((app) => listedApp(app, workspace)),
    read: (uri: string, access: Reader) => read({ ...parts, fill }, uri, access),
    /** Makes the page of an app that is not written yet. `text` is its `app.json`. */
    preview: (name: string, text: string) => preview(parts, name, text),
  }
}

type Fill = typeof fillTemplate

/**
 * Fills pages of templates, each once for a manifest and a page of templates. An approval brings a manifest of its own, and
 * the data of an app is in no page: its tool returns it.
 */
function keepFilled(): Fill {
  const kept = new Map<Manifest, { readonly templates: string; readonly page: string }>()
  return (templates, app) => {
    const last = kept.get(app.manifest)
    if (last?.templates === templates) return last.page
    const page = fillTemplate(templates, app)
    if (kept.size >= MAX_KEPT_PAGES) kept.clear()
    kept.set(app.manifest, { templates, page })
    return page
  }
}

const isSeen = ({ name }: ServedApp, access: Reader) => access.canRead(folderOf(name))

/** Reads the page at an address; null if it is not that of an app that this caller may see. */
async function read(
  { apps, workspace, readTemplates, fill }: AppPagesParts & { readonly fill: Fill },
  uri: string,
  access: Reader,
): Promise<ReturnType<typeof contentOf> | null> {
  const name = appAt(uri, workspace)
  const app = name === null ? null : apps.find(name)
  if (!app || !isSeen(app, access)) return null
  const own = await apps.readPage(app.name)
  if (own !== null) return contentOf(app, workspace, own)
  if (app.manifest.template === null) return null
  return contentOf(app, workspace, fill(await readTemplates(), app))
}

/** The page that an app would have, and the files that it would show. */
export interface AppPreview {
  readonly page: string
  readonly title: string
  /** Paths and patterns, each from the root of the workspace. */
  readonly data: readonly string[]
}

/**
 * Checks a manifest as it is checked before an approval, and fills the page of templates with it. Only a template
 * can be previewed: a page of the app's own is code, and runs only once it is approved.
 */
async function preview(
  { readTemplates }: Pick<AppPagesParts, 'readTemplates'>,
  name: string,
  text: string,
): Promise<Result<AppPreview, readonly ManifestProblem[]>> {
  if (!isAppName(name)) return err([{ pointer: '/name', message: BAD_NAME }])
  if (new TextEncoder().encode(text).length > MAX_MANIFEST_BYTES)
    return err([{ pointer: '', message: `is not text of at most ${MAX_MANIFEST_BYTES} bytes` }])
  const manifest = readManifest(text, name)
  if (!manifest.ok) return manifest
  const { title, template, data } = manifest.value
  if (template === null) return err([{ pointer: '/template', message: 'is needed for a preview' }])
  const page = fillTemplate(await readTemplates(), { name, manifest: manifest.value })
  return ok({ page, title, data: data.map((pattern) => `/${pattern}`) })
}

const BAD_NAME =
  'is not a name: small letters, digits, - and _, up to 40, with a letter or digit at both ends'

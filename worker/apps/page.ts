/**
 * The page of an app as a resource: its address, its entry in lists, and its content.
 *
 * `test/worker/apps/app-resource.test.ts` has the cases.
 *
 * @module
 */

import { fillPage, uiMetaOf } from '#core/apps/page.ts'
import { APP_MIME, TYPE_META } from '#core/wire.ts'
import type { ServedApp } from './apps.ts'
import { toolSuffix } from './place.ts'

/** Returns the address of an app. */
export const appUri = (workspace: string, name: string) =>
  `ui://${encodeURIComponent(workspace)}/${name}`

/** Returns the name of the app at an address of this workspace, or null. */
export function appAt(uri: string, workspace: string): string | null {
  const start = appUri(workspace, '')
  return uri.startsWith(start) ? uri.slice(start.length) : null
}

/** Describes an app for `resources/list`. */
export function listedApp({ name, manifest }: ServedApp, workspace: string) {
  const { title, description, forTool } = manifest
  // An application is shown without a call, and an app for a tool has nothing to show then.
  const isApplication = forTool === null
  return {
    uri: appUri(workspace, name),
    name,
    title,
    ...(description !== '' && { description }),
    mimeType: APP_MIME,
    annotations: { audience: ['user' as const], ...(isApplication && { type: 'application' }) },
    _meta: { ...uiMetaOf(manifest), ...(isApplication && { [TYPE_META]: 'application' }) },
  }
}

/** Returns the content of the resource of an app. Its page asks for nothing that was not approved. */
export function contentOf({ name, manifest }: ServedApp, workspace: string, text: string) {
  return { uri: appUri(workspace, name), mimeType: APP_MIME, text, _meta: uiMetaOf(manifest) }
}

const absolute = (pattern: string) => `/${pattern}`

/** Puts an app into the page of templates. */
export function fillTemplate(page: string, { name, manifest }: ServedApp): string {
  const { title, description, template, config, data, write, forTool } = manifest
  const files = { data: data.map(absolute), write: write.map(absolute) }
  // By its name the page calls the tool of the app.
  const own = forTool === null ? toolSuffix(name) : ''
  return fillPage(page, { name: own, title, description, template, config, ...files })
}

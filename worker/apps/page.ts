/**
 * The page of an app as a resource: its address, its entry in lists, and its content.
 *
 * `test/worker/apps/app-resource.test.ts` has the cases.
 *
 * @module
 */

import { APP_MIME, TYPE_META } from '#core/wire.ts'
import { markup } from '../encoding/html.ts'
import type { ServedApp } from './apps.ts'
import type { Manifest } from './manifest.ts'

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
  const { title, description } = manifest
  return {
    uri: appUri(workspace, name),
    name,
    title,
    ...(description !== '' && { description }),
    mimeType: APP_MIME,
    annotations: { audience: ['user' as const], type: 'application' },
    _meta: { ...uiOf(manifest), [TYPE_META]: 'application' },
  }
}

/** Returns the content of the resource of an app. */
export function contentOf({ name, manifest }: ServedApp, workspace: string, text: string) {
  return { uri: appUri(workspace, name), mimeType: APP_MIME, text, _meta: uiOf(manifest) }
}

/** What the page asks its host for: nothing that was not approved. */
function uiOf({ csp, permissions, prefersBorder, domain }: Manifest) {
  const wanted = Object.fromEntries(permissions.map((one) => [one, {}]))
  return { ui: { csp, permissions: wanted, prefersBorder, ...(domain !== null && { domain }) } }
}

const absolute = (pattern: string) => `/${pattern}`

/** The element of the page of templates that has the app's name, template and settings. */
const SLOT = /(<script type="application\/json" id="app">)[^<]*(<\/script>)/

const TITLE = /<title>[^<]*<\/title>/

/** Puts an app into the page of templates, and its title into the title of the document. */
export function fillTemplate(page: string, { name, manifest }: ServedApp): string {
  const { title, description, template, config, data, write } = manifest
  const files = { data: data.map(absolute), write: write.map(absolute) }
  const app = JSON.stringify({ name, title, description, template, config, ...files })
  // `<` cannot occur in the JSON, so no text in it can end the element.
  const escaped = app.replaceAll('<', String.raw`\u003c`)
  const shown = typeof config['title'] === 'string' ? config['title'] : title
  return page
    .replace(SLOT, (_, start: string, end: string) => start + escaped + end)
    .replace(TITLE, () => markup`<title>${shown}</title>`.toString())
}

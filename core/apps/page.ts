/**
 * The page of a template with an app's settings in it, and what a page asks its host for.
 *
 * `test/worker/apps/app-resource.test.ts` has the cases.
 *
 * @module
 */

import type { AppCsp } from '../csp.ts'
import type { TemplateName } from './templates.ts'

export interface TemplateApp {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly template: TemplateName | null
  /** Settings of the template. */
  readonly config: Readonly<Record<string, unknown>>
  /** Paths and patterns of the files that it shows, each from the root. */
  readonly data: readonly string[]
  /** The same of the files that it may change. */
  readonly write: readonly string[]
}

/** What a page asks its host for (MCP Apps, `_meta.ui` of a resource). */
export interface PageNeeds {
  readonly csp: Partial<AppCsp>
  readonly permissions: readonly string[]
  readonly prefersBorder: boolean
  /** The dedicated origin that it asks for, if any. */
  readonly domain: string | null
}

/** Builds the `_meta` of a UI resource. */
export function uiMetaOf({ csp, permissions, prefersBorder, domain }: PageNeeds) {
  const wanted = Object.fromEntries(permissions.map((one) => [one, {}]))
  return { ui: { csp, permissions: wanted, prefersBorder, ...(domain !== null && { domain }) } }
}

/** The element of the page of templates that has the app's name, template and settings. */
const SLOT = /(<script type="application\/json" id="app">)[^<]*(<\/script>)/

const TITLE = /<title>[^<]*<\/title>/

/** Puts an app into the page of templates, and its title into the title of the document. */
export function fillPage(page: string, app: TemplateApp): string {
  // `<` cannot occur in the JSON, so no text in it can end the element.
  const escaped = JSON.stringify(app).replaceAll('<', String.raw`\u003c`)
  const { title: heading } = app.config
  const shown = typeof heading === 'string' ? heading : app.title
  return page
    .replace(SLOT, (_, start: string, end: string) => start + escaped + end)
    .replace(TITLE, () => `<title>${escapeText(shown)}</title>`)
}

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

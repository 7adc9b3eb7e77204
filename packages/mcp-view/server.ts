/**
 * `@edgewise/mcp-view/server`: helpers for servers whose tools have an app, in Node, Workers and every other runtime.
 *
 * All are pure functions that return plain data, for any MCP SDK. The Edgewise Worker makes the pages of its templates
 * and their metadata with the same code. `test/pages/packages/server-helpers.slow.test.ts` runs `packages/mcp-view/examples/server.ts`
 * in three hosts.
 *
 * @module
 */

import { fillPage, uiMetaOf } from '#core/apps/page.ts'
import { readTemplate, type TemplateName } from '#core/apps/templates.ts'
import { MAX_SOURCES, readCsp, type AppCsp } from '#core/csp.ts'
import { APP_MIME, APPS_EXTENSION, declaresApps } from '#core/wire.ts'

export type { AppCsp, TemplateName }
export { APP_MIME, APPS_EXTENSION }

/** The built page of all templates, put in by `scripts/packages.ts`. */
declare const TEMPLATES_PAGE: string

/** Most characters of {@link textFallback}. */
const MAX_TEXT = 40_000

/** What a page may reach beyond itself: origins such as `https://api.example`, or their hosts. */
export interface Domains {
  /** For `fetch`, `EventSource` and `WebSocket`. */
  readonly connect?: readonly string[]
  /** For scripts, styles, images, media and fonts. */
  readonly resources?: readonly string[]
  /** For frames in the page. */
  readonly frames?: readonly string[]
  /** For `<base>`. */
  readonly base?: readonly string[]
}

/** A UI resource. */
export interface UiResourceOptions {
  /** Begins with `ui://`. */
  readonly uri: string
  readonly name: string
  /** The page: one HTML document, such as that of {@link templatePage}. */
  readonly html: string
  readonly title?: string
  readonly description?: string
  readonly domains?: Domains
  readonly permissions?: readonly ('camera' | 'microphone' | 'geolocation' | 'clipboardWrite')[]
  /** By default true. */
  readonly prefersBorder?: boolean
  /** The dedicated origin that the page asks its host for. */
  readonly domain?: string
}

/** The settings of a template; `docs/app-templates.md` has those of each. */
export interface TemplateOptions {
  readonly template: TemplateName
  readonly config?: Readonly<Record<string, unknown>>
  /** The name of the app: letters, digits, `-` and `_`. */
  readonly name: string
  readonly title?: string
}

/**
 * Whether a client shows apps.
 *
 * @param capabilities The client's capabilities: of `initialize`, or of the request's
 *   `_meta["io.modelcontextprotocol/clientCapabilities"]`.
 */
export const showsApps = (capabilities: unknown): boolean => declaresApps(capabilities)

/**
 * Builds the content security policy of a page from what it may reach.
 *
 * @throws {TypeError} If a domain is not an origin or a host, or a list has more than 50 of them.
 */
export function cspFor(domains: Domains): AppCsp {
  const { connect, resources, frames, base } = domains
  for (const list of Object.values(domains))
    if (list !== undefined && (!Array.isArray(list) || list.length > MAX_SOURCES))
      throw new TypeError(`Not a list of at most ${MAX_SOURCES} domains`)
  const { csp, dropped } = readCsp({
    connectDomains: connect,
    resourceDomains: resources,
    frameDomains: frames,
    baseUriDomains: base,
  })
  if (dropped.length > 0) throw new TypeError(`Not an origin: ${dropped.join(', ')}`)
  return csp
}

/**
 * Builds the `_meta` of a tool whose result an app shows.
 *
 * @param visibility Who may call the tool; by default the model and the app.
 */
export const toolMeta = (
  resourceUri: string,
  visibility: readonly ('model' | 'app')[] = ['model', 'app'],
) => ({ ui: { resourceUri, visibility } })

/**
 * Builds a UI resource: its entry for `resources/list`, and its content for `resources/read`.
 *
 * @throws {TypeError} If the URI does not begin with `ui://`, or a domain is invalid.
 */
export function uiResource({ uri, name, html, title, description, ...needs }: UiResourceOptions) {
  if (!/^ui:\/\/./.test(uri)) throw new TypeError(`Not a ui:// address: ${uri}`)
  const { domains = {}, permissions = [], prefersBorder = true, domain = null } = needs
  const _meta = uiMetaOf({ csp: cspFor(domains), permissions, prefersBorder, domain })
  const texts = { ...(title !== undefined && { title }), ...(description && { description }) }
  return {
    listed: { uri, name, ...texts, mimeType: APP_MIME, _meta },
    content: { uri, mimeType: APP_MIME, text: html, _meta },
  }
}

/**
 * Builds a page from a template. It shows the structured content of the tool that it is linked to, and calls the tools
 * that its settings name.
 *
 * @throws {TypeError} If a setting is invalid; the message has the JSON pointer of each.
 */
export function templatePage({
  template,
  config = {},
  name,
  title = name,
}: TemplateOptions): string {
  const settings = readTemplate(template, config)
  if (!settings.ok)
    throw new TypeError(settings.error.map((one) => `${one.pointer}: ${one.message}`).join('; '))
  const app = { name, title, description: '', template, config, data: [], write: [] }
  return fillPage(TEMPLATES_PAGE, app)
}

/**
 * Returns the content blocks of a result for clients that show no app and for models that read only text: a text as it
 * is, anything else as JSON. A long one is cut, and says so.
 */
export function textFallback(value: unknown): [{ type: 'text'; text: string }] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const cut = text.slice(0, MAX_TEXT).toWellFormed()
  const left = text.length - cut.length
  return [{ type: 'text', text: left > 0 ? `${cut}\n[${left} more characters]` : text }]
}

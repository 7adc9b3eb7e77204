/**
 * The two views that this server brings: the review of a change and the file browser, as MCP Apps.
 *
 * They need no network and no permission, and say so. Their HTML is built from `views/` and comes
 * with the assets, so the Worker need not carry it.
 *
 * @module
 */

import { APP_MIME } from '#core/wire.ts'

/** Views by the name that stands in their address. */
export const VIEWS = {
  review: {
    title: 'Review',
    description: 'The difference that a change makes, with Apply and Undo',
  },
  files: { title: 'Files', description: 'The files of the workspace, with search and history' },
} as const

export type ViewName = keyof typeof VIEWS

export const viewUri = (name: ViewName) => `ui://edgewise/${name}`

/** Nothing may be loaded, framed or reached; and the host draws a border. */
const UI_META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    permissions: {},
    prefersBorder: true,
  },
}

const NAMES: readonly ViewName[] = ['review', 'files']

/** The views as `resources/list` shows them, tagged as applications of their own. */
export const LISTED_VIEWS = NAMES.map((name) => ({
  uri: viewUri(name),
  name,
  ...VIEWS[name],
  mimeType: APP_MIME,
  annotations: { audience: ['user' as const], type: 'application' },
  _meta: { ...UI_META, 'dev.edgewise/type': 'application' },
}))

/** Which view an address names, or null. */
export function viewNamed(uri: string): ViewName | null {
  return NAMES.find((name) => viewUri(name) === uri) ?? null
}

/** The pages, fetched once in the life of a Worker. */
export function createViews(assets: Fetcher) {
  const pages = new Map<ViewName, Promise<string>>()

  async function load(name: ViewName): Promise<string> {
    const answer = await assets.fetch(`https://assets/views/${name}.html`)
    if (!answer.ok) throw new Error(`The view ${name} was not built`)
    return answer.text()
  }

  /** A view as the content of a resource. */
  return async function read(name: ViewName) {
    const page = pages.get(name) ?? load(name)
    pages.set(name, page)
    page.catch(() => pages.delete(name))
    return { uri: viewUri(name), mimeType: APP_MIME, text: await page, _meta: UI_META }
  }
}

export type ReadView = ReturnType<typeof createViews>

/**
 * The views of this server, as MCP Apps: the review of a change, and the file browser.
 *
 * They declare that they need no network and no permission. Their HTML is built from `views/` and served from
 * the assets, so it is not part of the Worker's code.
 *
 * @module
 */

import { APP_MIME, TYPE_META } from '#core/wire.ts'

/** The views, by the name in their URI and of their folder in `views/`. The build takes its list from here. */
export const VIEWS = {
  review: {
    title: 'Review',
    description: 'The difference that a change makes, with Apply and Undo',
  },
  files: { title: 'Files', description: 'The files of the workspace, with search and history' },
} as const

/** The name of a view. */
export type ViewName = keyof typeof VIEWS

/** Returns the URI of a view. */
export const viewUri = (name: ViewName) => `ui://edgewise/${name}`

/** Permits no loading, framing or connection; the host draws the border. */
const UI_META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    permissions: {},
    prefersBorder: true,
  },
}

const isViewName = (name: string): name is ViewName => Object.hasOwn(VIEWS, name)

const NAMES: readonly ViewName[] = Object.keys(VIEWS).filter(isViewName)

/** The views as `resources/list` shows them, marked as applications. */
export const LISTED_VIEWS = NAMES.map((name) => ({
  uri: viewUri(name),
  name,
  ...VIEWS[name],
  mimeType: APP_MIME,
  annotations: { audience: ['user' as const], type: 'application' },
  _meta: { ...UI_META, [TYPE_META]: 'application' },
}))

/** Returns the view that a URI names, or null. */
export function viewNamed(uri: string): ViewName | null {
  return NAMES.find((name) => viewUri(name) === uri) ?? null
}

/** Loads the HTML of a page of `views/`, by its name. */
export type LoadPage = (name: string) => Promise<string>

/** Loads pages, each once in the life of an object: a release that replaces them ends the object as well. */
export function createPageLoader(assets: Fetcher): LoadPage {
  const pages = new Map<string, Promise<string>>()
  return (name) => {
    const page = pages.get(name) ?? loadPage(assets, name)
    pages.set(name, page)
    page.catch(() => pages.delete(name))
    return page
  }
}

/** @throws Error if the page was not built. */
async function loadPage(assets: Fetcher, name: string): Promise<string> {
  const answer = await assets.fetch(`https://assets/views/${name}.html`)
  if (!answer.ok)
    throw new Error(`Cannot load the view ${name}: it was not built. Run npm run build`)
  return answer.text()
}

/** Returns a view as the content of a resource. */
export const createViews = (load: LoadPage) => async (name: ViewName) => {
  return { uri: viewUri(name), mimeType: APP_MIME, text: await load(name), _meta: UI_META }
}

/** Reads one view. */
export type ReadView = ReturnType<typeof createViews>

/**
 * `/p/{link}/…`: serves the pages of a link, their pictures and downloads. It is loaded with the first request for one.
 *
 * A link that is unknown, has ended or was revoked, and a path that it does not show, have the same answer.
 * `test/worker/page-links/serve.test.ts` has the cases.
 *
 * @module
 */

import type { OwnerConfig } from '../access/owner-config.ts'
import { readType } from '../access/shown-type.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { notAllowed } from '../errors/respond.ts'
import { headersOf } from '../file-headers.ts'
import { isReading } from '../http.ts'
import { LINK_HEADER, PAGE_PATH, PREFIX_HEADER } from '../sessions/links.ts'
import type { FileEntry, Pins } from '../store/store.ts'
import { pathAt, type PageAddresses } from './addresses.ts'
import { filePage, PICTURE } from './file-page.ts'
import { folderPage } from './folder-page.ts'
import { notFoundPage, PRIVATE, waitPage } from './layout.ts'
import type { PageLinks } from './page-links.ts'
import { readPart } from './parts.ts'
import { openSource } from './source.ts'
import type { PageLink } from './table.ts'

export { notFoundPage } from './layout.ts'

/** The services of pages. */
export interface PageParts {
  readonly pageLinks: Pick<PageLinks, 'find' | 'countOpening' | 'wait'>
  readonly pins: Pins
  readonly config: Pick<OwnerConfig, 'current'>
  /** Opens the workspace as its owner sees it, without drafts. */
  readonly openWhole: () => CallerWorkspace
}

/** Serves a request for a page, a picture or a download. */
export async function servePage(request: Request, parts: PageParts): Promise<Response> {
  if (!isReading(request)) return notAllowed('GET, HEAD')
  const link = await parts.pageLinks.find(request.headers.get(LINK_HEADER) ?? '')
  if (!link) return notFoundPage()
  const seconds = parts.pageLinks.wait(link.id)
  if (seconds > 0) return waitPage(seconds)
  const response = (await answer(request, link, parts)) ?? notFoundPage()
  return request.method === 'HEAD' ? new Response(null, response) : response
}

async function answer(
  request: Request,
  link: PageLink,
  parts: PageParts,
): Promise<Response | null> {
  const { pathname, searchParams: query } = new URL(request.url)
  const path = pathAt(link, pathname.slice(PAGE_PATH.length))
  const { store } = parts.openWhole()
  const { pins, config, pageLinks } = parts
  const source = openSource(link, { store, pins, config: config.current })
  const entry = path && source.find(path)
  if (!entry) return null
  const isHead = request.method === 'HEAD'
  if (entry.type === 'file' && query.has('image')) return picture(entry, parts, isHead)
  if (entry.type === 'file' && query.has('download')) return download(entry, parts, isHead)
  const prefix = request.headers.get(PREFIX_HEADER) ?? ''
  const addresses: PageAddresses = { prefix, link, source }
  const part = readPart(query.get('part'))
  if (part === null) return null
  const made = { addresses, store, part }
  const page =
    entry.type === 'file'
      ? await filePage(entry, made)
      : await folderPage(entry, query.get('after'), made)
  if (page && !isHead) pageLinks.countOpening(link.id)
  return page
}

/** Serves a picture. One of vectors is never shown by itself: a browser saves it, or draws it in a page without its scripts. */
async function picture(
  file: FileEntry,
  parts: PageParts,
  isHead: boolean,
): Promise<Response | null> {
  const { store } = parts.openWhole()
  const type = await readType(store, file)
  if (!PICTURE.test(type)) return null
  const headers = privateHeaders(file, type)
  headers.set('content-type', type)
  // The page has no origin, so each site is another one to it.
  headers.set('cross-origin-resource-policy', 'cross-origin')
  return new Response(isHead ? null : await store.stream(file), { headers })
}

async function download(file: FileEntry, parts: PageParts, isHead: boolean): Promise<Response> {
  const { store } = parts.openWhole()
  const headers = privateHeaders(file, await readType(store, file))
  const disposition = headers.get('content-disposition') ?? ''
  headers.set('content-disposition', disposition.replace(/^inline/, 'attachment'))
  return new Response(isHead ? null : await store.stream(file), { headers })
}

/** The headers of `/files`, without those of parts and versions, which these routes do not have. */
function privateHeaders(file: FileEntry, type: string): Headers {
  const headers = headersOf(file, type)
  for (const name of ['accept-ranges', 'etag', 'last-modified']) headers.delete(name)
  for (const [name, value] of Object.entries(PRIVATE)) headers.set(name, value)
  headers.set('content-length', String(file.size))
  return headers
}

/**
 * The addresses on a page: of its own files, and what the links of a file become. A link of a file leads to a file that the
 * same page link shows, to a place on the page, or to another site; every other address is no link.
 *
 * `test/worker/page-links/render.test.ts` has the cases.
 *
 * @module
 */

import { isWithin, parentOf, relativeTo, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { decodePercent } from '#core/percent.ts'
import type { PageSource } from './source.ts'
import type { PageLink } from './table.ts'

/** What the addresses of a page are made from. */
export interface PageAddresses {
  /** The beginning of the path of all its pages, without a slash at the end. */
  readonly prefix: string
  readonly link: PageLink
  readonly source: PageSource
}

/** The path of the page of a file or folder. */
export function addressOf({ prefix, link }: PageAddresses, path: StorePath): string {
  const below = relativeTo(path, link.path)
  return `${prefix}/${below.split('/').map(encodeURIComponent).join('/')}`
}

/** The path that a request of a page names, which is never outside of what the link is of. */
export function pathAt({ path: root, kind }: PageLink, encoded: string): StorePath | null {
  // `..` ends at the top before the folder is put in front.
  const below = resolvePath(decodePercent(encoded) || '/')
  if (!below.ok) return null
  if (below.value === ROOT) return root
  if (kind === 'file') return null
  const path = root === ROOT ? below : resolvePath(root + below.value)
  return path.ok ? path.value : null
}

/** What an address in a file leads to. */
export type Target =
  /** A file of the page link, with what follows its path. */
  | { readonly type: 'file'; readonly path: StorePath; readonly fragment: string }
  | { readonly type: 'site'; readonly href: string }
  | { readonly type: 'place'; readonly href: string }

/** Maximum number of characters of an address to another site. */
const MAX_ADDRESS = 2_000

/** Finds out where an address in the file `from` leads; null if it is no link here. */
export function resolveAddress(
  { link, source }: PageAddresses,
  from: StorePath,
  address: string,
): Target | null {
  if (address.startsWith('#'))
    return { type: 'place', href: `#${encodeURIComponent(address.slice(1))}` }
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(address)) return siteOf(address)
  const [, text = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/.exec(address) ?? []
  const path = text === '' ? null : findShown({ link, source }, from, decodePercent(text))
  return (
    path && {
      type: 'file',
      path,
      fragment: fragment && `#${encodeURIComponent(fragment.slice(1))}`,
    }
  )
}

/** An absolute path counts from the workspace, or else from the folder that is shown. */
function findShown(
  { link, source }: Pick<PageAddresses, 'link' | 'source'>,
  from: StorePath,
  text: string,
): StorePath | null {
  const named = resolvePath(text, parentOf(from))
  if (!named.ok) return null
  if (isWithin(named.value, link.path)) return source.isShown(named.value) ? named.value : null
  if (!text.startsWith('/')) return null
  const below = pathAt(link, text)
  return below && source.isShown(below) ? below : null
}

function siteOf(address: string): Target | null {
  if (address.length > MAX_ADDRESS) return null
  const url = URL.parse(address.startsWith('//') ? `https:${address}` : address)
  if (!url || url.username !== '' || url.password !== '') return null
  return ['https:', 'http:', 'mailto:'].includes(url.protocol)
    ? { type: 'site', href: url.href }
    : null
}

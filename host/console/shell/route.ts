/**
 * The route: the open page as the hash of the address, so that every page, tool and change has a
 * link. Only this module reads and writes the hash.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { decodePercent } from '#core/percent.ts'

/** A parsed route. */
export interface Route {
  /** Decoded segments of the path; empty for the overview. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** Longest hash that is parsed. */
const MAX_LENGTH = 20_000

/** Parses a hash. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.slice(0, MAX_LENGTH).replace(/^#\/?/, '').split('?', 2)
  const segments = path.split('/').filter((segment) => segment !== '')
  return {
    path: segments.map(decodePercent),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** Builds the hash of a page; empty query values are left out. */
export function linkTo(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  const search = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search && `?${search}`}`
}

/** The current route. */
export const route = signal<Route>(parseRoute(location.hash))

addEventListener('hashchange', () => (route.value = parseRoute(location.hash)))

/** Navigates to a page. */
export function go(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): void {
  location.hash = linkTo(path, query)
}

/** Replaces the query of the current page, without a new history entry. */
export function setQuery(query: Readonly<Record<string, string | undefined>>): void {
  history.replaceState(history.state, '', linkTo(route.value.path, query))
  route.value = parseRoute(location.hash)
}

/**
 * The route: which page is open, as the hash of the address, so that every page, tool and change has
 * a link that can be kept and sent. A hash is read here and written here and nowhere else.
 *
 * @module
 */

import { signal } from '@preact/signals'

export interface Route {
  /** The segments of the path, decoded; none is the overview. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** The longest hash that is read. */
const MAX_LENGTH = 20_000

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.slice(0, MAX_LENGTH).replace(/^#\/?/, '').split('?', 2)
  const segments = path.split('/').filter((segment) => segment !== '')
  return {
    path: segments.map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** The address of a page. */
export function linkTo(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  const search = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search && `?${search}`}`
}

export const route = signal<Route>(readRoute(location.hash))

addEventListener('hashchange', () => (route.value = readRoute(location.hash)))

export function go(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): void {
  location.hash = linkTo(path, query)
}

/** Writes another query under the same page, without a step in the history. */
export function setQuery(query: Readonly<Record<string, string | undefined>>): void {
  history.replaceState(history.state, '', linkTo(route.value.path, query))
  route.value = readRoute(location.hash)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

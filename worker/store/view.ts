/**
 * A view of the store in which what is denied does not exist: it is neither found, listed, counted
 * nor hinted at, because nothing that reads through the view can tell it from what is not there.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Search } from '../search/search.ts'
import type { Entry, Store, WalkOptions } from './store.ts'

/** Whether an entry is there for whoever looks. */
export type Shows = (path: StorePath) => boolean

export function viewOfStore(store: Store, shows: Shows): Store {
  const isShown = (entry: Entry) => shows(entry.path)

  function* walk(folder: StorePath, options?: WalkOptions): Iterable<Entry> {
    for (const entry of store.walk(folder, options)) if (isShown(entry)) yield entry
  }

  function list(
    folder: StorePath,
    { limit, after }: { limit: number; after?: StorePath },
  ): Entry[] {
    const shown: Entry[] = []
    let from = after
    while (shown.length < limit) {
      const page = store.list(folder, { limit, ...(from && { after: from }) })
      shown.push(...page.filter(isShown))
      from = page.at(-1)?.path
      if (page.length < limit) break
    }
    return shown.slice(0, limit)
  }

  function stat(path: StorePath): Entry | null {
    const entry = store.stat(path)
    return entry && isShown(entry) ? entry : null
  }

  return {
    ...store,
    get totals() {
      return store.totals
    },
    stat,
    walk,
    list,
    versionOf: (path) => (stat(path) ? store.versionOf(path) : 0),
  }
}

export function viewOfSearch(search: Search, shows: Shows): Search {
  return {
    ...search,
    candidates: (folder, query) =>
      search.candidates(folder, query).filter((file) => shows(file.path)),
  }
}

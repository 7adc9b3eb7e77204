/** Opens workspaces over a store without a whole object: the opener, with real drafts. @module */

import { freeCaller } from '#worker/sessions/caller.ts'
import { DEFAULT_CONFIG, type Config } from '#core/config.ts'
import { createOpener, type OpenFor } from '#worker/access/workspace.ts'
import { createDrafts, type Drafts } from '#worker/drafts/drafts.ts'
import type { WorkspaceSearch } from '#worker/search/search.ts'
import type { SqliteStore } from '#worker/store/sqlite.ts'
import { TOOLS } from '#worker/tools/index.ts'

/** The opener of a store, and its drafts. */
export interface TestOpener {
  readonly openFor: OpenFor
  readonly drafts: Drafts
}

/** Creates an opener whose rules are those of `config`, also for the owners of drafts. */
export function createTestOpener(
  sql: SqlStorage,
  store: SqliteStore,
  search: WorkspaceSearch,
  config: Config = DEFAULT_CONFIG,
): TestOpener {
  const changed = () => {}
  const drafts = createDrafts({
    ...{ sql, store, search, tools: TOOLS, changed },
    accessOf: () => freeCaller('test', config).access,
    accessOfCall: () => freeCaller('test', config).access,
    decided: () => {},
    isPasskeyMissing: () => false,
    notified: () => {},
    proposed: () => {},
  })
  const openFor = createOpener({ store, search, drafts, changed, isCurrent: () => true })
  return { openFor, drafts }
}

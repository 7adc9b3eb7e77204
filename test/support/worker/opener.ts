/** Opens workspaces over a store without a whole object: the opener, with real drafts. @module */

import { callerWithoutSession } from '#worker/access/caller.ts'
import { DEFAULT_CONFIG, type Config } from '#core/config.ts'
import { createOpener, type OpenFor } from '#worker/access/workspace.ts'
import type { ConnectionsParts } from '#worker/drafts/connections.ts'
import type { OpenTrusts } from '#worker/access/trust.ts'
import { createDrafts, type Drafts, type DraftsParts } from '#worker/drafts/drafts.ts'
import type { WorkspaceSearch } from '#worker/search/search.ts'
import type { SqliteStore } from '#worker/store/open/sqlite.ts'
import type { Tool } from '#worker/tools/lib/tool.ts'
import { TOOLS } from '#worker/tools/index.ts'

/** The opener of a store, and its drafts. */
export interface TestOpener {
  readonly openFor: OpenFor
  readonly drafts: Drafts
}

/** What drafts work with besides the files; by default nothing. */
export interface Beside extends Partial<Pick<DraftsParts, 'settle' | 'moved'>> {
  readonly trusts?: OpenTrusts
}

/** What drafts are created from in a test, with the rules of `config` for their owners. */
export interface DraftParts {
  readonly sql: SqlStorage
  readonly store: SqliteStore
  readonly search: WorkspaceSearch
  readonly tools?: ReadonlyMap<string, Tool>
  readonly config?: Config
  /** What is known of connections; by default, that each is alive and was never heard. */
  readonly connections?: ConnectionsParts
  readonly beside?: Beside
}

const UNHEARD: ConnectionsParts = {
  sessions: { lastSeen: () => 0, see: () => {}, list: () => ({ sessions: [], left: 0 }) },
  hasStream: () => true,
}

/** Creates the drafts of a store, without listeners. */
export function createTestDrafts(parts: DraftParts): Drafts {
  const { sql, store, search, tools = TOOLS, config = DEFAULT_CONFIG } = parts
  const { connections = UNHEARD, beside: { settle = () => {}, moved = () => {} } = {} } = parts
  const { access } = callerWithoutSession('test', config)
  return createDrafts({
    ...{ sql, store, search, tools, ...connections },
    accessOf: () => access,
    accessOfCall: () => access,
    changed: () => {},
    ...{ settle, moved },
    decided: () => {},
    isPasskeyMissing: () => false,
    notified: () => {},
    seen: () => {},
    proposed: () => {},
  })
}

/** Creates an opener whose rules are those of `config`, also for the owners of drafts. */
export function createTestOpener(
  sql: SqlStorage,
  store: SqliteStore,
  search: WorkspaceSearch,
  config: Config = DEFAULT_CONFIG,
  connections: ConnectionsParts = UNHEARD,
  beside: Beside = {},
): TestOpener {
  const changed = () => {}
  const drafts = createTestDrafts({ sql, store, search, config, connections, beside })
  const openFor = createOpener({
    ...{ store, search, drafts, changed },
    trusts: beside.trusts ?? { passing: () => null },
    isCurrent: () => true,
  })
  return { openFor, drafts }
}

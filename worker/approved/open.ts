/** What the kinds of approved folders are opened on, which is the same for all. @module */

import { ownerAccess, type Access } from '../access/access.ts'
import { budgetOfSession } from '../access/caller.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Totals } from '../store/store.ts'
import type { ApprovedParts } from './approved.ts'

/** The parts of a workspace that approved folders use. */
export interface ApprovedSources {
  readonly sql: SqlStorage
  readonly store: { readonly totals: Totals }
  readonly config: Pick<OwnerConfig, 'current'>
  readonly sessions: Pick<Sessions, 'find'>
  /** Opens the files of the workspace with the access of its owner. */
  readonly openFiles: (access: Access) => ReadStore
}

/** Returns the services of approved folders. */
export function approvedParts({
  sql,
  store,
  config,
  sessions,
  openFiles,
}: ApprovedSources): Omit<ApprovedParts, 'has' | 'changed'> {
  return {
    sql,
    files: () => openFiles(ownerAccess(config.current)),
    version: () => store.totals.version,
    budgetOf: ({ principal, session: id }) => {
      const session = id === null ? null : sessions.find(id)
      return session ? budgetOfSession(session) : principal
    },
  }
}

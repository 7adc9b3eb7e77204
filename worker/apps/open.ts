/** Opens the apps of a workspace: the decisions on them, their tools and their pages. @module */

import { ownerAccess, type Access } from '../access/access.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { ToolSet } from '../call/context.ts'
import { viewNamed, type LoadPage } from '../views.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import { budgetOfSession } from '../access/caller.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Present } from '../store/open/opening.ts'
import type { Totals } from '../store/store.ts'
import { TOOLS } from '../tools/index.ts'
import { createApps, type Apps, type AppsParts } from './apps.ts'
import { appUri } from './page.ts'
import { createAppPages, type AppPages } from './pages.ts'
import { withAppTools } from './tools.ts'

/** The parts of a workspace that apps use. */
export interface AppSources {
  readonly sql: SqlStorage
  readonly has: Pick<Present, 'apps'>
  readonly store: { readonly totals: Totals }
  readonly config: Pick<OwnerConfig, 'current'>
  readonly sessions: Pick<Sessions, 'find'>
  /** Opens the files of the workspace with the access of its owner. */
  readonly openFiles: (access: Access) => ReadStore
  readonly changed: AppsParts['changed']
  /** Loads a page of `views/`. */
  readonly load: LoadPage
  /** The name of the workspace. */
  readonly workspace: string
}

/** The apps of a workspace, and what they add to its MCP server. */
export interface OpenApps {
  readonly apps: Apps
  /** The tools of the product and those of apps. */
  readonly tools: ToolSet
  readonly pages: AppPages
}

/** Opens the apps of a workspace. */
export function openApps(sources: AppSources): OpenApps {
  const { sql, has, store, config, sessions, openFiles, changed, load, workspace } = sources
  const files = () => openFiles(ownerAccess(config.current))
  const isTaken = (name: string) => viewNamed(appUri(workspace, name)) !== null
  const apps = createApps({
    sql,
    has,
    files,
    isTaken,
    changed,
    version: () => store.totals.version,
    budgetOf: ({ principal, session: id }) => {
      const session = id === null ? null : sessions.find(id)
      return session ? budgetOfSession(session) : principal
    },
  })
  const readTemplates = () => load('templates')
  return {
    apps,
    tools: withAppTools(TOOLS, apps, workspace),
    pages: createAppPages({ apps, workspace, readTemplates }),
  }
}

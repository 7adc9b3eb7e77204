/** Opens the apps of a workspace: the decisions on them, their tools and their pages. @module */

import { approvedParts, type ApprovedSources } from '../approved/open.ts'
import type { ToolSet } from '../call/context.ts'
import { viewNamed, type LoadPage } from '../views.ts'
import type { Present } from '../store/open/opening.ts'
import { importFile } from '../tools/import-file.ts'
import { TOOLS } from '../tools/index.ts'
import { createApps, type Apps, type AppsParts } from './apps.ts'
import { appUri } from './page.ts'
import { createAppPages, type AppPages } from './pages.ts'
import { withAppTools } from './tools.ts'

/** The parts of a workspace that apps use. */
export interface AppSources extends ApprovedSources {
  readonly has: Pick<Present, 'apps'>
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

/** Adds what imports a file to the tools of the product, where the owner has listed a host. */
function withImports(config: AppSources['config']) {
  const offered = () => (config.current.import_hosts.length > 0 ? [importFile] : [])
  return {
    get: (name: string) => TOOLS.get(name) ?? offered().find((tool) => tool.name === name),
    values: () => [...TOOLS.values(), ...offered()].values(),
  }
}

/** Opens the apps of a workspace. */
export function openApps(sources: AppSources): OpenApps {
  const { config, has, changed, load, workspace } = sources
  const isTaken = (name: string) => viewNamed(appUri(workspace, name)) !== null
  const apps = createApps({ ...approvedParts(sources), has, isTaken, changed })
  const readTemplates = () => load('templates')
  return {
    apps,
    tools: withAppTools(withImports(config), apps, workspace),
    pages: createAppPages({ apps, workspace, readTemplates }),
  }
}

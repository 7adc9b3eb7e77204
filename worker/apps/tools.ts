/**
 * The tools of a workspace: those of the product, and one for each app that is served.
 *
 * @module
 */

import type { ToolSet } from '../call/context.ts'
import type { ReadTool, Tool } from '../tools/lib/tool.ts'
import { appOfTool, createAppTool } from './app-tool.ts'
import type { Apps, ServedApp } from './apps.ts'
import type { Manifest } from './manifest.ts'
import { appUri } from './page.ts'

/** Adds the tools of apps to `tools`, which win where two have the same name. */
export function withAppTools(
  tools: ReadonlyMap<string, Tool>,
  apps: Pick<Apps, 'served' | 'find'>,
  workspace: string,
): ToolSet {
  // An app keeps its manifest until the next decision on it, and its tool keeps its description.
  const made = new WeakMap<Manifest, ReadTool>()
  const toolOf = (app: ServedApp) => {
    const tool = made.get(app.manifest) ?? createAppTool(app, appUri(workspace, app.name))
    made.set(app.manifest, tool)
    return tool
  }
  return {
    get(name) {
      const own = tools.get(name)
      const app = own ? null : appOfTool(name)
      const served = app === null ? null : apps.find(app)
      return own ?? (served ? toolOf(served) : undefined)
    },
    values: () => [...tools.values(), ...apps.served().map(toolOf)],
  }
}

/**
 * The tools of a workspace: those of the product, and two for each app that is served. An app for a tool of the product
 * has none: it is the view of that tool.
 *
 * `test/worker/apps/app-tool.test.ts` and `test/worker/apps/tool-view.test.ts` have the cases.
 *
 * @module
 */

import type { ToolSet } from '../call/context.ts'
import type { ReadTool, Tool } from '../tools/lib/tool.ts'
import { appOfPartTool, appOfTool, createAppTool, createPartTool } from './app-tool.ts'
import type { Apps, ServedApp } from './apps.ts'
import type { Manifest } from './manifest.ts'
import { folderOf, namesOfSuffix } from './place.ts'
import { appUri } from './page.ts'

/** Adds the tools of apps to `tools`, which win where two have the same name. */
export function withAppTools(
  tools: Pick<ReadonlyMap<string, Tool>, 'get' | 'values'>,
  apps: Pick<Apps, 'served' | 'views' | 'find'>,
  workspace: string,
): ToolSet {
  // An app keeps its manifest until the next decision on it, and its tools keep their descriptions.
  const made = new WeakMap<Manifest, AppTools>()
  const toolsOf = (app: ServedApp): AppTools => {
    const both = made.get(app.manifest) ?? {
      open: createAppTool(app, appUri(workspace, app.name)),
      part: createPartTool(app),
    }
    made.set(app.manifest, both)
    return both
  }
  const find = (suffix: string | null, kind: keyof AppTools) => {
    const names = suffix === null ? [] : namesOfSuffix(suffix)
    const served = names.map(apps.find).find((app) => app && hasTools(app))
    return served ? toolsOf(served)[kind] : undefined
  }
  const listed = () =>
    apps
      .served()
      .filter(hasTools)
      .flatMap((app) => Object.values(toolsOf(app)))
  return {
    get: (name) =>
      tools.get(name) ?? find(appOfTool(name), 'open') ?? find(appOfPartTool(name), 'part'),
    // Of two tools with one name the last is listed: that of `ui_x` comes after that of `ui/x`.
    values: () => [
      ...tools.values(),
      ...new Map(listed().map((tool) => [tool.name, tool])).values(),
    ],
    // Of several apps for one tool the last is taken, which was approved last.
    views: (access) =>
      new Map(
        apps.views().flatMap(({ name, manifest: { forTool } }) => {
          const isSeen = forTool !== null && access.canRead(folderOf(name))
          return isSeen ? [[forTool, appUri(workspace, name)]] : []
        }),
      ),
  }
}

const hasTools = ({ manifest }: ServedApp) => manifest.forTool === null

interface AppTools {
  readonly open: ReadTool
  readonly part: ReadTool
}

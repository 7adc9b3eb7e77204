/**
 * The JSON Schemas that the server publishes, read from what the build has written when they are first needed.
 *
 * `test/worker/mcp/schemas.test.ts` tests them.
 *
 * @module
 */

import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { Tool } from '../tools/lib/tool.ts'
import { writeManifestSchema, writeToolSchemas } from './static-schemas.ts'

type ToolSchemas = Pick<ListedTool, 'inputSchema' | 'outputSchema'>

/** As `writeToolSchemas` writes them. */
interface Written {
  readonly tools: Readonly<Record<string, ToolSchemas>>
  readonly research: Readonly<Record<string, ToolSchemas>>
  readonly app: ToolSchemas
  readonly part: ToolSchemas
}

let written: Written | undefined

/** Returns the schemas of the arguments and the result of a tool. */
export function schemasOf({
  name,
  app,
  appOnly,
  exactResult,
}: Pick<Tool, 'name' | 'app' | 'appOnly' | 'exactResult'>): ToolSchemas {
  const { tools, research, ...ofApps } = (written ??= JSON.parse(writeToolSchemas()))
  if (app) return appOnly ? ofApps.part : ofApps.app
  const schemas = (exactResult ? research : tools)[name]
  if (!schemas) throw new Error(`No schemas of ${name}`)
  return schemas
}

/** Returns the JSON Schema of `app.json`. */
export const manifestSchema = (): unknown => JSON.parse(writeManifestSchema())

/**
 * JSON Schemas that are the same for every workspace, as JSON: of the arguments and results of all tools, and of the
 * manifest of an app.
 *
 * Converting the schemas takes milliseconds, and what converts them is large. So the build writes them once, puts them
 * in place of this module, and leaves the converter out (`scripts/bundle-plugins.ts`).
 * `test/worker/mcp/schemas.test.ts` compares them with the schemas that check a call.
 *
 * @module
 */

import * as z from 'zod/mini'
import { APP_SCHEMAS, PART_SCHEMAS } from '../apps/app-tool.ts'
import { AppJson } from '../apps/manifest.ts'
import { RESEARCH_TOOLS } from '../research/index.ts'
import { importFile } from '../tools/import-file.ts'
import { TOOLS } from '../tools/index.ts'
import type { Tool } from '../tools/lib/tool.ts'

type Schemas = Pick<Tool, 'input' | 'output' | 'appOnly' | 'exactResult'>

/** Writes the schemas of the tools of a workspace by their names, and those of the tools of apps. */
export const writeToolSchemas = (): string => {
  const convertAll = (tools: Iterable<Tool>) =>
    Object.fromEntries(Array.from(tools, (tool) => [tool.name, convert(tool)]))
  return JSON.stringify({
    tools: convertAll([...TOOLS.values(), importFile]),
    research: convertAll(RESEARCH_TOOLS.values()),
    app: convert(APP_SCHEMAS),
    part: convert({ ...PART_SCHEMAS, appOnly: true }),
  })
}

/** Writes the schema of `app.json`. */
export const writeManifestSchema = (): string =>
  JSON.stringify({ title: 'An app from files', ...z.toJSONSchema(AppJson, { io: 'input' }) })

const convert = ({ input, output, appOnly, exactResult }: Schemas) => ({
  inputSchema: schemaOf(input(), 'input'),
  ...(output && { outputSchema: outputOf(output(), appOnly === true || exactResult === true) }),
})

/**
 * Adds what a call adds to the result of every tool that a model calls (`tools/lib/tool-result.ts` and `shown-use.ts`).
 */
function outputOf(output: z.ZodMiniType, isExact: boolean) {
  const schema = schemaOf(output, 'output')
  const added = { news: NEWS, in_use: IN_USE }
  return isExact ? schema : { ...schema, properties: { ...schema.properties, ...added } }
}

const NEWS = {
  type: 'array',
  items: { type: 'string' },
  description: 'What the owner decided since the last result',
}

const IN_USE = { type: 'object', description: 'Leases and drafts of others on these paths' }

/** The dialect is the protocol's default, and some clients cannot resolve the URL of a meta-schema. */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}

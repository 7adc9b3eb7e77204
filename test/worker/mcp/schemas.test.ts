/** The schemas that are published are those that check a call. `test/e2e/tool-list.test.ts` has those of the build. */

import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createAppTool, createPartTool } from '#worker/apps/app-tool.ts'
import { AppJson, readManifest } from '#worker/apps/manifest.ts'
import { manifestSchema, schemasOf } from '#worker/mcp/schemas.ts'
import { TOOLS } from '#worker/tools/index.ts'

const read = readManifest('{ "data": ["notes.md"] }', 'notes')
if (!read.ok) throw new Error(JSON.stringify(read.error))
const app = { name: 'notes', manifest: read.value }

const written = (schema: z.ZodMiniType, io: 'input' | 'output'): unknown =>
  JSON.parse(JSON.stringify({ ...z.toJSONSchema(schema, { io }), $schema: undefined }))

const tools = [...TOOLS.values(), createAppTool(app, 'ui://notes/app'), createPartTool(app)]

it.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  const { inputSchema, outputSchema } = schemasOf(tool)
  expect(inputSchema).toEqual(written(tool.input(), 'input'))
  const { news, in_use: uses, ...properties } = Object(outputSchema?.['properties'])
  expect(outputSchema && { ...outputSchema, properties }).toEqual(
    tool.output && written(tool.output(), 'output'),
  )
  // What a call adds to results that a model reads.
  const list = { type: 'array', items: { type: 'string' }, description: expect.any(String) }
  const isAdded = tool.output && !tool.appOnly
  expect(news).toEqual(isAdded ? list : undefined)
  const data = { type: 'object', description: expect.any(String) }
  expect(uses).toEqual(isAdded ? data : undefined)
})

it.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s has one type for each value, as clients of other dialects need it',
  (_name, tool) => {
    // Found by the Inspector with --strict.
    expect(JSON.stringify(schemasOf(tool))).not.toMatch(/"type":\[/)
  },
)

it('a tool without schemas is a fault', () => {
  expect(() => schemasOf({ name: 'none' })).toThrow('none')
})

it('app.json', () => {
  expect(manifestSchema()).toEqual({
    ...{ title: 'An app from files', $schema: 'https://json-schema.org/draft/2020-12/schema' },
    ...Object(written(AppJson, 'input')),
  })
})

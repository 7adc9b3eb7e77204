/**
 * The types of `@edgewise/webmcp` beside those of `webmcp-types`, which declares `document.modelContext` itself.
 *
 * `tsc -b` is the test, as of `../webmcp.test-d.ts`, in a program of its own: both packages declare that property.
 *
 * @module
 */

import {
  call,
  effectivePolicy,
  type GetToolsOptions,
  type ExecuteToolOptions,
  type ModelContextTool,
  type PageModelContext,
  type PageTool,
  type PageToolAnnotations,
  type RegisterToolOptions,
} from '@edgewise/webmcp'
import { expectTypeOf } from 'vitest'
import type { WebMCP } from 'webmcp-types'

/** Tools and options are assignable both ways. */
export function agree(): void {
  expectTypeOf<ModelContextTool>().toExtend<WebMCP.ModelContextTool>()
  expectTypeOf<WebMCP.ModelContextTool>().toExtend<ModelContextTool>()
  expectTypeOf<PageTool>().toExtend<WebMCP.ModelContextTool>()
  expectTypeOf<WebMCP.ModelContextTool>().toExtend<PageTool>()
  expectTypeOf<PageToolAnnotations>().toExtend<WebMCP.ToolAnnotations>()
  expectTypeOf<WebMCP.ToolAnnotations>().toExtend<PageToolAnnotations>()
  expectTypeOf<RegisterToolOptions>().toExtend<WebMCP.ModelContextRegisterToolOptions>()
  expectTypeOf<WebMCP.ModelContextRegisterToolOptions>().toExtend<RegisterToolOptions>()
  expectTypeOf<GetToolsOptions>().toEqualTypeOf<WebMCP.ModelContextGetToolOptions>()
  expectTypeOf<ExecuteToolOptions>().toEqualTypeOf<WebMCP.ModelContextExecuteToolOptions>()
}

/** A tool whose input the official types infer from its schema is registered as it is. */
export async function registers(context: PageModelContext): Promise<void> {
  const inputSchema = { type: 'object', properties: { amount: { type: 'number' } } } as const
  const tool: WebMCP.ModelContextToolFromSchema<typeof inputSchema> = {
    name: 'pay',
    description: 'Pays.',
    inputSchema,
    execute: ({ amount }) => expectTypeOf(amount).toEqualTypeOf<number | undefined>(),
  }
  await context.registerTool(tool)
  await document.modelContext?.registerTool(tool)
}

/** A page with the official types calls what it lists. */
export async function calls(): Promise<void> {
  const [tool] = (await document.modelContext?.getTools()) ?? []
  if (!tool) return
  expectTypeOf(await call(tool, {})).toBeUnknown()
  expectTypeOf(effectivePolicy(tool)).toBeString()
}

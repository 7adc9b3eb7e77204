import { expectTypeOf, it } from 'vitest'
import type { WebMCP } from 'webmcp-types'
import type * as ours from '../../polyfill/types.ts'

it('agrees with webmcp-types both ways', () => {
  expectTypeOf<ours.ToolAnnotations>().toExtend<WebMCP.ToolAnnotations>()
  expectTypeOf<WebMCP.ToolAnnotations>().toExtend<ours.ToolAnnotations>()
  expectTypeOf<ours.ModelContextTool>().toExtend<WebMCP.ModelContextTool>()
  expectTypeOf<WebMCP.ModelContextTool>().toExtend<ours.ModelContextTool>()
  expectTypeOf<ours.RegisteredTool>().toExtend<WebMCP.RegisteredTool>()
  expectTypeOf<WebMCP.RegisteredTool>().toExtend<ours.RegisteredTool>()
  expectTypeOf<ours.RegisterToolOptions>().toExtend<WebMCP.ModelContextRegisterToolOptions>()
  expectTypeOf<WebMCP.ModelContextRegisterToolOptions>().toExtend<ours.RegisterToolOptions>()
  expectTypeOf<WebMCP.ToolExecuteCallback>().toExtend<ours.ToolExecuteCallback>()
})

it('accepts official tools with inferred input', () => {
  type Register = ours.ModelContext['registerTool']
  expectTypeOf<Parameters<Register>[0]>().toExtend<WebMCP.ModelContextTool>()
  expectTypeOf<WebMCP.ModelContext['executeTool']>().toExtend<ours.ModelContext['executeTool']>()
})

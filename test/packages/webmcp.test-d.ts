/**
 * The types of `@edgewise/webmcp`, as a page in TypeScript meets them: what they infer, and what they refuse.
 *
 * `tsc -b` is the test, also in `npm test`: an `@ts-expect-error` without an error below it is an error. Nothing runs.
 *
 * @module
 */

import {
  apply,
  call,
  connect,
  effectivePolicy,
  list,
  renderIntent,
  setApprover,
  watch,
  type ApprovalLevel,
  type PageTool,
  type ToolDescription,
  type ToolEvent,
} from '@edgewise/webmcp'
import { apply as applyCore, isSupported } from '@edgewise/webmcp/core'
import { formTools } from '@edgewise/webmcp/forms'
import type {} from '@edgewise/webmcp/globals'
import { expectTypeOf } from 'vitest'

const { modelContext } = document
const least = { name: 'pay', description: 'Pays.' }

/** The input of a tool is inferred, or given. */
export async function registers(): Promise<void> {
  await modelContext.registerTool({
    ...least,
    execute: (input, { signal, preview }) => {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(preview).toBeUnknown()
    },
  })
  await modelContext.registerTool({
    ...least,
    execute: ({ amount }: { amount: number }) => amount,
    preview: ({ amount }) => expectTypeOf(amount).toBeNumber(),
  })
  await modelContext.registerTool<{ amount: number }>(
    { ...least, execute: ({ amount }) => expectTypeOf(amount).toBeNumber() },
    { signal: AbortSignal.abort(), exposedTo: ['https://shop.example'] },
  )
  const tool: PageTool<{ id?: string }> = { ...least, execute: ({ id }) => id?.length }
  expectTypeOf(modelContext.registerTool(tool)).resolves.toBeVoid()
}

/** What `registerTool()` refuses. */
export function refusesTools(): unknown[] {
  const execute = () => 1
  return [
    // @ts-expect-error: no description
    modelContext.registerTool({ name: 'a', execute }),
    // @ts-expect-error: no name
    modelContext.registerTool({ description: 'a', execute }),
    // @ts-expect-error: no function
    modelContext.registerTool(least),
    // @ts-expect-error: an unknown level
    modelContext.registerTool({ ...least, execute, annotations: { humanInTheLoopHint: 'ask' } }),
    // @ts-expect-error: no boolean
    modelContext.registerTool({ ...least, execute, annotations: { readOnlyHint: 'yes' } }),
    // @ts-expect-error: a hint of MCP, which WebMCP does not have
    modelContext.registerTool({ ...least, execute, annotations: { destructiveHint: true } }),
    // @ts-expect-error: no sentence
    modelContext.registerTool({ ...least, execute, annotations: { intentTemplate: 1 } }),
    // @ts-expect-error: a schema as text, which old browsers listed and none takes
    modelContext.registerTool({ ...least, execute, inputSchema: '{}' }),
    // @ts-expect-error: a preview of another input
    modelContext.registerTool<{ a: 1 }>({ ...least, execute, preview: ({ b }: { b: 2 }) => b }),
    // @ts-expect-error: no list
    modelContext.registerTool({ ...least, execute }, { exposedTo: 'https://a.example' }),
    // @ts-expect-error: the controller instead of its signal
    modelContext.registerTool({ ...least, execute }, { signal: new AbortController() }),
  ]
}

/** Lists and calls tools. */
export async function calls(): Promise<void> {
  const [tool] = await modelContext.getTools({ fromOrigins: ['https://shop.example'] })
  if (!tool) return
  expectTypeOf(tool.name).toBeString()
  expectTypeOf(tool.origin).toBeString()
  expectTypeOf(await modelContext.executeTool(tool, { a: 1 })).toEqualTypeOf<string | null>()
  expectTypeOf(await call(tool, { a: 1 }, { timeout: 1000 })).toBeUnknown()
  expectTypeOf(effectivePolicy(tool, 'review')).toEqualTypeOf<ApprovalLevel>()
  expectTypeOf(tool.source).toEqualTypeOf<Window>()
  expectTypeOf(tool.outputSchema).toEqualTypeOf<object | null>()
  // @ts-expect-error: a tool of a list is not written to
  tool.name = 'other'
  for (const described of await list({ debugging: true })) {
    expectTypeOf(described).toEqualTypeOf<ToolDescription>()
    expectTypeOf(await call(described)).toBeUnknown()
    expectTypeOf(effectivePolicy(described)).toEqualTypeOf<ApprovalLevel>()
  }
  watch((tools) => expectTypeOf(tools).toEqualTypeOf<ToolDescription[]>())()
  // @ts-expect-error: a name instead of a tool
  await modelContext.executeTool('pay', {})
  // @ts-expect-error: input as text
  await call(tool, '{}')
  // @ts-expect-error: no list
  await list({ fromOrigins: 'https://shop.example' })
}

/** Events have their types by name. */
export function listens(): void {
  modelContext.addEventListener('toolactivated', ({ toolName }) => {
    expectTypeOf(toolName).toBeString()
  })
  modelContext.ontoolcancel = (event) => expectTypeOf(event).toEqualTypeOf<ToolEvent>()
  // @ts-expect-error: no event of the context
  modelContext.ontoolstart = () => {}
}

/** Options of the page. */
export async function configures(): Promise<void> {
  expectTypeOf(apply({ policy: 'review', rememberDays: 0, results: 'spec' })).returns.toBeVoid()
  expectTypeOf(isSupported()).toBeBoolean()
  applyCore({ additions: [formTools()] })
  const connection = await connect({ url: '/mcp', prefix: 'files.' })
  expectTypeOf(connection.tools).items.toBeString()
  setApprover(({ intent, choices }) => choices[0] ?? intent !== null)
  expectTypeOf(renderIntent('Pay {amount}', { amount: 1 }).text).toBeString()
  // @ts-expect-error: an unknown level
  apply({ policy: 'strict' })
  // @ts-expect-error: text, as in the attribute of the script
  apply({ rememberDays: '30' })
  // @ts-expect-error: the core has no approvals
  applyCore({ policy: 'review' })
  // @ts-expect-error: no address
  await connect({ prefix: 'files.' })
  // @ts-expect-error: no choice
  setApprover(() => 'always')
}

import { apply, type PageTool } from '@edgewise/webmcp'
import type {} from '@edgewise/webmcp/globals'

/** Registers a tool; returns the function that removes it. For any framework. */
export function addTool<Input extends object>(tool: PageTool<Input>): () => void {
  apply() // once is enough; again changes nothing
  const controller = new AbortController()
  const { signal } = controller
  document.modelContext.registerTool(tool, { signal }).catch((error: unknown) => {
    if (!signal.aborted) console.error(error) // a component may go before its tool is registered
  })
  return () => controller.abort()
}

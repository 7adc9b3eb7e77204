import { apply, type PageTool } from '@edgewise/webmcp'
import type {} from '@edgewise/webmcp/globals'
import { useEffect, useState } from 'react'

/** Registers a tool for as long as the component is shown. Memoise the tool. */
function useTool<Input extends object>(tool: PageTool<Input>): void {
  useEffect(() => {
    apply() // once is enough; again changes nothing
    const controller = new AbortController()
    document.modelContext.registerTool(tool, { signal: controller.signal }).catch(console.error)
    return () => controller.abort()
  }, [tool])
}

/** A counter that people and agents can set. */
export function Counter() {
  const [count, setCount] = useState(0)
  const [tool] = useState<PageTool<{ count: number }>>({
    name: 'set_count',
    description: 'Sets the counter.',
    inputSchema: { type: 'object', properties: { count: { type: 'integer' } } },
    annotations: { humanInTheLoopHint: 'notify', intentTemplate: 'Set the counter to {count}' },
    execute: ({ count }) => setCount(count),
  })
  useTool(tool)
  return <button onClick={() => setCount(count + 1)}>{count}</button>
}
